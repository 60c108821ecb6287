"""Small groups to talk to, made without a release: records of tasks, their first messages, and brains for a model."""

from __future__ import annotations

import json
from typing import Any

from assets.core.tools import Reply
from assets.grouptravel.wishes.preferences import FIELDS, empty_table, put
from assets.runs.playing import Access

PLAN = {"days": [{"day": 1, "date": "2025-10-06", "city_segments": []}]}


def wishes(**held: Any) -> dict[str, Any]:
    """Return a table of Oulu and Kemi; a field is named by its last parts, one per city is Oulu's."""
    table = empty_table(("Oulu", "Kemi"))
    for name, value in held.items():
        field = next(field for field in FIELDS if "_".join(field.path).endswith(name))
        put(table, field, "Oulu" if field.per_city else "", value)
    return table


def group(number: int, users: int = 3) -> dict[str, Any]:
    """Return the row of a task about two cities; each member has wishes of its own."""
    entries = {
        f"User{n}": {
            "role": "friend",
            "compromisable": n % 2 == 1,
            "preference": wishes(
                avg_budget=700 + 10 * number + n, must_visit=["Grand Museum"], must_eat=["Indian food"],
                hotel_preference_prefer=["comfort"], max_poi_per_day=2 + n % 2, transport_prefer=["train"],
            ),
        }
        for n in range(1, users + 1)
    }  # fmt: skip
    metadata = {"departure_city": "Home", "cities": ["Oulu", "Kemi"], "date": "three days and two nights",
                "child_members": []}  # fmt: skip
    record = {"time": "2025-10-06", "context": "From Home.", "metadata": metadata, "user_preferences": entries,
              "difficulty_type": "easy"}  # fmt: skip
    opening = [{"role": user, "content": "Hello all."} for user in entries]
    return {"task_id": f"g.{number:04}", "level": "easy", "query": "A trip.", "messages": opening, "record": record}


def access(variant: str = "ours", users: str = "") -> Access:
    """Return tools that always answer alike."""
    return Access(lambda name, _: Reply(f'{{"{name}": []}}'), (), "USD", variant, users)


def records_of(messages: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the records of a prompt."""
    lines = messages[1]["content"].split("\n")
    return [json.loads(line) for line in lines if line.startswith("{")]


def brain(messages: list[dict[str, str]]) -> str:
    """Plan as the agent: ask each member for a budget and food, look something up, and hand in a plan; speak as a user.

    A user tells its budget when it is asked for one.
    """
    records = records_of(messages)
    if "you" in records[0]:
        return json.dumps({"message": _told(records), "path": "", "value": ""})
    said = [record for record in records if record.get("from") == "Agent"]
    if "Write down each member" in messages[0]["content"]:
        return _act(text="{}")
    if not any("tool" in record or record.get("type") == "tool_call" for record in records):
        return _act("web_search", json.dumps({"query": "Oulu"}))
    if len(said) < 4:
        topic = ("what is your budget?", "what do you like to eat in Oulu?")[len(said) % 2]
        return _act(text=f"@User{1 + len(said) % 3} {topic}")
    return _act(text=f"Here it is: {json.dumps(PLAN)}")


def _told(records: list[dict[str, Any]]) -> str:
    question = next(record["says"] for record in reversed(records) if record.get("from") == "Agent")
    held = records[0]["wishes"]
    if "budget" in question:
        return f"At most {held['global_constraints']['avg_budget']} for me."
    return f"I like {held['city_specific_preferences']['Oulu']['food']['must_eat'][0]}."


def _act(tool: str = "", arguments: str = "", text: str = "") -> str:
    return json.dumps({"tool": tool, "arguments": arguments, "text": text})
