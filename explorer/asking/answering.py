"""A question that is understood and a film that is embedded: the answer."""

from __future__ import annotations

from explorer.asking.answer import Asked, Beside, Mapped, Times
from explorer.asking.model import Heat
from explorer.asking.question_analysis import Heard, Ready
from explorer.asking.spread import score_of, spread_of
from explorer.asking.verdict import judged
from explorer.reading.map_worth import map_worth
from explorer.reading.percentiles import Percentile
from explorer.reading.reader import Reading
from models.array_types import Float32
from models.exact_products import row_products


def answered(
    ready: Ready,
    heard: Heard,
    reading: Reading,
    anyway: bool,
    seen: Float32,
    heat: Heat | str,
    times: Times,
    prevalence: float | None = None,
    *,
    far: bool = False,
) -> Asked:
    """The answer for a film with embedding `seen` (d,); `anyway`: a refusal of the gate was overruled.

    `heat` is the reason where there is no map; `prevalence` in (0, 1) is the visitor's; `far`: the film is unlike the
    test films.
    """
    model, films, cutoff = ready.model, heard.films, heard.cutoff
    margins = row_products(seen[None], heard.directions)[0]
    margin = float(margins[0])
    spread = spread_of(heard.prompts, margins, model.scale, cutoff.margin, films)
    percentile = None if films is None else Percentile(spread.answer, len(films))
    refused = "" if reading.verdict.readable or anyway else reading.verdict.reason
    found = judged(heard, refused, spread, prevalence, far=far)
    taken = heard.taken_for
    worth = map_worth(model.card.maps, taken.finding) if taken else None
    mapped = None if isinstance(heat, str) else Mapped(heat.map, heat.box, model.card.heat_maximum, worth)
    return Asked(
        question=heard.question,
        scored=heard.scored,
        templates=heard.question.templates or model.card.templates,
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
        nearest=heard.nearest,
        taken_for=taken,
        warnings=heard.warnings,
        in_captions=heard.in_captions,
        measured=heard.measured,
        beside=_beside(heard, reading, percentile, model.card.tower),
        heat=mapped,
        no_heat=heat if isinstance(heat, str) else "",
        embedding=seen,
        model=model.card.name,
        device=model.device,
        times=times,
    )


def _beside(heard: Heard, reading: Reading, percentile: Percentile | None, tower: str | None) -> Beside | None:
    """What the classifier says of the finding that the question is taken for; None where it does not look for it."""
    taken = heard.taken_for
    row = next((row for row in reading.rows if taken and row.finding == taken.finding), None)
    if row is None:
        return None
    difference = percentile.value - row.percentile.value if percentile and row.percentile else None
    name = reading.card.name
    return Beside(name, row.finding, row.score, row.threshold, row.percentile, difference, reading.card.tower == tower)
