"""Random small cohorts and slices of them, for hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import get_args

from hypothesis import strategies as st

from explorer.cohorts.schema import LABELS
from explorer.core.age_bands import AGE_BANDS
from explorer.core.finding_counts import FINDING_COUNTS
from explorer.core.finding_names import InvalidName, finding_name
from explorer.core.finding_words import plain
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.map_area import MapArea
from explorer.core.metric_plan import Grouping
from explorer.core.threshold_rules import FIXED_PREFIX
from explorer.core.uncertainty import UNCERTAIN_AS
from explorer.store.filter_registry import Filters
from explorer.store.marked import Marked
from explorer.store.slices import Slice
from tests.support.brute_force import NAME, Row, Rows

FINDINGS = ("Mass", "Normal", "Pleural Effusion", "Hernia", "Bulla", "Support Devices", 'A finding\'s "own" name')
CENTERS, VIEWS, SEXES = ("North", "South; --", "Ost"), ("PA", "AP", "lateral"), ("F", "M", "unknown")
SOURCES, SPLITS = ("reports", "a reader"), (None, "a", "b")
MODELS = ("one", "other")
RULES = ("made up", f"{FIXED_PREFIX}0.5")
SCORES = (0.0, 0.1, 0.25, 0.3, 0.5, 0.50001, 0.7, 1.0)  # few, so that some are the same, and some on a threshold
SOME_CASES = Marked("list", ("a film that is not there",), 'It\'s "one"; --')  # see `with_cases`
THRESHOLDS = (0.1, 0.3, 0.5, float("nan"))


_looks = st.fixed_dictionaries(
    {
        "severity": st.sampled_from((None, 0.0, 0.2, 0.33, 0.5, 0.67, 1.0)),
        "side": st.sampled_from((None, "left", "right", "both", "none")),
        "area": st.sampled_from((None, 0.0, 0.009, 0.01, 0.03, 0.05, 0.6)),
    }
)


# Few places for films and corners, so that some are the same, and films lie on sides.
_cell = st.sampled_from((0, 1, 2, 1000, 4095))
_unit = st.sampled_from((0, 8, 15, 16, 24, 40, 16_008, 30_000, 65_528, 65_535))
_areas = st.builds(
    lambda corners: MapArea("one", "", tuple(corners), 0),
    st.lists(st.tuples(_cell, _cell), min_size=3, max_size=6).filter(
        lambda corners: min(len({corner[at] for corner in corners}) for at in (0, 1)) > 1
    ),
)


# What breaks out of markup, SQL, CSV, addresses and paths, and what other alphabets have.
_free = st.lists(
    st.sampled_from(
        (
            "<b>x</b>",
            '"',
            "'",
            ",",
            ";",
            "/",
            "=1+1",
            "%",
            "&amp;",
            "a",
            "COVID-19",
            "é",
            "肺",
            "#?",
            "\\",
            "${x}",
            "o" * 40,
        )
    ),
    min_size=1,
    max_size=3,
).map(" ".join)


@st.composite
def free_names(draw: st.DrawFn) -> list[str]:
    """Findings of a cohort: names of anybody's, one of ours, and one of another taxonomy."""
    names = draw(st.lists(_free.filter(_is_name), min_size=1, max_size=4, unique_by=plain))
    return [*names, "Mass", "Lung Opacity"]


def _is_name(text: str) -> bool:
    try:
        return finding_name(text) == text
    except InvalidName:
        return False


@st.composite
def cohorts(draw: st.DrawFn, findings: Sequence[str] = FINDINGS) -> Rows:
    """Up to nine films; each label, score and threshold may be missing, and a label may have two
    sources, one of which may be the one that counts."""
    names = draw(st.lists(st.text("abcé/#' 0", min_size=1, max_size=4), min_size=1, max_size=9, unique=True))
    cases = [draw(_case(name)) for name in names]
    labels = [
        {"case": name, "finding": finding, "label": label, "source": source}
        for name in names
        for finding in findings
        for source, label in draw(st.lists(st.tuples(st.sampled_from(SOURCES), st.sampled_from(LABELS)), max_size=3))
    ]
    scored = {model: draw(_scores([*names, "a film that is not there"], findings)) for model in MODELS}
    looks = [
        {"case": name, "finding": finding, **draw(_looks)}
        for name in [*names, "a film that is not there"]
        for finding in [*findings, "a finding that nobody scores"]
        if draw(st.integers(0, 2)) == 0
    ]
    places = {name: draw(st.tuples(_unit, _unit)) for name in names if draw(st.integers(0, 4))}
    default = draw(st.sampled_from((None, None, *SOURCES)))
    return Rows(cases, labels, scored, {model: draw(_cuts(findings)) for model in MODELS}, looks, places, default)


@st.composite
def slices(draw: st.DrawFn, findings: Sequence[str] = FINDINGS) -> Slice:
    """Any combination of filters, values that nobody has among them."""

    def some(*values: object) -> object:
        return draw(st.one_of(st.none(), st.none(), st.sampled_from(values)))

    relation = some("both wrong", "disagree")
    values = {
        "source": draw(st.sampled_from(get_args(Grouping))),
        "group": some(*FrequencyGroup),
        "task": some("seen", "unseen"),
        "center": some(*CENTERS, "nowhere"),
        "finding": some(*findings, "Mass' OR true --"),
        "outcomes": tuple(draw(st.sets(st.sampled_from(Outcome), max_size=3))),
        "label_source": some(*SOURCES, "nobody"),
        "uncertain": some(*UNCERTAIN_AS),
        "view": some(*VIEWS, "frontal"),
        "sex": some(*SEXES),
        "age": some(*AGE_BANDS),
        "split": some("a", "b", "no split stated", "nobody's"),
        "findings": some(*FINDING_COUNTS),
        "severity": some("faint", "moderate", "marked"),
        "side": some("left", "right", "both", "none"),
        "size": some("small", "medium", "large"),
        "also_present": some(*findings),
        "low": some(*SCORES),
        "high": some(*SCORES),
        "against": "other" if relation else None,
        "relation": relation,
        "lasso": draw(st.one_of(st.none(), st.none(), st.none(), _areas)),
        "called": some(*findings),
        "marked": some(SOME_CASES),
    }
    assert set(values) == {each.name for each in fields(Filters)}, "every filter is drawn"
    return Slice(NAME, "one", **values)


def with_cases(chosen: Slice, rows: Rows) -> Slice:
    """The slice, its mark on every other case of the cohort besides."""
    if chosen.marked is None:
        return chosen
    names = (str(row["case"]) for row in rows.cases[::2])
    return replace(chosen, marked=replace(chosen.marked, cases=(*chosen.marked.cases, *names)))


@st.composite
def _case(draw: st.DrawFn, name: str) -> Row:
    return {
        "case": name,
        "patient": draw(st.sampled_from((None, "1", "2"))),
        "study": None,
        "center": draw(st.sampled_from(CENTERS)),
        "view": draw(st.sampled_from(VIEWS)),
        "sex": draw(st.sampled_from(SEXES)),
        "age": draw(st.sampled_from((None, 0, 17, 18, 39, 40, 59, 60, 79, 80, 110))),
        "split": draw(st.sampled_from(SPLITS)),
        "root": None,
        "file": None,
        "width": None,
        "height": None,
    }


@st.composite
def _scores(draw: st.DrawFn, names: list[str], findings: Sequence[str]) -> list[Row]:
    pairs = [(name, finding) for name in names for finding in findings]
    return [
        {"case": name, "finding": finding, "score": draw(st.sampled_from(SCORES))}
        for name, finding in pairs
        if draw(st.integers(0, 9))
    ]


@st.composite
def _cuts(draw: st.DrawFn, findings: Sequence[str]) -> list[Row]:
    drawn = {(finding, split): draw(st.sampled_from(THRESHOLDS)) for finding in findings for split in SPLITS}
    return [
        {"finding": finding, "split": split, "threshold": threshold, "rule": draw(st.sampled_from(RULES))}
        for (finding, split), threshold in drawn.items()
        if threshold == threshold
    ]
