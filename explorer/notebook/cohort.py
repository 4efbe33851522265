"""A cohort for notebooks: `from explorer import Cohort`. The numbers are the page's, which asks the same store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import get_args
from weakref import finalize

import pandas as pd

from explorer.analysis.cases.case_facts import facts_of
from explorer.analysis.leaderboard.joint_scores import classifiers
from explorer.cohorts import layout
from explorer.cohorts.images import Images
from explorer.cohorts.simulated_films import KeptFilms
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.word_lists import quantity, suggestion
from explorer.notebook import html
from explorer.notebook.film import Film
from explorer.notebook.frames import films_frame, films_word, findings_frame, models_frame, pairs_frame
from explorer.notebook.metrics import By, metrics_frame
from explorer.settings import READS
from explorer.store.filter_words import WrongFilter
from explorer.store.names import NOT_SCORED, WrongName, cohort_named, models_named, usual_model
from explorer.store.where_words import slice_in


class Cohort:
    """A cohort that models have scored, shipped or your own. Everything is read-only; not for medical use.

    Films are chosen by words, `where="center=B, view=AP"`, or the same as arguments, `center="B", view="AP"`. There are
    center, view, sex, age (a band, "40-59" years), findings (per film), labels (whose labels count), source (of the
    frequency groups), group, task, finding, outcome, severity, side, size, with (a finding that is also present), low
    and high (of the score), against and relation (to another model), called, lasso and marked. `metrics` measures all
    findings on the films that have such a pair. A name that is not there is refused with the nearest and all others.

    Every method raises a `models.refusal.Refusal` in words: WrongName, WrongFilter, DamagedCohort, StoreError.
    """

    def __init__(
        self, name: str, home: str | Path | None = None, images: Mapping[str, str | Path] | None = None
    ) -> None:
        """`home`: where your own cohorts are, by default as for the page; `images`: folders of films by name.

        Raises WrongName with the names that there are.
        """
        from explorer.store.store import Store  # which brings DuckDB

        folders = partial(layout.folders, None if home is None else Path(home))
        self._store = Store(folders)
        finalize(self, self._store.close)
        self._manifest = cohort_named(self._store, name)
        given = {root: Path(folder) for root, folder in (images or {}).items()}
        self._images = Images(given, folders, KeptFilms(layout.SIMULATED))

    @property
    def name(self) -> str:
        """What the cohort is called."""
        return self._manifest.name

    @property
    def simulated(self) -> bool:
        """Whether its films are a simulator's, and no patient's."""
        return self._manifest.simulated

    @property
    def models(self) -> pd.DataFrame:
        """The models that have scored it: model, title, unit ("score" from 0 to 1, or "margin", a difference of
        cosines), findings, films (both counts) and origin, how its training and these films are related.
        """
        return models_frame(self._manifest, self._store.models(self.name))

    @property
    def findings(self) -> pd.DataFrame:
        """The findings that its first model scores: finding, group (of CXR-LT 2026; by these labels where that has few
        of the findings), and the films scored (films), labeled present (positives) and absent (negatives). Unknown and
        uncertain labels are in neither.
        """
        first = slice_in(self._store, self.name, self._model(None), "", {})
        return findings_frame(self._store, self._manifest, first)

    @property
    def films(self) -> pd.DataFrame:
        """Its films: case, center, view, sex, age (a band in years), patient (an id that tells no name), present."""
        return films_frame(self._store, self._manifest)

    def predictions(self, model: str | None = None, where: str = "", **words: object) -> pd.DataFrame:
        """A row for each film and finding, the worst first, as in Explore; without a model those of the first one.

        Beside the columns of `films`: finding, group, label ("present", "absent", "uncertain", "unknown"), score and
        threshold in the model's unit, margin (score - threshold; called present where it is 0 or more), and outcome
        ("miss", "false alarm", "hit", "correct rejection"; missing where label or threshold is not known). `attrs` says
        what the frame was made of. Raises TooManyRows.
        """
        return pairs_frame(self._store, slice_in(self._store, self.name, self._model(model), where, words))

    def misses(self, model: str | None = None, where: str = "", **words: object) -> pd.DataFrame:
        """The rows of `predictions` that are labeled present and not called, farthest below the threshold first."""
        if "outcome" in words:
            raise WrongFilter("Misses have one outcome", f"For others: predictions(outcome={words['outcome']!r}).")
        return self.predictions(model, where, **words, outcome="miss")

    def metrics(
        self,
        models: str | Sequence[str] | None = None,
        by: By = "group",
        where: str = "",
        *,
        intervals: bool = True,
        natural: bool = False,
        **words: object,
    ) -> pd.DataFrame:
        """A row for each model, metric and group, center or finding: value, low and high (95 %), n and n_positive.

        By group and center they are Evaluate's: mAP, mAUROC, mF1, ECE, precision and recall, from 0 to 1, on the films
        that all of the models scored (without models: those that Evaluate compares at first), with the difference to
        the first one named, p adjusted over the rows and how often each is first. n counts films with a known label of
        the group, n_positive those with any of its findings, n_positive_least those of its rarest finding. By finding
        they are Explore's: sensitivity, specificity, AP and AUROC on the films of each model. Undefined is missing,
        never 0. Intervals take some seconds a model: without them points are there at once. `natural`: each film counts
        as often as nature has it. Raises NoComparison.
        """
        if by not in get_args(By):
            raise WrongFilter(f"There is no table by {by!r}", suggestion(str(by), get_args(By)))
        if natural and by == "finding":
            raise WrongFilter("By finding each film counts once", "Leave natural out, or ask by group or center.")
        first = self._model(None)
        named = (models,) if isinstance(models, str) else models
        chosen = classifiers(self._store, self.name, first) if named is None else tuple(named)
        if not chosen:
            raise WrongName("No model is named", suggestion("", self.models["model"]))
        models_named(self._store, self.name, chosen)
        films = slice_in(self._store, self.name, chosen[0], where, words)
        return metrics_frame(self._store, self._manifest, films, chosen, by, intervals=intervals, natural=natural)

    def film(self, case: str) -> Film:
        """One film by its case, as `films` names it, or by the id that an address of the page has."""
        name = self._store.case_named(self.name, case) or case
        found = self._store.case(self.name, name)
        if found is None:
            raise WrongName(f"{self.name} has no case {case!r}", "`films` lists the cases that there are.")
        model = self._model(None)
        asked = slice_in(self._store, self.name, model, "", {})
        groups = self._store.groups(self.name, model, asked.source)
        facts = facts_of(found, self._store.models(self.name), asked, groups)
        return Film(self._manifest, facts, self._images.film(found.root, found.file))

    def __repr__(self) -> str:
        return f"{self._title}\n{self._line} {NOT_FOR_MEDICAL_USE}."

    def _repr_html_(self) -> str:
        return html.heading(self._title, self._line) + html.table(self.models, "cohort.models")

    @property
    def _title(self) -> str:
        return f"Cohort {self.name}"

    @property
    def _line(self) -> str:
        films = quantity(self._manifest.cases, f"{films_word(self._manifest)} film")
        return f"{films}, scored by {quantity(len(self._store.models(self.name)), 'model')}."

    def _model(self, name: str | None) -> str:
        """The model of this name, or the one that the page shows first. Raises WrongName."""
        if name is not None:
            return models_named(self._store, self.name, (name,))[0].model
        there = self._store.models(self.name)
        if not there:
            raise WrongName(f"No model has scored {self.name} yet", NOT_SCORED)
        return usual_model(there, READS).model
