"""What is shown of a raw record names nobody, whatever the provider calls its people."""

from __future__ import annotations

import json

import pytest

from sources.formats.personal import PUT_INSTEAD, without_personal


@pytest.mark.parametrize(
    "key",
    ["user_id", "host_name", "hosts", "primaryHost", "additionalHosts", "coHosts", "reviewer_name", "author",
     "userName", "username", "review_author", "ReviewerURL"],
)  # fmt: skip
def test_a_key_with_the_word_of_a_person_is_not_shown(key):
    record = {"name": "Loft", "reviews": [{key: {"firstName": "Ana"}}], key: "Ana"}
    assert json.loads(without_personal(json.dumps(record))) == {
        "name": "Loft",
        "reviews": [{key: PUT_INSTEAD}],
        key: PUT_INSTEAD,
    }


@pytest.mark.parametrize("key", ["name", "isHostedBySuperhost", "useful", "hostel", "authority", "business_id"])
def test_any_other_is(key):
    text = json.dumps({key: "Ana"})
    assert without_personal(text) == text
