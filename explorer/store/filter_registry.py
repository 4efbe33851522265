"""The registry of filters. To add a filter, add a field: its title, address, condition and words.

Tables, counts, exports, the case view, addresses and the page's menus all derive from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from explorer.cohorts.schema import NO_SPLIT
from explorer.core.age_bands import AGE_BAND_SQL, AGE_BANDS, AgeBand, age_band
from explorer.core.appearance_bands import (
    SEVERITY_BAND_SQL,
    SEVERITY_TITLES,
    SIZE_BAND_SQL,
    SIZE_TITLES,
    SeverityBand,
    Side,
    SizeBand,
    severity_band,
    size_band,
)
from explorer.core.finding_counts import FINDING_COUNT_SQL, FINDING_COUNTS, FindingCount, finding_count
from explorer.core.findings import TASKS, ChallengeTask, FrequencyGroup, Outcome
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.map_area import MapArea
from explorer.core.metric_plan import Grouping
from explorer.core.uncertainty import POLICY_OF, UNCERTAIN_AS, Policy, UncertainAs
from explorer.store.conditions import Among, CaseAmong, Equals, film_calls, film_has
from explorer.store.filter_kinds import (
    AppearanceFilter,
    Choice,
    Choices,
    FilmFilter,
    Filter,
    LassoFilter,
    OtherModel,
    ScoreRange,
    Word,
    appearance_filter,
    film_filter,
    hidden_word,
)
from explorer.store.filter_words import (
    AGES,
    FINDINGS_PER_FILM,
    ON_SIDES,
    OUTCOME_TITLES,
    OUTCOMES,
    PEOPLE,
    RELATION_WORDS,
    SEXES,
    SIDE_TITLES,
    TASK_TITLES,
    WrongFilter,
    by_name,
    known,
    named,
    outcome_word,
    outcomes_named,
)
from explorer.store.marked import Marked

if TYPE_CHECKING:
    from explorer.store.results import Case

PART = "part"  # a film's split, with a word for films that have none
Relation = Literal["both wrong", "disagree"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
# Fields that take one of a few values, by name.
_NAMED: Mapping[str, Mapping[str, Any]] = {
    "source": by_name(GROUP_SOURCES),
    "group": by_name(FrequencyGroup),
    "age": by_name(AGE_BANDS),
    "relation": by_name(RELATIONS),
    "uncertain": by_name(UNCERTAIN_AS),
}


def findings_of(case: Case) -> FindingCount:
    """Return the band for the number of findings that a case is labeled with."""
    known = (each.label in ("present", "absent") for each in case.labels if each.counts)
    return finding_count(case.present, labeled=any(known))


def tasks_scored(choices: Choices) -> list[ChallengeTask]:
    """Return the tasks with at least one finding that the model scores."""
    return [task for task, findings in TASKS.items() if not choices.facets.findings.keys().isdisjoint(findings)]


def _check_kinds(marked: object, lasso: object) -> None:
    """Raise WrongFilter if marked cases or a map area have the wrong type."""
    if not isinstance(marked, Marked | None):
        raise WrongFilter("A slice needs the marked cases themselves", "Write it as a filter: `marked=starred`.")
    if not isinstance(lasso, MapArea | None):
        raise WrongFilter("This is not an area of the map", "Write it as a filter: `lasso=...`, as in an address.")


# It can reveal answers: a tag may name a finding, and a list may consist of mistakes.
MARKED = Choice(
    word=Word(
        "marked",
        "marked",
        "a mark that no case has on this machine",
        lambda choices: choices.marked,
        lambda cohort, marked: marked.word(cohort),
        lambda marked: marked.title,
    ),
    title="Marked",
    demands=lambda marked, findings: CaseAmong(marked.cases),
    says=lambda marked: marked.clause,
    tells=True,
    bound_to="cohort",
)
LASSO = LassoFilter()


def _entry(entry: Filter, default: object = None) -> Any:  # noqa: ANN401 - the annotation of the field gives the type
    return field(default=default, metadata={"filter": entry})


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """The values of the filters, in the order of the page; None: no restriction.

    `outcomes` are those at the operating point. `relation` compares with the model `against`: both wrong about the
    pair, or only one of them calls it present. `uncertain` labels are left out unless it says what they count as; it
    excludes no pair. Scores are raw, `low` <= score < `high`. `called` is another finding
    that the model calls on the film, `also_present` one that the film is labeled with. `severity`, `side` and `size`
    describe a finding that is present. `lasso` is an area of the model's map, `marked` are cases marked on this
    machine.
    """

    source: Grouping = _entry(
        Choice(
            word=Word(
                "source",
                "source",
                "no known source of frequency groups",
                lambda choices: GROUP_SOURCES,
                title=lambda source: GROUP_SOURCES[source].choice,
            ),
            title="Groups by",
            tells=True,
            needed=True,
            bound_to="cohort",
        ),
        "paper",
    )
    group: FrequencyGroup | None = _entry(
        Choice(
            word=Word("group", "group", "no known frequency group", lambda choices: FrequencyGroup),
            title="Frequency group",
            demands=lambda group, findings: Among("finding", tuple(findings)),
            tells=True,
            of_findings=True,
        )
    )
    task: ChallengeTask | None = _entry(
        Choice(
            word=Word(
                "task",
                "task",
                "no known task of CXR-LT 2026",
                lambda choices: TASKS,
                title=lambda task: TASK_TITLES[task],
                offered=tasks_scored,
            ),
            title="Seen, unseen",
            demands=lambda task, findings: Among("finding", TASKS[task]),
            tells=True,
            of_findings=True,
        )
    )
    center: str | None = _entry(
        film_filter(
            "center",
            "Center",
            absent="a center that this cohort does not have",
            write=hidden_word("center"),
            bound_to="cohort",
        )
    )
    finding: str | None = _entry(
        Choice(
            word=Word(
                "finding",
                "finding",
                "a finding that this model has no score for",
                lambda choices: choices.facets.findings,
            ),
            title="Finding",
            demands=lambda finding, findings: Equals("finding", finding),
            tells=True,
            of_findings=True,
        )
    )
    outcomes: tuple[Outcome, ...] = _entry(
        Choice(
            word=Word(
                "outcome",
                "outcomes",
                "no known outcome",
                lambda choices: OUTCOMES.values(),
                outcome_word,
                lambda outcomes: OUTCOME_TITLES.get(outcomes) or str(outcomes[0]),
            ),
            title="Outcome",
            demands=lambda outcomes, findings: Among("outcome", tuple(each.value for each in outcomes)),
            tells=True,
            of_scores=True,
        ),
        (),
    )
    label_source: str | None = _entry(
        Choice(
            word=Word(
                "labels",
                "label_source",
                "a source of labels that this cohort does not have",
                lambda choices: choices.facets.label_sources,
                hidden_word("labels"),
            ),
            title="Labels from",
            demands=lambda source, findings: Equals("source", source),
            says=lambda source: f"labeled by {source}",
            tells=True,
            bound_to="cohort",
        )
    )
    uncertain: UncertainAs | None = _entry(
        Choice(
            word=Word(
                "uncertain",
                "uncertain",
                "a way to count uncertain labels, but this cohort has none",
                lambda choices: UNCERTAIN_AS if choices.facets.uncertain else (),
                title=lambda counted: f"as {counted}",
            ),
            title="Uncertain labels",
            says=lambda counted: f"uncertain labels as {counted}",
            tells=True,
            bound_to="cohort",
        )
    )
    view: str | None = _entry(
        film_filter(
            "view",
            "View",
            absent="a view that this cohort does not have",
            says=lambda view: "view not known" if view == "unknown" else f"{view} films",
            name=known,
            together={"frontal": ("PA", "AP")},
        )
    )
    sex: str | None = _entry(
        film_filter(
            "sex",
            "Sex",
            absent="a sex that this cohort does not have",
            says=lambda sex: PEOPLE.get(sex, sex),
            name=lambda sex: SEXES.get(sex, sex),
        )
    )
    age: AgeBand | None = _entry(
        film_filter(
            "age",
            "Age",
            absent="no known age band",
            says=lambda band: AGES.get(band, f"{band} years old"),
            name=known,
            column="age_band",
            sql=AGE_BAND_SQL,
            value_of=lambda case: age_band(case.age),
            every=AGE_BANDS,
        )
    )
    split: str | None = _entry(
        film_filter(
            "split",
            "Split",
            absent="a split that this cohort does not have",
            says=lambda split: split if split == NO_SPLIT else f"split {split}",
            column=PART,
            sql=f"coalesce(split::VARCHAR, '{NO_SPLIT}')",
            value_of=lambda case: case.split or NO_SPLIT,
            write=hidden_word("split"),
            bound_to="cohort",
        )
    )
    findings: FindingCount | None = _entry(
        film_filter(
            "findings",
            "Findings per film",
            absent="no known number of findings",
            says=lambda band: f"findings per film: {FINDINGS_PER_FILM[band]}",
            name=lambda band: FINDINGS_PER_FILM[band],
            column="findings_band",
            sql=FINDING_COUNT_SQL,
            value_of=findings_of,
            every=FINDING_COUNTS,
            tells=True,
        )
    )
    severity: SeverityBand | None = _entry(
        appearance_filter(
            "severity",
            "Severity",
            SEVERITY_TITLES,
            lambda band: "severity " + SEVERITY_TITLES[band].replace(": ", " (") + ")",
            column="severity_band",
            sql=SEVERITY_BAND_SQL,
            value_of=lambda appearance: severity_band(appearance.severity),
        )
    )
    side: Side | None = _entry(appearance_filter("side", "Side", SIDE_TITLES, ON_SIDES.__getitem__))
    size: SizeBand | None = _entry(
        appearance_filter(
            "size",
            "Size",
            SIZE_TITLES,
            lambda band: SIZE_TITLES[band].partition(": ")[2],
            column="size_band",
            sql=SIZE_BAND_SQL,
            value_of=lambda appearance: size_band(appearance.area),
        )
    )
    also_present: str | None = _entry(
        Choice(
            word=Word(
                "with",
                "also_present",
                "a finding, present on the same film, that this model has no score for",
                lambda choices: choices.facets.findings,
            ),
            title="Also present",
            demands=lambda finding, findings: film_has(finding),
            says=lambda finding: f"on films with {finding}",
            tells=True,
        )
    )
    low: float | None = _entry(ScoreRange())
    high: float | None = None
    against: str | None = _entry(OtherModel(relations=RELATION_WORDS))
    relation: Relation | None = None
    lasso: MapArea | None = _entry(LASSO)
    called: str | None = _entry(
        Choice(
            word=Word(
                "called",
                "called",
                "a finding, called on the same film, that this model has no score for",
                lambda choices: choices.facets.findings,
            ),
            title="Also called",
            demands=lambda finding, findings: film_calls(finding),
            says=lambda finding: f"where it called {finding}",
            tells=True,
            of_scores=True,
        )
    )
    marked: Marked | None = _entry(MARKED)

    @property
    def policy(self) -> Policy:
        """How uncertain labels count."""
        return POLICY_OF[self.uncertain]

    def __post_init__(self) -> None:
        """Convert names to values, such as `outcomes=("miss",)`. Raises WrongFilter for unknown names."""
        object.__setattr__(self, "outcomes", outcomes_named(self.outcomes))
        _check_kinds(self.marked, self.lasso)
        for name, values in _NAMED.items():
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, named(f"There is no {name} {str(value)!r}", value, values))


FILTERS: tuple[Filter, ...] = tuple(each.metadata["filter"] for each in fields(Filters) if each.metadata)
APPEARANCE_FILTERS = tuple(each for each in FILTERS if isinstance(each, AppearanceFilter))
FILM_FILTERS = tuple(each for each in FILTERS if isinstance(each, FilmFilter))
OF_FILMS: tuple[Filter, ...] = (*FILM_FILTERS, LASSO)  # a position on the map is not a column of films
OF_ANY_FILM: tuple[Filter, ...] = (*FILM_FILTERS, MARKED)  # independent of the model
WHICH_FINDING = tuple(each for each in FILTERS if each.key in ("group", "task", "finding"))
READ_AS = tuple(each for each in FILTERS if each.key == "uncertain")  # how labels are read; no pair is left out
LABEL_SOURCE = tuple(each for each in FILTERS if each.key == "labels")
LABELS_FROM = (*LABEL_SOURCE, *READ_AS)
