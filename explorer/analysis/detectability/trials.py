"""Reads a model's scores of films with inserted findings: one trial for each finding, place and severity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import NoComparison, compared_films
from explorer.analysis.robustness.not_scored import OUT_OF_FOLD, time_words
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.inserted_scores import inserted_models, read_inserted
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import ModelManifest, read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.unlisted import public_name
from explorer.core.arrays import Floats
from explorer.core.word_lists import quantity
from explorer.simulator.address import parse_film_address
from explorer.simulator.patient import describe
from explorer.store.prepared.scores import read_cuts
from explorer.store.slices import Slice
from models.array_types import Bools

if TYPE_CHECKING:
    from explorer.store.store import Store

SECONDS_PER_FILM = 5.0  # of one core: a film with about 125 inserted findings, and a small network
USUAL_FILMS = 150
_SLENDER, _OBESE = -0.5, 1.0  # habitus; 0 is average
_DECIMALS = 3
_BY_TRIAL = ("film", "finding", "side", "zone", "point", "severity", "score", "without")  # of Trials


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """A model's trials (n,): each is a finding put into a film, with its score and that of the film without it.

    `films` are case names, `patients` their patients' numbers, and `facts` what is known of each film, by property.
    `thresholds` are by finding.
    """

    model: str
    split: str  # how the films relate to the model's training films
    films: tuple[str, ...]
    patients: NDArray[np.int64]  # (films,)
    facts: Mapping[str, NDArray[np.object_]]  # (films,)
    findings: tuple[str, ...]
    thresholds: Floats  # (findings,)
    film: NDArray[np.int64]  # (n,)
    finding: NDArray[np.int64]  # (n,)
    side: NDArray[np.object_]  # (n,) str
    zone: NDArray[np.object_]  # (n,) str, empty for a finding along the lung
    point: Floats  # (n, 2) column and row as shares of the film, NaN for a finding along the lung
    severity: Floats  # (n,)
    score: Floats  # (n,)
    without: Floats  # (n,)

    @property
    def flagged(self) -> Bools:
        """Whether each finding is flagged (n,)."""
        return self.score >= self.thresholds[self.finding]

    @property
    def flagged_without(self) -> Bools:
        """Whether the finding is flagged on the film without it (n,)."""
        return self.without >= self.thresholds[self.finding]

    def of(self, rows: Bools | NDArray[np.intp]) -> Self:
        """Restrict to these trials."""
        return replace(self, **{name: getattr(self, name)[rows] for name in _BY_TRIAL})

    def about(self, finding: str, severity: float | None = None) -> Self:
        """Restrict to a finding, and to a severity if one is given."""
        rows = self.finding == self.findings.index(finding)
        return self.of(rows if severity is None else rows & np.isclose(self.severity, severity))

    def severities(self, finding: str) -> tuple[float, ...]:
        """Return the severities of a finding, lowest first."""
        return tuple(np.unique(self.about(finding).severity).tolist())


def models_with_trials(folder: Folder) -> tuple[str, ...]:
    """Return the models that scored films of a cohort with inserted findings."""
    return tuple(inserted_models(folder))


def read_trials(store: Store, chosen: Slice, model: str) -> Trials:
    """Return a model's trials on the films of a slice. Raises NoComparison without any, and the store's errors."""
    folder = store.folder(chosen.cohort)
    there = inserted_models(folder)
    if model not in there:
        raise not_inserted(chosen.cohort, store.model(chosen.cohort, model))
    compared = compared_films(store, chosen, (model,))
    every = read_table(folder.cases, ["case", "center", "view", "sex", "root", "file"]).sort_by("case")
    inside = every.take(compared.films)
    patients = dict(zip(inside["case"].to_pylist(), compared.patients.tolist(), strict=True))
    table = read_inserted(there[model], model, list(patients))
    if not len(table):
        raise NoComparison("No film of this slice has inserted findings", "Remove a filter, or score more films.")
    cuts = {cut.finding: cut.threshold for cut in read_cuts(there[model], model)}
    about = read_model_manifest(there[model].model(model))
    return _trials(about, table, patients, cuts, inside)


def in_common(first: Trials, second: Trials) -> tuple[Trials, Trials]:
    """Return the trials that both models scored, in the same order. Raises NoComparison if there are none."""
    places = {key: place for place, key in enumerate(_keys(second))}
    pairs = [(place, places[key]) for place, key in enumerate(_keys(first)) if key in places]
    if not pairs:
        raise NoComparison(
            f"{first.model} and {second.model} share no inserted finding",
            "They scored other films, or look for other findings. Choose another model.",
        )
    own, others = (np.array(each, np.intp) for each in zip(*pairs, strict=True))
    return first.of(own), second.of(others)


def not_inserted(cohort: str, model: ModelManifest) -> NoComparison:
    """Return the refusal for a model without trials: which command makes them, and how long it takes."""
    name = public_name(cohort)
    in_sample = " The network has seen these films, so such scores are in-sample." * model.split.startswith(OUT_OF_FOLD)
    return NoComparison(
        f"{model.model} has not scored films of {name} with inserted findings",
        f"Run `python -m explorer score --cohort {name} --model {model.model} --insert`. It puts about 125 simulated "
        f"findings into each of {quantity(USUAL_FILMS, 'film')} without any, about "
        f"{time_words(USUAL_FILMS * SECONDS_PER_FILM)} for a small network on one core, and goes on where it stopped."
        f"{in_sample}",
    )


def _trials(
    about: ModelManifest, table: pa.Table, patients: Mapping[str, int], cuts: Mapping[str, float], inside: pa.Table
) -> Trials:
    columns = table.to_pydict()
    films, findings = (tuple(dict.fromkeys(columns[name])) for name in ("case", "finding"))
    numbers = {case: place for place, case in enumerate(films)}
    places = {finding: place for place, finding in enumerate(findings)}
    point = np.array([columns["column"], columns["row"]], np.float64).T
    return Trials(
        model=about.model,
        split=about.split,
        films=films,
        patients=np.array([patients[case] for case in films]),
        facts=_facts(inside, films),
        findings=findings,
        thresholds=np.array([cuts.get(finding, np.inf) for finding in findings]),
        film=np.array([numbers[case] for case in columns["case"]]),
        finding=np.array([places[finding] for finding in columns["finding"]]),
        side=np.array(columns["side"], object),
        zone=np.array([zone or "" for zone in columns["zone"]], object),
        point=point.round(_DECIMALS),
        severity=np.array(columns["severity"], np.float64).round(_DECIMALS),
        score=np.array(columns["score"], np.float64),
        without=np.array(columns["without"], np.float64),
    )


def _facts(inside: pa.Table, films: Sequence[str]) -> dict[str, NDArray[np.object_]]:
    """Return the films' center, view and sex, and the habitus of simulated patients."""
    rows = {row["case"]: row for row in inside.to_pylist()}
    found = {name: np.array([rows[case][name] for case in films], object) for name in ("center", "view", "sex")}
    if all(rows[case]["root"] == PHANTOM for case in films):
        found["habitus"] = np.array([_habitus(rows[case]["file"]) for case in films], object)
    return found


def _habitus(address: str) -> str:
    film = parse_film_address(address)
    habitus = describe(film.seed, film.center, film.drawing).habitus
    return "slender" if habitus < _SLENDER else "obese" if habitus > _OBESE else "average"


def _keys(trials: Trials) -> list[tuple[object, ...]]:
    """Return what makes two models' trials the same."""
    points = np.nan_to_num(trials.point, nan=-1).tolist()
    films = (trials.films[film] for film in trials.film.tolist())
    findings = (trials.findings[finding] for finding in trials.finding.tolist())
    return list(zip(films, findings, trials.side.tolist(), map(tuple, points), trials.severity.tolist(), strict=True))
