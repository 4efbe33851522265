"""Names of findings: any visible text, one name however spelled; what is near a known one is offered, not taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.finding_names import (
    MAX_NAME_CHARS,
    InvalidName,
    did_you_mean,
    finding_name,
    match_finding,
    near_finding,
    own_name,
)
from explorer.core.finding_words import FINDING_BY_WORD, finding_of, plain
from explorer.core.findings import FINDINGS
from tests.support.wording import Wording


@pytest.mark.parametrize("name", ["COVID-19", "ILD", 'A "quote", a/slash', "<b>x</b>", "Größe 3 µm", "7"])
def test_any_visible_text_is_a_name(name: str) -> None:
    assert finding_name(f"  {name.replace(' ', '   ')}\n") == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "neither a letter"),
        (" -- ", "neither a letter"),
        ("?!", "neither a letter"),
        ("x" * (MAX_NAME_CHARS + 1), f"81 characters; a finding's name has at most {MAX_NAME_CHARS}"),
        ("a\x07b", "invisible"),
        ("a\u202eb", "invisible"),
        ("a\u200bb", "invisible"),
        ("a\ud800", "invisible"),
    ],
)
def test_what_is_no_name(text: str, why: str, wording: Wording) -> None:
    with pytest.raises(InvalidName, match=why) as refused:
        finding_name(text)
    wording(refused.value)
    assert str(refused.value).isprintable()


@given(st.text(max_size=MAX_NAME_CHARS + 20))
def test_a_name_is_its_own_name_and_as_short_as_promised(text: str) -> None:
    try:
        name = finding_name(text)
    except InvalidName:
        return
    assert finding_name(name) == name and len(name) <= MAX_NAME_CHARS and name.isprintable() and plain(name)


def test_spellings_of_one_name_are_one() -> None:
    own = ("COVID-19", "Höhle")
    assert match_finding("covid_19", own) == match_finding(" Covid 19", own) == "COVID-19"
    assert match_finding("ho\u0308hle", own) == "Höhle"
    assert match_finding("pleural_effusion", own) == "Pleural Effusion"  # a known one whatever else there is
    assert match_finding("COVID", own) is None
    assert own_name("Effusion") == "Pleural Effusion" and own_name(" ILD ") == "ILD"
    assert plain("C+") == plain("c plus")  # which an address writes alike


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("Pleural Efusion", "Pleural Effusion"),
        ("Cardiomegally", "Cardiomegaly"),
        ("pleural effusions", "Pleural Effusion"),
        ("Pnuemothorax", "Pneumothorax"),
        ("Noduel", "Nodule"),
        ("COVID-91", "COVID-19"),
        ("Lung Cavity", None),
        ("ILD", None),
        ("Patient Comment", None),
        ("COVID-19", None),
    ],
)
def test_a_near_word_is_offered_and_never_taken(word: str, near: str | None) -> None:
    assert near_finding(word, ["COVID-19"]) == near
    assert did_you_mean(word, ["COVID-19"]) == (f" Did you mean {near}?" if near else "")
    assert match_finding(word, ["COVID-19"]) in (None, word)


@pytest.mark.parametrize("name", FINDINGS)
def test_a_known_finding_is_near_no_other(name: str) -> None:
    assert finding_of(name) == name == FINDING_BY_WORD[plain(name)]
    assert finding_name(name) == name
    assert near_finding(name) is None or match_finding(name) == name
