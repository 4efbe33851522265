"""Values that a program sends to an endpoint, of every type that JSON has."""

from __future__ import annotations

import pytest

from explorer.ui.shared.sent_values import WrongValue, sent_text, sent_texts, sent_whole


def test_values_of_the_right_type_come_through() -> None:
    assert sent_text("center=B", "It") == "center=B"
    assert sent_texts(["a", "b"], "They") == ("a", "b") and sent_texts(None, "They") == sent_texts([], "They") == ()
    assert [sent_whole(number, "It", 1, 100) for number in (1, 100)] == [1, 100]


@pytest.mark.parametrize("sent", [None, 1, True, ["a"], {"a": 1}, "\ud800", "x" * 100_001])
def test_what_is_no_text_is_refused(sent: object) -> None:
    with pytest.raises(WrongValue, match="The cohort must be text"):
        sent_text(sent, "The cohort")


@pytest.mark.parametrize("sent", ["a", 1, [1], ["a", None], {"a": "b"}, ["a"] * 10_001])
def test_what_is_no_list_of_texts_is_refused(sent: object) -> None:
    with pytest.raises(WrongValue, match="must be a list of texts"):
        sent_texts(sent, "The models")


@pytest.mark.parametrize("sent", ["1", 1.0, True, None, 0, 101, 10**400])
def test_what_is_no_whole_number_in_range_is_refused(sent: object) -> None:
    with pytest.raises(WrongValue, match="whole number. Send one from 1 to 100"):
        sent_whole(sent, "The limit", 1, 100)
