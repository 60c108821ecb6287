"""The 22 archetypes of groups as data: who belongs to one, what moves it, how its preferences are made (3.D).

What could be read in released tasks is so; `observed` is False where roles or plan are our choice [I]. Dynamics are in
our own words. Compromise patterns: any non-empty set of members with a table can be the compromisable ones; uniform
over these sets gives 53 % compromisable members, the release has 54 % [I].
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Strategy = Literal["independent", "copy_minor", "copy_moderate", "skip"]
Text = tuple[str, str]
"""Chinese as published, and English."""

CHILD_WITHOUT_TABLE_BELOW = 8
"""Children younger than this have no table (paper); the release is not consistent (G6), ours is."""


OF_AGE = 18


@dataclass(frozen=True)
class Role:
    """One member: what the group calls them, and which profiles fit."""

    zh: str
    en: str
    gender: str | None = None
    ages: tuple[int, int] = (18, 60)
    is_married: bool | None = None
    is_parent: bool | None = None

    def name(self, language: str) -> str:
        """Return the role in the language."""
        return self.zh if language == "zh" else self.en

    @property
    def is_small_child(self) -> bool:
        """Return whether the member is too young for a table."""
        return self.ages[1] < CHILD_WITHOUT_TABLE_BELOW

    @property
    def is_minor(self) -> bool:
        """Return whether the member is under age."""
        return self.ages[1] < OF_AGE


@dataclass(frozen=True)
class TableStep:
    """How one member's table is made: `user` counts from 1, `partner` is whose table it starts from."""

    user: int
    strategy: Strategy
    partner: int | None = None


@dataclass(frozen=True)
class Archetype:
    """One kind of group. `plan` is in the order of generation, as are the released keys; `count` is the release's."""

    group_id: str
    name: Text
    tags: tuple[Text, ...]
    dynamics: str
    roles: tuple[Role, ...]
    plan: tuple[TableStep, ...]
    count: int
    observed: bool = True

    @property
    def with_table(self) -> tuple[int, ...]:
        """Return the numbers of the members that have a table."""
        return tuple(sorted(step.user for step in self.plan if step.strategy != "skip"))

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """Return the sets of members that may be the compromisable ones: every set but the empty one [I]."""
        members = self.with_table
        return tuple(pattern for n in range(1, len(members) + 1) for pattern in combinations(members, n))


def _plan(text: str) -> tuple[TableStep, ...]:
    """Return the plan written as `2I 1m2 3M2 4-`: user, strategy, partner."""
    strategies: dict[str, Strategy] = {"I": "independent", "m": "copy_minor", "M": "copy_moderate", "-": "skip"}
    return tuple(
        TableStep(int(word[0]), strategies[word[1]], int(word[2]) if len(word) > 2 else None) for word in text.split()
    )


F, M = "female", "male"
YOUNG = (18, 35)
ADULT = (18, 60)
PARENT_AGES = (24, 55)
OLD = (55, 85)


def _friends(zh: str, en: str, gender: str, n: int, ages: tuple[int, int] = ADULT) -> tuple[Role, ...]:
    return tuple(Role(f"{zh}{letter}", f"{en} {letter}", gender, ages) for letter in "ABCDEF"[:n])


BOYFRIEND, GIRLFRIEND = Role("男友", "boyfriend", M, YOUNG, False), Role("女友", "girlfriend", F, YOUNG, False)
HUSBAND, WIFE = Role("丈夫", "husband", M, ADULT, True), Role("妻子", "wife", F, ADULT, True)
FATHER, MOTHER = Role("父亲", "father", M, PARENT_AGES, True, True), Role("母亲", "mother", F, PARENT_AGES, True, True)
GRANDFATHER, GRANDMOTHER = Role("祖父", "grandfather", M, OLD), Role("祖母", "grandmother", F, OLD)
SMALL_CHILD = Role("小孩（0-7岁）", "small child (0-7)", None, (0, 7))
SCHOOL_CHILD = Role("学龄儿童（8-14岁）", "school child (8-14)", None, (8, 14))
TEENAGER = Role("大孩（12岁+）", "older child (12+)", None, (12, 17))


def _couples(n: int) -> tuple[Role, ...]:
    pairs = (
        (Role(f"男友{c}", f"boyfriend {c}", M, YOUNG), Role(f"女友{c}", f"girlfriend {c}", F, YOUNG)) for c in "ABC"[:n]
    )
    return tuple(role for pair in pairs for role in pair)


ARCHETYPES: tuple[Archetype, ...] = (
    Archetype("2-1", ("情侣", "couple"), (("情侣", "couple"), ("双人", "two")),
              "Two who decide together and differ in details.", (BOYFRIEND, GIRLFRIEND), _plan("1I 2m1"), 17),
    Archetype("2-2", ("夫妻", "married couple"), (("夫妻", "married"), ("双人", "two")),
              "A settled pair: comfort over adventure.", (HUSBAND, WIFE), _plan("1I 2m1"), 13, False),
    Archetype("2-3", ("闺蜜", "two female friends"), (("朋友", "friends"), ("纯女", "women"), ("美食", "food"),
              ("拍照", "photos"), ("购物", "shopping")),
              "One budget, different sights.", _friends("女性朋友", "friend", F, 2), _plan("1I 2M1"), 24),
    Archetype("2-4", ("兄弟", "two male friends"), (("朋友", "friends"), ("纯男", "men"), ("户外", "outdoors"),
              ("探险", "adventure"), ("自由行", "no fixed plan")),
              "One budget, different sights.", _friends("男性朋友", "friend", M, 2), _plan("1I 2M1"), 20),
    Archetype("3-1", ("情侣+闺蜜", "couple and female friend"),
              (("情侣", "couple"), ("单身", "single"), ("三人行", "three")),
              "The couple agrees, the friend has a voice of her own.",
              (BOYFRIEND, GIRLFRIEND, Role("女性单身朋友", "single female friend", F, YOUNG, False)),
              _plan("2I 1m2 3M2"), 21),
    Archetype("3-2", ("情侣+兄弟", "couple and male friend"),
              (("情侣", "couple"), ("单身", "single"), ("三人行", "three")),
              "The couple agrees, the friend has a voice of his own.",
              (BOYFRIEND, GIRLFRIEND, Role("男性单身朋友", "single male friend", M, YOUNG, False)),
              _plan("1I 2m1 3M1"), 18),
    Archetype("3-3", ("三闺蜜", "three female friends"), (("朋友", "friends"), ("纯女", "women")),
              "Equals who share a purse.", _friends("女性", "woman", F, 3), _plan("1I 2M1 3M1"), 25),
    Archetype("3-4", ("三兄弟", "three male friends"),
              (("朋友", "friends"), ("纯男", "men"), ("自由度高", "easy-going")),
              "Equals who share a purse.", _friends("男性", "man", M, 3), _plan("1I 2M1 3M1"), 23),
    Archetype("3-5", ("三口之家（幼儿）", "family with a small child"), (("家庭", "family"), ("三口", "three")),
              "The child sets the pace and has no say.", (FATHER, MOTHER, SMALL_CHILD),
              _plan("2I 1m2 3-"), 16, False),
    Archetype("3-6", ("三口之家（学龄儿童）", "family with a school child"), (("家庭", "family"), ("三口", "three")),
              "The child has wishes of its own.", (FATHER, MOTHER, SCHOOL_CHILD), _plan("2I 1m2 3I"), 18, False),
    Archetype("4-1", ("两对情侣", "two couples"), (("情侣", "couples"), ("四人行", "four")),
              "Two pairs, each agreed within.", _couples(2), _plan("1I 2m1 3I 4m3"), 21),
    Archetype("4-2", ("情侣+两位朋友", "couple and two friends"),
              (("情侣", "couple"), ("朋友", "friends"), ("四人行", "four")),
              "A pair at the core, friends who share its budget.",
              (BOYFRIEND, GIRLFRIEND, *(Role(f"朋友{c}", f"friend {c}", None, YOUNG) for c in "AB")),
              _plan("2I 1m2 3M2 4M2"), 17),
    Archetype("4-3", ("四闺蜜", "four female friends"), (("朋友", "friends"), ("纯女", "women"), ("四人行", "four")),
              "Two pairs of friends with two purses.", _friends("女性", "woman", F, 4), _plan("1I 2M1 3I 4M3"), 28),
    Archetype("4-4", ("四兄弟", "four male friends"), (("朋友", "friends"), ("纯男", "men"), ("四人行", "four")),
              "Two pairs of friends with two purses.", _friends("男性", "man", M, 4),
              _plan("1I 2M1 3I 4M3"), 19, False),
    Archetype("4-5", ("四口之家（两孩年龄差大）", "family with two children far apart in age"),
              (("家庭", "family"), ("四口", "four"), ("两孩", "two children"), ("年龄差异", "ages apart")),
              "A teenager with a will, a small child without a say.", (FATHER, MOTHER, TEENAGER, SMALL_CHILD),
              _plan("2I 1m2 3I 4-"), 21),
    Archetype("4-6", ("夫妻+父母", "couple and parents"), (("家庭", "family"), ("两代", "two generations")),
              "Two generations, each agreed within, of different pace.",
              (Role("父亲", "father", M, OLD), Role("母亲", "mother", F, OLD), HUSBAND, WIFE),
              _plan("1I 2m1 3I 4m3"), 20),
    Archetype("5-1", ("五人闺蜜团", "five female friends"),
              (("朋友", "friends"), ("纯女", "women"), ("大团", "large"),
              ("民主决策", "by vote")),
              "Votes, with two camps and one between.", _friends("女性", "woman", F, 5),
              _plan("1I 2M1 3I 4M3 5M1"), 37),
    Archetype("5-2", ("五人兄弟团", "five male friends"), (("朋友", "friends"), ("纯男", "men"), ("大团", "large"),
              ("户外探险", "outdoors")),
              "Two camps and one between.", _friends("男性", "man", M, 5), _plan("1I 2M1 3I 4M3 5M1"), 46),
    Archetype("5-3", ("一家三口+祖父母", "family with grandparents"),
              (("家庭", "family"), ("三代", "three generations")),
              "Three generations with three paces.", (FATHER, MOTHER, SCHOOL_CHILD, GRANDFATHER, GRANDMOTHER),
              _plan("2I 1m2 3I 4I 5m4"), 41),
    Archetype("6-1", ("大学宿舍", "college dormitory"),
              (("同学", "students"), ("宿舍", "dormitory"), ("六人行", "six"),
              ("熟悉但分化", "close but unlike")),
              "They know each other well and want six things.",
              tuple(Role(f"室友{c}", f"roommate {c}", None, (18, 26)) for c in "ABCDEF"),
              _plan("1I 2I 3I 4I 5I 6I"), 53),
    Archetype("6-2", ("三对情侣", "three couples"), (("情侣", "couples"), ("三CP", "three pairs"), ("六人行", "six")),
              "Three pairs, each agreed within.", _couples(3), _plan("1I 2m1 3I 4m3 5I 6m5"), 72),
    Archetype("6-3", ("三代大家庭", "three generations"), (("家庭", "family"), ("三代", "three generations"),
              ("四年龄层", "four ages"), ("需求最极端", "needs furthest apart")),
              "Four ages under one plan; the smallest child has no say.",
              (GRANDFATHER, GRANDMOTHER, FATHER, MOTHER, TEENAGER, SMALL_CHILD), _plan("4I 3m4 1I 2m1 5I 6-"), 80),
)  # fmt: skip

BY_ID: dict[str, Archetype] = {archetype.group_id: archetype for archetype in ARCHETYPES}
