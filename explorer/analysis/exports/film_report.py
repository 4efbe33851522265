"""Exports a model's reading of a film as CSV for spreadsheets and pandas, or as JSON for programs.

File name and header text are left out because they may hold a patient's name. The film's SHA-256 identifies it only
to someone who has the file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from explorer.analysis.cases.cohort_context import CohortContext
from explorer.analysis.cases.cohort_context_json import cohort_payload, error_rates, training_payload
from explorer.core.csv_table import (
    NOT_FOR_MEDICAL_USE,
    Cells,
    csv_text,
    film_id_cells,
    films_word,
    iso,
    made_cells,
    notes_cells,
    rate_cells,
)
from explorer.core.in_sample import origin_words
from explorer.core.version import version
from explorer.reading.finding_json import finding_free_payload, row_payload
from explorer.reading.finding_list import FindingRow, not_looked_for
from explorer.reading.stability import FilmStability, FindingStability, finding_stability
from explorer.reading.stability_json import stability_answer
from explorer.reading.study import StudyReading
from explorer.reading.study_json import study_scores
from models.cards.card import Card
from models.radiograph import Radiograph

STATE_WORDS = {
    "above": "above threshold",
    "unsure": "unsure",
    "below": "below threshold",
    "cannot judge": "this model cannot judge it",
    None: "no threshold",
}


class ReportedVerdict(Protocol):
    """Whether the model may read the film, and why; `models.gate.judgment.Verdict` is one."""

    @property
    def readable(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    @property
    def cautions(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True, eq=False)
class FilmReport:
    """Contents of an export: a model's reading of a film, the gate's verdict, and the model's error rates in a cohort.

    `join` is None without a comparable cohort, `study` unless the film is shown as part of a study, `stability` of this
    film alone unless it was asked for.
    """

    card: Card
    device: str
    radiograph: Radiograph
    rows: tuple[FindingRow, ...]
    verdict: ReportedVerdict
    made: datetime  # UTC
    join: CohortContext | None
    study: StudyReading | None = None
    stability: FilmStability | None = None

    @property
    def gate(self) -> str:
        """The gate's decision. A refused film has rows only if the visitor chose to read it anyway."""
        return "can be read" if self.verdict.readable else "refused, read anyway"


def film_report(
    card: Card,
    device: str,
    radiograph: Radiograph,
    rows: tuple[FindingRow, ...],
    verdict: ReportedVerdict,
    join: CohortContext | None = None,
) -> FilmReport:
    """Return a report dated now."""
    return FilmReport(card, device, radiograph, rows, verdict, datetime.now(UTC).replace(microsecond=0), join)


def report_csv(record: FilmReport) -> str:
    """Return one line per finding, including those not looked for; each line repeats the facts about film and model.

    Column names carry units. No text starts a formula in a spreadsheet.
    """
    facts, study = _facts(record), record.study
    stable = finding_stability(record.stability, record.rows) if record.stability else ()
    stability = {each.finding: _stability_cells(each) for each in stable}
    lines = [
        _finding_cells(row)
        | stability.get(row.finding, {})
        | _study_cells(study, row.finding)
        | _error_cells(record.join, row.finding)
        | facts
        for row in record.rows
    ]
    for name in not_looked_for(record.card):
        lines.append({"finding": name, "state": "not looked for", **facts})
    own = [*FINDING_COLUMNS, *next(iter(stability.values()), {})]
    return csv_text([*own, *_study_cells(study, ""), *_error_cells(None, ""), *facts], lines)


def report_json(record: FilmReport) -> str:
    """Return the report as a JSON object; its `findings` equal those of `/read`."""
    card, film = record.card, record.radiograph
    answer = {
        "use": NOT_FOR_MEDICAL_USE,
        "gate": {
            "readable": record.verdict.readable,
            "reason": record.verdict.reason,
            "cautions": list(record.verdict.cautions),
            "read_anyway": not record.verdict.readable,
        },
        "findings": [row_payload(row) for row in record.rows],
        "not_looked_for": list(not_looked_for(card)),
        "finding_free": finding_free_payload(card.finding_free),
        "cohort": cohort_payload(record.join) if record.join else None,
        "training_film": training_payload(record.join),
        "study": study_scores(record.study) if record.study else None,
        "stability": stability_answer(record.stability, record.rows) if record.stability else None,
        "film": {
            "sha256": film.sha256,
            "stored_size_px": list(film.original_size),
            "view": film.view,
            "sides": film.sides,
            "films": films_word(film),
            "spacing_mm": list(film.spacing_mm) if film.spacing_mm else None,
            "spacing_at": film.spacing_at,
            "notes": list(film.notes),
        },
        "model": {"name": card.name, "title": card.title, "sha256": card.sha256[:12], "device": record.device},
        "tailscope_version": version(),
        "made_utc": iso(record.made),
    }
    return json.dumps(answer, indent=2, allow_nan=False) + "\n"


def _facts(record: FilmReport) -> Cells:
    card, film = record.card, record.radiograph
    row_mm, column_mm = film.spacing_mm or (None, None)
    return {
        "gate": record.gate,
        "gate_reason": record.verdict.reason,
        "gate_cautions": " ".join(record.verdict.cautions),
        **film_id_cells(film),
        "film_sides": film.sides,
        "film_row_spacing_mm": row_mm,
        "film_column_spacing_mm": column_mm,
        "film_spacing_at": film.spacing_at,
        **notes_cells(film),
        "model": card.name,
        "model_title": card.title,
        "model_sha256_start": card.sha256[:12],
        "device": record.device,
        **made_cells(record.made),
    }


def _finding_cells(row: FindingRow) -> Cells:
    return {
        "finding": row.finding,
        "state": STATE_WORDS[row.state],
        "verdict": row.verdict,
        **rate_cells("flag_right", row.right.rate if row.verdict and row.right else None),
        "score": row.score,
        "threshold": row.threshold,
        "margin": row.margin,
        "unsure_from": row.band.low if row.band else None,
        "unsure_to": row.band.high if row.band else None,
        **rate_cells("sensitivity", row.sensitivity),
        **rate_cells("specificity", row.specificity),
        "training_positives": row.positives,
        "threshold_rule": row.rule,
        "frequency_group": row.group.group.value if row.group else None,
        "frequency_group_source": row.group.source if row.group else None,
        "cohort_percentile": row.percentile.value if row.percentile else None,
        "cohort_films": row.percentile.n if row.percentile else None,
        "warning": row.warning,
        **rate_cells("map_found", row.map_worth.found if row.map_worth else None),
        **rate_cells("map_usual_place", row.map_worth.usual if row.map_worth else None),
        "map_measured": row.map_worth.measured if row.map_worth else None,
        "relations": row.relation_words or None,
    }


def _stability_cells(stability: FindingStability) -> Cells:
    """Return a finding's scores after small changes of this film."""
    return {
        "stability_from": stability.low,
        "stability_to": stability.high,
        "small_changes": stability.changes,
        "small_changes_above": stability.above,
        "call_stable": None if stability.stable is None else str(stability.stable).lower(),
    }


def _study_cells(study: StudyReading | None, finding: str) -> Cells:
    """Return the study's score of a finding; no columns for a film on its own."""
    if study is None:
        return {}
    row = next((each.row for each in study.rows if each.row.finding == finding), None)
    return {
        "study_score": row.score if row else None,
        "study_state": STATE_WORDS[row.state] if row else None,
        "study_rule": study.rule,
        "study_films": len(study.parts),
        "study_films_read": study.films_read,
    }


def _error_cells(join: CohortContext | None, finding: str) -> Cells:
    """Return cells for the cohort, the model's error rates there, and whether the model was trained on this film."""
    missed, called = error_rates(join, finding)
    training = join.training if join else None
    return {
        "compared_with": join.cohort.name if join else None,
        "compared_with_version": join.cohort.version if join else None,
        "compared_with_origins": origin_words(join.model.origins) if join else None,
        "compared_with_far": str(join.far).lower() if join else None,
        **rate_cells("missed_there", missed),
        **rate_cells("falsely_called_there", called),
        "training_film": training.words(finding) if training else None,
        "unseen_score": training.unseen.get(finding) if training else None,
    }


FINDING_COLUMNS = tuple(_finding_cells(FindingRow("", 0.0)))  # of a finding, in file order
