"""How often flags of each verdict are correct: `python -m tests.benchmarks.verdicts`.

Out-of-fold scores of the films of nih-oof, and the test films of the phantom; a film's own flag is left out of the
count behind its verdict. Counted as Read does, and in two other ways for comparison.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import duckdb
import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

from explorer.cohorts.layout import CACHE
from explorer.core.rates import Rate
from explorer.metrics.calibration_curves import sigmoid
from explorer.reading.finding_list import FindingRow
from explorer.reading.flag_right import count_near
from explorer.reading.flag_verdict import HEADLINE_VERDICTS, VERDICT_ORDER, FlagRight, FlagVerdict, flag_verdict
from explorer.reading.out_of_fold import AscendingScores
from models.cards.card import Card
from models.cards.classifier_card import classifier_card as card_of
from tests.benchmarks.command_line import command, report

Count = Callable[[AscendingScores, AscendingScores, float, float], FlagRight]
MODELS = ("nih-ensemble", "nih-mini", "phantom")
PHANTOM = CACHE / "phantom"
ON_PHANTOM = f"""
    SELECT finding, list(score ORDER BY "case") AS scores, list(label = 'present' ORDER BY "case") AS labels
    FROM '{PHANTOM}/predictions/phantom/*.parquet' JOIN '{PHANTOM}/labels.parquet' USING ("case", finding)
    WHERE source = 'the simulator: exact' GROUP BY finding
"""


def films_of(card: Card) -> tuple[list[str], NDArray[np.float64], NDArray[np.bool_]]:
    """The findings, and scores and labels (films, findings)."""
    if card.cohort is None:
        findings, scores, labels = zip(*duckdb.execute(ON_PHANTOM).fetchall(), strict=True)
        return list(findings), np.transpose(scores), np.transpose(labels)
    with safe_open(card.local_file(card.cohort), "np") as file:
        findings = json.loads(file.metadata()["findings"])
        return findings, sigmoid(file.get_tensor("logits").astype(np.float64)), file.get_tensor("labels") > 0


def measured(model: str, count: Count) -> tuple[dict[FlagVerdict, Rate], Rate, Rate]:
    """By verdict how many flags are correct; of films with and without findings, how many have one in the headline."""
    card = card_of(model)
    findings, scores, labels = films_of(card)
    right: dict[FlagVerdict, list[bool]] = defaultdict(list)
    named = np.zeros(len(scores), bool)
    for k, finding in enumerate(findings):
        if finding == "Normal" or finding in card.cannot_judge:
            continue
        cut, band = card.operating_points[finding].threshold, card.bands.get(finding)
        for film, score in enumerate(scores[:, k]):
            if FindingRow(finding, score, cut, band=band).state != "above":
                continue
            others, truth = np.delete(scores[:, k], film), np.delete(labels[:, k], film)
            counted = count(np.sort(others), np.sort(others[truth]), cut, score)
            verdict = flag_verdict(counted, unreliable=finding in card.cautions)
            right[verdict].append(bool(labels[film, k]))
            named[film] |= verdict in HEADLINE_VERDICTS
    ill = labels[:, [k for k, finding in enumerate(findings) if finding != "Normal"]].any(axis=1)
    rates = {verdict: Rate(sum(right[verdict]), len(right[verdict])) for verdict in VERDICT_ORDER if right[verdict]}
    return rates, Rate(int(named[ill].sum()), int(ill.sum())), Rate(int(named[~ill].sum()), int((~ill).sum()))


def as_high(every: AscendingScores, having: AscendingScores, _threshold: float, score: float) -> FlagRight:
    """Of all films that score as high."""
    return FlagRight(Rate(int((having >= score).sum()), int((every >= score).sum())), "flagged")


def all_flagged(every: AscendingScores, having: AscendingScores, threshold: float, _score: float) -> FlagRight:
    """Of all flagged films, whatever their score."""
    return as_high(every, having, threshold, threshold)


COUNTS: dict[str, Count] = {"with the nearest scores": count_near, "as high": as_high, "flagged": all_flagged}


def lines(models: Sequence[str], counts: Sequence[str]) -> Iterator[str]:
    """Yield a line for each verdict, and one for the headlines."""
    for model, films in product(models, counts):
        rates, ill, free = measured(model, COUNTS[films])
        yield f"{model}, by the films {films}"
        yield from (f"  {verdict:14} correct {_words(rate)}" for verdict, rate in rates.items())
        yield f"  a finding in the headline of {_words(ill)} with findings, {_words(free)} without"


def main(words: Sequence[str] | None = None) -> int:
    """Print them."""
    asked = command(__doc__).parse_args(words)
    most = 1 if asked.small else None
    return report(lines(MODELS[:most], list(COUNTS)[:most]), asked)


def _words(rate: Rate) -> str:
    low, high = rate.interval or (0.0, 1.0)
    return f"{rate.hits} of {rate.n}: {100 * (rate.value or 0):.1f} % [{100 * low:.1f}-{100 * high:.1f}]"


if __name__ == "__main__":
    raise SystemExit(main())
