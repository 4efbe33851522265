"""Combines an analyzed question and an embedded film into an answer."""

from __future__ import annotations

from explorer.asking.answer import AnswerTimes, ClassifierScore, FilmAnswer, MarginMap
from explorer.asking.model import Heat
from explorer.asking.question_analysis import AnalyzedQuestion, PreparedModel
from explorer.asking.spread import prompt_spread, score_of
from explorer.asking.verdict import judge_answer
from explorer.reading.map_worth import map_accuracy
from explorer.reading.percentiles import Percentile
from explorer.reading.reader import Reading
from models.array_types import Float32
from models.exact_products import row_products


def answer_question(
    ready: PreparedModel,
    analysis: AnalyzedQuestion,
    reading: Reading,
    anyway: bool,
    seen: Float32,
    heat: Heat | str,
    times: AnswerTimes,
    prevalence: float | None = None,
    *,
    far: bool = False,
) -> FilmAnswer:
    """Answer the question for a film with embedding `seen` (d,); `anyway`: the gate's refusal was overridden.

    `heat` is a map, or the reason why there is none; `prevalence` in (0, 1) was entered by the visitor; `far`: the film
    is unlike the test films.
    """
    model, films, cutoff = ready.model, analysis.films, analysis.cutoff
    margins = row_products(seen[None], analysis.directions)[0]
    margin = float(margins[0])
    spread = prompt_spread(analysis.prompts, margins, model.scale, cutoff.margin, films)
    percentile = None if films is None else Percentile(spread.answer, len(films))
    refused = "" if reading.verdict.readable or anyway else reading.verdict.reason
    found = judge_answer(analysis, refused, spread, prevalence, far=far)
    taken = analysis.taken_for
    worth = map_accuracy(model.card.maps, taken.finding) if taken else None
    mapped = None if isinstance(heat, str) else MarginMap(heat.map, heat.box, model.card.heat_maximum, worth)
    return FilmAnswer(
        question=analysis.question,
        scored=analysis.scored,
        templates=analysis.question.templates or model.card.templates,
        verdict=found.verdict,
        said=found.said,
        why=found.why,
        predicted=found.predicted,
        far=far,
        margin=margin,
        score=float(score_of(margin, model.scale)),
        threshold=cutoff.margin,
        threshold_score=float(score_of(cutoff.margin, model.scale)),
        threshold_rule=cutoff.rule,
        fitted=cutoff.fitted,
        spread=spread,
        percentile=percentile,
        nearest=analysis.nearest,
        taken_for=taken,
        warnings=analysis.warnings,
        in_captions=analysis.in_captions,
        measured=analysis.measured,
        beside=_classifier_score(analysis, reading, percentile, model.card.tower),
        heat=mapped,
        no_heat=heat if isinstance(heat, str) else "",
        embedding=seen,
        model=model.card.name,
        device=model.device,
        times=times,
    )


def _classifier_score(
    analysis: AnalyzedQuestion, reading: Reading, percentile: Percentile | None, tower: str | None
) -> ClassifierScore | None:
    """Return the classifier's score of the matching finding; None if the classifier does not score it."""
    taken = analysis.taken_for
    row = next((row for row in reading.rows if taken and row.finding == taken.finding), None)
    if row is None:
        return None
    difference = percentile.value - row.percentile.value if percentile and row.percentile else None
    name = reading.card.name
    return ClassifierScore(
        name, row.finding, row.score, row.threshold, row.percentile, difference, reading.card.tower == tower
    )
