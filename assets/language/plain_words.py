"""What stands in a text beside its facts: words that ask for nothing, as plain data, and all others by name.

A list of what a model may not add is never whole, so this one is of what it may say. Who uses it takes the facts out
first, by what their own reader knows them by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAYS_NOTHING = """
a an the i me my mine myself we us our ours ourselves you your it its they them their this that these those there here
who what wherever whenever which where when how whose someone everyone one ones some both all everything

is are am be being been will would can could may should shall must do does have has having need needs needed want
wants wanted wish wishes like likes love loves enjoy enjoys prefer prefers hope hopes hoping let lets s m d re ve ll

to of in at on by between for from with into during through throughout within across under among until till while and as
so such also too then plus well together along additionally furthermore finally next now up out off forward

please kindly thanks thank oh hi hello hey dear welcome appreciate appreciated grateful glad happy delighted excited
eager thrilled keen craving ready interested interest interests mood looking look know tell think thinking mind sure
ask asking request write writing behalf got

help helping assist plan plans planning planned put create creating make makes making design designing arrange
arranging organize organizing organise organising build prepare preparing prepared draw draft drafting work working
come comes set suggest suggesting suggestions suggestion recommend recommending recommendations recommendation find
finding search seek seeking choose choosing pick picking select selecting book booking include includes including
feature features featuring provide provides providing offer offers offering show give gives giving take takes taking
turn get getting go going goes fill filled add adding consider follow ensure ensures ensuring require requires
requiring required requirement requirements important essential necessary focus focuses focused

trip trips travel travels traveling travelling journey itinerary itineraries vacation holiday getaway tour visit
visits visiting see seeing explore exploring discover discovering experience spend spending stay stays staying sleep
sleeping night nights eat eating dine dining meal meals attraction attractions sight sights sightseeing place places
lodging accommodation accommodations location schedule program programme destination way time leave leaving leaves
depart departing departure start starting starts begin beginning begins end ending ends return returning back coming
date dates finish finishing last lasts lasting run running runs head heading arrive arriving home

budget amount money cost costs total overall whole altogether expenses stick sticking fit fits fitting respect
respects limit limited maximum cover covers
"""
SAYS_NOTHING = frozenset(_SAYS_NOTHING.split())
"""Words of a request that name nothing, negate nothing, grade nothing, count nothing and leave nothing open.

Left out on purpose: `or`, `any`, `other`, `if` and `maybe`, which loosen a wish; `only`, `each` and `per`, which change
what it is of; `very` and `really`, which grade; whatever says no, less or more.
"""

_PHRASES = (
    r"(?:be|am|are|going|go) away for", r"keep(?:ing)? (?:it |this |everything )?(?:all )?(?:within|to|under)",
    r"keep(?:ing)? (?:all )?(?:the |our |my )?(?:costs?|expenses)(?: within| to| under)?", r"how about", r"in addition",
    r"(?:so|very) (?:much|happy|glad|grateful|excited|keen|eager)", r"(?:can['’]t|cannot) wait", r"i (?:really|truly)",
    r"would (?:really|very much) (?:appreciate|like|love)", r"would be (?:ideal|great|nice|lovely|wonderful)",
    r"(?:is|would) it (?:be )?possible", r"breakfast, lunch,? and dinner", r"(?:as )?for food",
    r"(?:i['’]m|am|we['’]re|are) after", r"can only (?:stay|book)",
)  # fmt: skip
"""Words that ask for nothing where they stand so; elsewhere they may grade, deny or keep away."""
_WORD = re.compile(r"[^\W_]+")
_PROSE = re.compile(r"[\w\s.,;:!?'\u2018\u2019\"\u201c\u201d()\u2010-\u2015-]")


def unexplained(text: str, facts: Iterable[str], says_nothing: Iterable[str] = ()) -> list[str]:
    """Return what the text says beside its facts, each word and sign once, in order; empty if nothing.

    `facts` are regular expressions of all that may stand in it, taken out in their order, without regard to case.
    `says_nothing` are words beside `SAYS_NOTHING` that ask for nothing in this kind of text.
    """
    unexplained_text = text
    for fact in (*facts, *_PHRASES):
        unexplained_text = re.sub(rf"(?<!\w)(?:{fact})(?!\w)", " ", unexplained_text, flags=re.IGNORECASE)
    plain = SAYS_NOTHING | set(says_nothing)
    signs = [sign for sign in unexplained_text if not _PROSE.fullmatch(sign)]
    words = [word for word in _WORD.findall(unexplained_text) if word.lower() not in plain]
    return list(dict.fromkeys([*words, *signs]))
