"""GroupTravelBench's plans in text: the agent's last message holds the plan as JSON (3.D); nothing else is a plan."""

from __future__ import annotations

from typing import Any

from assets.language.plan_texts import PlanText


def _is_plan(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("days"), list) and bool(value["days"])


PLAN_TEXT = PlanText(read=lambda _: None, is_plan=_is_plan, names=lambda _: iter(()))
