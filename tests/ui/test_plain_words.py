"""What Read says of a finding in plain words: the answer first, then one rate, of films that the sentence names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.wording import Wording
from tests.ui.loaded_modules import loaded_modules, run

pytestmark = pytest.mark.browser
FOUND = {"value": 0.64, "low": 0.57, "high": 0.71, "hits": 114, "n": 178}
SPARED = {"value": 0.56, "low": 0.54, "high": 0.59, "hits": 824, "n": 1472}
ROW = {
    "finding": "Mass",
    "state": "above",
    "warning": None,
    "score": 0.39,
    "threshold": 0.23,
    "sensitivity": FOUND,
    "specificity": SPARED,
}
OPEN = {"value": 0.567, "low": 0.532, "high": 0.601, "hits": 447, "n": 788}
NONE = {"value": None, "low": None, "high": None, "hits": 0, "n": 0}
HIGH = {"value": 0.2, "low": 0.14, "high": 0.27, "hits": 28, "n": 143}
LOW = {"value": 0.006, "low": 0.003, "high": 0.011, "hits": 10, "n": 1640}
ALL = {"value": 0.0425, "low": 0.03, "high": 0.05, "hits": 85, "n": 2000}
SUCH = {"as_high": HIGH, "as_low": LOW, "labeled": ALL}


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with loaded_modules(chromium) as page:
        yield page


def plain(words: object) -> str:
    return str(words).replace("\N{NO-BREAK SPACE}", " ").replace("\N{EN DASH}", "-")


@pytest.mark.parametrize(
    ("changes", "such", "wrong"),
    [
        (
            {},
            "Of 143 test films scoring this high, 28 (20 % [14-27]) had it; 4 % of all films did.",
            "at its threshold this model missed 36 % [29-43] of 178 films with the finding and flagged 44 % [41-46] of",
        ),
        ({"state": "unsure"}, "scoring this high, 28 (20 % [14-27]) had it", "missed"),
        (
            {"state": "below"},
            "Of 1,640 test films scoring this low, 10 (0.6 % [0.3-1.1]) had it; 4 % of all",
            "missed",
        ),
        ({"warning": "Confounded."}, "", "missed"),
        ({"state": "cannot judge"}, "", ""),
        (
            {"state": None, "sensitivity": None, "specificity": None},
            "28 (20 % [14-27]) had it",
            "is wrong about it is not known",
        ),
        (
            {"finding": "Normal"},
            "28 (20 % [14-27]) were normal; 4 % of all films were.",
            "missed 36 % [29-43] of 178 normal films and flagged 44 % [41-46] of 1,472 films with findings",
        ),
        ({"finding": "Normal", "state": "below"}, "10 (0.6 % [0.3-1.1]) were normal", "missed"),
    ],
)
def test_each_rate_names_its_films(page: Page, changes: dict[str, object], such: str, wrong: str) -> None:
    row = ROW | changes
    counted = plain(run(page, "read/plain_words.js", "m.suchFilmsText(v[0], v[1])", row, SUCH))
    errors = plain(run(page, "read/plain_words.js", "m.ownErrorsText(v[0])", row))
    assert such in counted and bool(such) == bool(counted)
    assert wrong in errors and bool(wrong) == bool(errors)


@pytest.mark.parametrize(
    ("changes", "told", "said"),
    [
        ({}, "so it is", "Flagged. So it is. Score 0.39 (threshold 0.23)."),
        ({}, "", "Flagged. Score 0.39 (threshold 0.23)."),
        ({"state": "unsure"}, "so it is", "Uncertain. So it is. Score 0.39 (threshold 0.23)."),
        (
            {"state": "unsure", "free_in_band": OPEN},
            "so it is",
            "Uncertain. So it is. Score 0.39 (threshold 0.23). This says little: 57 % [53-60] of 788 films "
            "without any finding are uncertain, too.",
        ),
        ({"state": "below", "score": 0.1}, "so it is", "Not flagged. So it is. Score 0.10 (threshold 0.23)."),
        ({"finding": "Normal"}, "so it is", "Flagged as normal. So it is. Score 0.39 (threshold 0.23)."),
        ({"warning": "Confounded."}, "so it is", "Score 0.39 (threshold 0.23)."),
        ({"chosen_here": True}, "so it is", "Flagged. So it is. Score 0.39 (threshold chosen here 0.23)."),
        ({"state": None, "threshold": None}, "so it is", "So it is. No threshold is known: the score is neither"),
        ({"state": "cannot judge"}, "so it is", "This model cannot judge it: its scores have not been shown to beat"),
    ],
)
def test_the_answer_comes_first_and_the_score_last(
    page: Page, changes: dict[str, object], told: str, said: str
) -> None:
    assert plain(run(page, "read/plain_words.js", "m.meaningText(v[0], v[1])", ROW | changes, told)).startswith(said)


def test_a_score_that_few_films_of_the_cohort_reach_is_said_to_be_so(page: Page, wording: Wording) -> None:
    words = plain(run(page, "read/plain_words.js", "m.suchFilmsText(v[0], v[1])", ROW, SUCH | {"as_high": NONE}))
    assert "n 0" in words and "4 %" in words
    wording(words)
    one = {"value": 0.0, "low": 0.0, "high": 0.79, "hits": 0, "n": 1}
    words = plain(run(page, "read/plain_words.js", "m.suchFilmsText(v[0], v[1])", ROW, SUCH | {"as_high": one}))
    assert "n 1" in words
    wording(words)
    nobody = run(page, "read/plain_words.js", "m.suchFilmsText(v[0], v[1])", ROW, SUCH | {"labeled": NONE})
    assert nobody == ""


def test_a_rate_that_may_be_that_of_all_films_is_said_to_tell_nothing(page: Page, wording: Wording) -> None:
    many = {"value": 0.054, "low": 0.025, "high": 0.113, "hits": 6, "n": 111}
    words = plain(run(page, "read/plain_words.js", "m.suchFilmsText(v[0], v[1])", ROW, SUCH | {"as_high": many}))
    assert "111" in words and "6 (5 % [3-11])" in words and "4 %" in words
    wording(words)
    few = {"value": 0.06, "low": 0.02, "high": 0.17, "hits": 3, "n": 50}
    words = plain(run(page, "read/plain_words.js", "m.suchFilmsText(v[0], v[1])", ROW, SUCH | {"as_high": few}))
    assert words.endswith("did.")  # 50 films are too few to call a score useless


def test_once_the_film_is_known_to_be_far_its_headline_is_the_warning(page: Page) -> None:
    opinion, far = {"title": "Mass: likely.", "detail": ""}, {"title": "Unlike the test films.", "detail": ""}
    first = {"headline": opinion, "far": False, "verdict": {"readable": True}}
    items = [{"opinion": first}, {"opinion": first, "join": {"stage": "apart"}}]
    for item, title in [*((each, opinion) for each in items), (items[0] | {"join": {"headline": far}}, far)]:
        assert run(page, "shared/finding_words.js", "m.headlineWords(v[0])", item) == title


def test_no_finding_is_named_before_it_is_known_whether_the_film_is_far(page: Page, wording: Wording) -> None:
    opinion = {"headline": {"title": "Mass: likely.", "detail": ""}, "far": None, "verdict": {"readable": True}}
    titles = [
        run(page, "shared/finding_words.js", "m.headlineWords(v[0]).title", item)
        for item in (
            {"opinion": opinion},
            {"opinion": opinion, "join": {"headline": {"title": "Unlike the test films."}, "far": True}},
            {"opinion": opinion, "join": {"stage": "apart"}},  # nothing to compare with
            {"opinion": opinion | {"verdict": {"readable": False}}},  # refused: its headline is the reason
        )
    ]
    assert titles[1:] == ["Unlike the test films.", "Mass: likely.", "Mass: likely."] and "Mass" not in str(titles[0])
    wording(titles[0])


def test_simulate_words_a_flag_as_read_does_and_judges_nothing_that_the_model_cannot(
    page: Page, wording: Wording
) -> None:
    twin = {"score": 0.1, "outcome": "correct rejection"}
    row = {"finding": "Hernia", "score": 0.9, "threshold": 0.5, "outcome": "hit", "doubt": "", "twin": twin}
    said = {"why": "m.noMapWords(v[0], 'film')", "plain": "m.outcomeSummary([v[0]])"}

    def words(what: str, **changes: object) -> object:
        return run(page, "simulate/answer.js", said[what], row | changes)

    said_of_a_flag = words("plain")
    without_a_map = words("why", outcome="miss")
    unjudged = {"doubt": "cannot judge"}
    judged = [said_of_a_flag, without_a_map, words("plain", **unjudged), words("why", **unjudged)]
    assert len(set(judged)) == 4 and all("Hernia" in str(each) for each in judged[1:])
    for each in judged:
        wording(each)


def test_a_flagged_finding_has_the_sentence_behind_its_verdict(page: Page) -> None:
    row = ROW | {"verdict": "possible", "right_words": "Of the 24 test films with the nearest scores, 14 had it."}
    assert run(page, "read/plain_words.js", "m.suchFilmsText(v[0], v[1])", row, SUCH) == row["right_words"]


@pytest.mark.parametrize("changes", [{"state": "above"}, {"free_in_band": OPEN | {"value": 0.49}}, {"warning": "So."}])
def test_being_unsure_is_called_little_only_where_most_films_without_findings_leave_it_so(
    page: Page, changes: dict[str, object]
) -> None:
    row = ROW | {"state": "unsure", "free_in_band": OPEN} | changes
    assert "says little" not in str(run(page, "read/plain_words.js", "m.meaningText(v[0], v[1])", row, "so it is"))
