"""Sentences of which Chinese queries are made: our own; the published query is one line of one form (3.D)."""

from __future__ import annotations

from collections.abc import Mapping

GROUPS: Mapping[str, str] = {
    "2-1": "一对情侣", "2-2": "一对夫妻", "2-3": "两个闺蜜", "2-4": "两个好兄弟", "3-1": "一对情侣和一个闺蜜",
    "3-2": "一对情侣和一个兄弟", "3-3": "三个闺蜜", "3-4": "三个好兄弟", "3-5": "带着幼儿的三口之家",
    "3-6": "带着学龄孩子的三口之家", "4-1": "两对情侣", "4-2": "一对情侣和两个朋友", "4-3": "四个闺蜜",
    "4-4": "四个好兄弟", "4-5": "带着两个孩子的四口之家", "4-6": "一对夫妻和一方的父母", "5-1": "五个闺蜜",
    "5-2": "五个好兄弟", "5-3": "一家三口和祖父母", "6-1": "同一个宿舍的六个室友", "6-2": "三对情侣",
    "6-3": "三代同堂的六口之家",
}  # fmt: skip
"""Each archetype as people would call it."""

ASKS = (
    "请帮我们安排{trip}，我们是{group}。", "我们是{group}，想要{trip}，麻烦做个计划。",
    "能帮我们规划{trip}吗？我们是{group}。", "我们{people}个人（{group}）正在计划{trip}。",
    "求一份行程：{trip}，出行的是{group}。", "想请你设计{trip}，同行的是{group}。",
    "我们是{group}，正在商量{trip}，意见还不统一。", "{trip}，{people}人同行（{group}），怎么安排好？",
    "我答应了大家一次{trip}，我们是{group}。", "我们这群人（{group}）想要{trip}，谁的想法都别落下。",
    "{trip}怎么玩才好？我们一共{people}个人，是{group}。", "帮忙看看{trip}：{group}，每天做什么都写清楚。",
    "{group}，想安排{trip}，有什么好的方案吗？", "终于要出门了：{trip}！我们是{group}，请给个行程。",
)  # fmt: skip
"""Whoever asks is one of the group, as in STARTS and ENDS."""

TRIPS = (
    "{cities}{days}天{nights}夜的旅行", "{cities}{days}天{nights}夜游", "{days}天{nights}夜的{cities}之旅",
    "{cities}{days}日游（住{nights}晚）", "去{cities}的{days}天旅行（住{nights}晚）",
)  # fmt: skip
STARTS = (
    "{date}从{home}出发。", "从{home}出发，{date}动身，{last}回来。", "我们住在{home}，{date}可以走。",
    "出发地是{home}，出发日期是{date}。", "{date}在{home}集合。", "{date}到{last}，从{home}往返。",
    "{date}离开{home}，{last}要回到家里。", "家在{home}，第一天是{date}，最后一天是{last}。",
    "{date}起离开{home}，一路玩到{last}。", "我们打算{date}从{home}启程。", "人都在{home}，定的是{date}走。",
)  # fmt: skip
CHILDREN = (
    "我们当中有{child}。", "其中{child}不另外提要求。", "请照顾一下{child}。", "{child}跟着大家走，自己不提要求。",
)  # fmt: skip
ENDS = (
    "", "每个人都会说说自己的要求。", "大家的想法不太一样，请都问一问。", "接下来我们一个一个说。", "",
    "尽量照顾到每个人。", "意见不合的地方请你出主意。", "实在合不来再分头行动。", "预算按人头算。",
    "有的人可以让步，有的人不行。", "", "希望大家都满意。", "想去哪里、想吃什么，我们慢慢告诉你。",
)  # fmt: skip
WEEKDAYS = "一二三四五六日"
