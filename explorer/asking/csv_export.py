"""Exports all questions about a film as CSV, one line each, without file name or header text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from explorer.asking.answer import FilmAnswer
from explorer.asking.predicted import PredictedShare
from explorer.asking.question import template_lines
from explorer.core.csv_table import Cells, csv_text, film_id_cells, made_cells, notes_cells, rate_cells
from explorer.core.figures import Estimate
from explorer.reading.reader import Reading
from models.radiograph import Radiograph


def answers_csv(
    radiograph: Radiograph, reading: Reading, answer: Sequence[FilmAnswer], made: datetime | None = None
) -> str:
    """Return the answers in the order of the questions; each line repeats the film's facts. `made` is UTC, default now.

    Raises ValueError if there are no answers.
    """
    if not answer:
        raise ValueError("There are no questions to export.")
    facts = _facts(radiograph, reading, made or datetime.now(UTC))
    lines = [_cells(each) | facts for each in answer]
    return csv_text(list(lines[0]), lines)


def _cells(answer: FilmAnswer) -> Cells:
    taken, measured, beside, spread = answer.taken_for, answer.measured, answer.beside, answer.spread
    return {
        "question": answer.question.text,
        "scored_text": answer.scored,
        "verdict": answer.verdict,
        "said": answer.said,
        "why": answer.why,
        **_predicted(answer.predicted),
        "unlike_test_films": "yes" if answer.far else "no",
        "score": answer.score,
        "threshold_score": answer.threshold_score,
        "margin": answer.margin,
        "threshold_margin": answer.threshold,
        "threshold_rule": answer.threshold_rule,
        "validation_percentile": answer.percentile.value if answer.percentile else None,
        "validation_films": answer.percentile.n if answer.percentile else None,
        "scale": spread.unit,
        "place": spread.answer,
        "threshold_place": spread.threshold,
        "prompts_lowest_place": min(each.place for each in spread.prompts),
        "prompts_highest_place": max(each.place for each in spread.prompts),
        "prompts": len(spread.prompts),
        "prompts_above_threshold": spread.above,
        "prompts_against_answer": spread.against,
        "unstable": "yes" if spread.unstable else "no",
        "taken_for": taken.finding if taken else None,
        "similarity": taken.similarity if taken else None,
        "in_training_captions": {True: "yes", False: "no", None: None}[answer.in_captions],
        "warnings": " ".join(each.words for each in answer.warnings),
        **_estimate("auroc", measured.auroc if measured else None),
        **_estimate("average_precision", measured.average_precision if measured else None),
        **rate_cells("sensitivity", measured.sensitivity if measured else None),
        **rate_cells("specificity", measured.specificity if measured else None),
        "measured_films": measured.n if measured else None,
        "measured_positives": measured.positives if measured else None,
        "measured_on": measured.cohort if measured else None,
        "classifier": beside.model if beside else None,
        "classifier_score": beside.score if beside else None,
        "classifier_percentile": beside.percentile.value if beside and beside.percentile else None,
        "percentile_difference_points": beside.difference if beside else None,
        "classifier_has_same_tower": {True: "yes", False: "no", None: None}[beside.same_tower if beside else None],
        "templates": template_lines(answer.templates),
        "model": answer.model,
        "device": answer.device,
    }


def _predicted(predicted: PredictedShare | None) -> Cells:
    """Return the share of films on this side of the threshold that have the finding, and the assumed prevalence."""
    if predicted is None:
        values: tuple[float | str | None, ...] = (None,) * 5
    else:
        source = "typed" if predicted.typed else "labeled films"
        values = (predicted.share, predicted.low, predicted.high, predicted.prevalence, source)
    names = ("share_with_finding", "share_with_finding_95_low", "share_with_finding_95_high", "prevalence")
    return dict(zip((*names, "prevalence_of"), values, strict=True))


def _facts(radiograph: Radiograph, reading: Reading, made: datetime) -> Cells:
    return {
        "gate": "can be read" if reading.verdict.readable else "refused, asked anyway",
        "gate_reason": reading.verdict.reason,
        **film_id_cells(radiograph),
        **notes_cells(radiograph),
        **made_cells(made),
    }


def _estimate(name: str, estimate: Estimate | None) -> Cells:
    value, low, high = (estimate.value, estimate.low, estimate.high) if estimate else (None, None, None)
    return {name: value, f"{name}_95_low": low, f"{name}_95_high": high}
