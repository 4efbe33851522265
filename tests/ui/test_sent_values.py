"""Values that a program sends to an endpoint, of every type that JSON has."""

from __future__ import annotations

import pytest

from explorer.ui.shared.sent_values import WrongValue, sent_text, sent_texts, sent_whole_number
from tests.support.wording import Wording


def test_values_of_the_right_type_come_through() -> None:
    assert sent_text("center=B", "It") == "center=B"
    assert sent_texts(["a", "b"], "They") == ("a", "b") and sent_texts(None, "They") == sent_texts([], "They") == ()
    assert [sent_whole_number(number, "It", 1, 100) for number in (1, 100)] == [1, 100]


@pytest.mark.parametrize("sent", [None, 1, True, ["a"], {"a": 1}, "\ud800", "x" * 100_001])
def test_what_is_no_text_is_refused(sent: object) -> None:
    with pytest.raises(WrongValue) as refused:
        sent_text(sent, "The cohort")
    assert "The cohort" in str(refused.value)


@pytest.mark.parametrize("sent", ["a", 1, [1], ["a", None], {"a": "b"}, ["a"] * 10_001])
def test_what_is_no_list_of_texts_is_refused(sent: object) -> None:
    with pytest.raises(WrongValue) as refused:
        sent_texts(sent, "The models")
    assert "The models" in str(refused.value)


@pytest.mark.parametrize("sent", ["1", 1.0, True, None, 0, 101, 10**400])
def test_what_is_no_whole_number_in_range_is_refused(sent: object) -> None:
    with pytest.raises(WrongValue) as refused:
        sent_whole_number(sent, "The limit", 1, 100)
    assert "The limit" in str(refused.value) and "1 to 100" in str(refused.value)


def test_each_refusal_says_what_to_send(wording: Wording) -> None:
    for take in (
        lambda: sent_text(None, "The cohort"),
        lambda: sent_texts("a", "The models"),
        lambda: sent_whole_number(0, "The limit", 1, 100),
    ):
        with pytest.raises(WrongValue) as refused:
            take()
        wording(refused.value)
