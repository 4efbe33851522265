"""A film of a cohort for notebooks: its picture, facts, models' scores, and masks of its findings."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from PIL import Image

from explorer.analysis.cases.case_facts import CaseFacts, score_margin
from explorer.cohorts.film_source import FilmSource, NoFilm, masks_of
from explorer.core.age_bands import age_band
from explorer.core.word_lists import and_list
from explorer.notebook import html
from explorer.notebook.frames import cohort_attrs, frame_of, public_patient, simulated_or_real
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest
    from explorer.simulator.packed_film import MaskByFinding
    from models.radiograph import Radiograph

SCORE_COLUMNS = ("model", "finding", "label", "score", "threshold", "margin", "outcome", "unit")
LABEL_COLUMNS = ("finding", "label", "source")
_WORST = 8  # findings shown beside the picture


@dataclass(frozen=True, eq=False, repr=False)
class Film:
    """A film, as `Cohort.film` returns it. Jupyter shows it with its worst findings; not for medical use."""

    cohort: Manifest
    known: CaseFacts
    source: FilmSource | None

    @property
    def case(self) -> str:
        """The case's name, as on the page."""
        return self.known.case.case

    @property
    def facts(self) -> dict[str, object]:
        """Case, its id on the page, cohort, center, view, sex, age band in years, pseudonymous patient id, films."""
        case = self.known.case
        return {
            "case": case.case,
            "id": case.id,
            "cohort": self.cohort.name,
            "center": case.center,
            "origin": self.known.chosen.origin,
            "view": case.view,
            "sex": case.sex,
            "age": age_band(case.age),
            "patient": public_patient(self.cohort.name, case.patient),
            "present": list(case.present),
            "films": simulated_or_real(self.cohort),
        }

    @cached_property
    def radiograph(self) -> Radiograph:
        """The film as models see it, see `models.radiograph`. Raises NoFilm, UnreadableRadiograph, QueueFull."""
        if self.source is None:
            root = self.known.case.root
            detail = (
                f"{self.cohort.name} holds only numbers; it has no picture of this case."
                if root is None
                else f"Name the folder of its films: Cohort({self.cohort.name!r}, images={{{root!r}: 'DIR'}})."
            )
            raise NoFilm("The film was not found", detail)
        return self.source.radiograph()

    @property
    def pixels(self) -> NDArray[np.float32]:
        """The picture (height, width) from 0, air, to 1, read-only. Raises as `radiograph`."""
        return self.radiograph.pixels

    @cached_property
    def masks(self) -> MaskByFinding:
        """The mask of each finding, bool (height, width); only simulated films have masks. Raises QueueFull."""
        return masks_of(self.cohort, self.source)

    @property
    def scores(self) -> pd.DataFrame:
        """One row per model and finding, worst first within each model; `unit` is that of the score.

        `margin` is score - threshold in that unit; called present if it is 0 or more.
        """
        rows = (
            (
                *(each.model.model, row.finding, row.label, row.score, row.threshold, score_margin(row)),
                row.outcome,
                unit,
            )
            for each in (self.known.chosen, *self.known.others)
            for unit in [each.model.unit]
            for row in each.rows
        )
        return frame_of(SCORE_COLUMNS, rows, cohort_attrs(self.cohort))

    @property
    def labels(self) -> pd.DataFrame:
        """One row per label with its source; a finding without a row is unknown, not absent."""
        rows = ((each.finding, each.label, each.source) for each in self.known.case.labels)
        return frame_of(LABEL_COLUMNS, rows, cohort_attrs(self.cohort))

    def __repr__(self) -> str:
        return f"{self._title}\n{self._line}\nNot for medical use."

    def _repr_png_(self) -> bytes | None:
        """The picture as an 8-bit PNG; None if it cannot be read."""
        try:
            pixels = self.pixels
        except Refusal:
            return None
        written = io.BytesIO()
        Image.fromarray(np.rint(255 * pixels).astype(np.uint8)).save(written, "PNG")
        return written.getvalue()

    def _repr_html_(self) -> str:
        """The picture with the worst findings of the model that the page shows first."""
        columns = ["finding", "label", "score", "threshold", "outcome"]
        rows = self.scores[self.scores["model"] == self.known.chosen.model.model][columns].head(_WORST)
        caption = f"{self.known.chosen.model.model}, the worst first; film.scores has all"
        return html.film_html(self._title, self._line, self._repr_png_(), html.table_html(rows, caption))

    @property
    def _title(self) -> str:
        return f"{self.case} of {self.cohort.name}, {simulated_or_real(self.cohort)} film"

    @property
    def _line(self) -> str:
        case = self.known.case
        who = f"Center {case.center}, view {case.view}, sex {case.sex}, age {age_band(case.age)}."
        return f"{who} Labeled present: {and_list(case.present) or 'nothing'}."
