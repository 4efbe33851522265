"""A cohort for notebooks: `from explorer import Cohort`. The numbers equal the page's, from the same store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import get_args
from weakref import finalize

import pandas as pd

from explorer.analysis.cases.case_facts import collect_case_facts
from explorer.analysis.leaderboard.joint_scores import comparable_models
from explorer.cohorts import layout
from explorer.cohorts.images import Images
from explorer.cohorts.simulated_films import CachedFilms
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.word_lists import quantity, suggestion
from explorer.notebook import html
from explorer.notebook.film import Film
from explorer.notebook.frames import films_frame, findings_frame, models_frame, pairs_frame, simulated_or_real
from explorer.notebook.metrics import MetricsBy, metrics_frame
from explorer.settings import DEFAULT_CLASSIFIERS
from explorer.store.filter_words import WrongFilter
from explorer.store.names import NOT_SCORED, WrongName, cohort_named, models_named, usual_model
from explorer.store.where_words import slice_in


class Cohort:
    """A cohort with models' scores, shipped or your own. Everything is read-only; not for medical use.

    Select films by text, `where="center=B, view=AP"`, or by arguments, `center="B", view="AP"`. The filters are center,
    view, sex, age (a band, "40-59" years), findings (per film), labels (the source of labels), source (of the frequency
    groups), group, task, finding, outcome, severity, side, size, with (another finding that is present), low and high
    (of the score), against and relation (to another model), called, lasso and marked. `metrics` measures all findings
    on the films that have such a pair. For an unknown name, the error suggests the nearest one and lists all others.

    Every method raises a `models.refusal.Refusal` with an explanation: WrongName, WrongFilter, DamagedCohort,
    StoreError.
    """

    def __init__(
        self, name: str, home: str | Path | None = None, images: Mapping[str, str | Path] | None = None
    ) -> None:
        """`home`: where your own cohorts are, by default the same as for the page; `images`: folders of films by name.

        Raises WrongName, which lists the cohorts.
        """
        from explorer.store.store import Store  # imports DuckDB

        folders = partial(layout.cohort_folders, None if home is None else Path(home))
        self._store = Store(folders)
        finalize(self, self._store.close)
        self._manifest = cohort_named(self._store, name)
        given = {root: Path(folder) for root, folder in (images or {}).items()}
        self._images = Images(given, folders, CachedFilms(layout.SIMULATED_FILMS))

    @property
    def name(self) -> str:
        """The cohort's name."""
        return self._manifest.name

    @property
    def simulated(self) -> bool:
        """Whether its films are simulated rather than of patients."""
        return self._manifest.simulated

    @property
    def models(self) -> pd.DataFrame:
        """The models that have scored it.

        Columns: model, title, unit ("score" from 0 to 1, or "margin", a difference of cosines), findings, films (both
        counts), and origin, how these films relate to the training films.
        """
        return models_frame(self._manifest, self._store.models(self.name))

    @property
    def findings(self) -> pd.DataFrame:
        """The findings that its first model scores.

        Columns: finding, group (of CXR-LT 2026, or by these labels if it has few of the findings), films (scored),
        positives (labeled present) and negatives (labeled absent). Unknown and uncertain labels count in neither.
        """
        first = slice_in(self._store, self.name, self._model(None), "", {})
        return findings_frame(self._store, self._manifest, first)

    @property
    def films(self) -> pd.DataFrame:
        """Its films: case, center, view, sex, age (a band in years), patient (a pseudonymous id), present."""
        return films_frame(self._store, self._manifest)

    def predictions(self, model: str | None = None, where: str = "", **words: object) -> pd.DataFrame:
        """One row per film and finding, worst first, as in Explore; by default for the first model.

        In addition to the columns of `films`: finding, group, label ("present", "absent", "uncertain", "unknown"),
        score and threshold in the model's unit, margin (score - threshold; called present if it is 0 or more), and
        outcome ("miss", "false alarm", "hit", "correct rejection"; missing if label or threshold is unknown). `attrs`
        describes the selection. Raises TooManyRows.
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
        by: MetricsBy = "group",
        where: str = "",
        *,
        intervals: bool = True,
        natural: bool = False,
        **words: object,
    ) -> pd.DataFrame:
        """One row per model, metric and group, center or finding: value, low and high (95 %), n and n_positive.

        By group and center, the figures are Evaluate's: mAP, mAUROC, mF1, ECE, precision and recall, from 0 to 1, on
        the films that all of the models scored (by default the models that Evaluate compares first), with the
        difference to the first model, p adjusted over the rows, and how often each model ranks first. n counts films
        with a known label in the group, n_positive those with any of its findings, n_positive_least those of its rarest
        finding. By finding, they are Explore's: sensitivity, specificity, AP and AUROC on each model's own films.
        Undefined values are missing, never 0. Intervals take some seconds per model; without them the values are
        returned at once. `natural` weights films to natural prevalence. Raises NoComparison.
        """
        if by not in get_args(MetricsBy):
            raise WrongFilter(f"There is no table by {by!r}", suggestion(str(by), get_args(MetricsBy)))
        if natural and by == "finding":
            raise WrongFilter("natural does not apply to by='finding'", "Leave it out, or use by='group' or 'center'.")
        first = self._model(None)
        named = (models,) if isinstance(models, str) else models
        chosen = comparable_models(self._store, self.name, first) if named is None else tuple(named)
        if not chosen:
            raise WrongName("No model is named", suggestion("", self.models["model"]))
        chosen = tuple(each.model for each in models_named(self._store, self.name, chosen))
        films = slice_in(self._store, self.name, chosen[0], where, words)
        return metrics_frame(self._store, self._manifest, films, chosen, by, intervals=intervals, natural=natural)

    def film(self, case: str) -> Film:
        """Return a film by its case, as in `films`, or by the id in an address of the page."""
        name = self._store.case_named(self.name, case) or case
        found = self._store.case(self.name, name)
        if found is None:
            raise WrongName(f"{self.name} has no case {case!r}", "`films` lists all cases.")
        model = self._model(None)
        everything = slice_in(self._store, self.name, model, "", {})
        groups = self._store.groups(self.name, model, everything.source)
        facts = collect_case_facts(found, self._store.models(self.name), everything, groups)
        return Film(self._manifest, facts, self._images.film(found.root, found.file))

    def __repr__(self) -> str:
        return f"{self._title}\n{self._line} {NOT_FOR_MEDICAL_USE}."

    def _repr_html_(self) -> str:
        return html.heading_html(self._title, self._line) + html.table_html(self.models, "cohort.models")

    @property
    def _title(self) -> str:
        return f"Cohort {self.name}"

    @property
    def _line(self) -> str:
        films = quantity(self._manifest.cases, f"{simulated_or_real(self._manifest)} film")
        return f"{films}, scored by {quantity(len(self._store.models(self.name)), 'model')}."

    def _model(self, name: str | None) -> str:
        """Return the model of this name, or the one that the page shows first. Raises WrongName."""
        if name is not None:
            return models_named(self._store, self.name, (name,))[0].model
        models = self._store.models(self.name)
        if not models:
            raise WrongName(f"No model has scored {self.name} yet", NOT_SCORED)
        return usual_model(models, DEFAULT_CLASSIFIERS).model
