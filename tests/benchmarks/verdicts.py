"""How often flags of each verdict are right: `python -m tests.benchmarks.verdicts`.

Out-of-fold scores of the films of nih-oof; a film's own flag is left out of the count behind its verdict.
"""

from __future__ import annotations

import json
from collections import defaultdict

import numpy as np
from safetensors import safe_open

from explorer.core.rates import Rate
from explorer.metrics.calibration_curves import sigmoid
from explorer.reading.finding_list import FindingRow
from explorer.reading.flag_verdict import FEWEST, IN_HEADLINE, ORDER, FlagRight, FlagVerdict, flag_verdict
from models.cards.classifier_card import card as card_of

MODELS = ("nih-ensemble", "nih-mini")


def measured(model: str) -> tuple[dict[FlagVerdict, Rate], Rate, Rate]:
    """By verdict how many flags are right; of films with and without findings, how many have one in the headline."""
    card = card_of(model)
    with safe_open(card.local_file(str(card.cohort)), "np") as file:
        findings = json.loads(file.metadata()["findings"])
        scores, labels = sigmoid(file.get_tensor("logits").astype(np.float64)), file.get_tensor("labels") > 0
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
            if (others >= score).sum() < FEWEST <= (others >= cut).sum():
                score = np.sort(others)[-FEWEST]
            high = others >= score
            counted = FlagRight(Rate(int(truth[high].sum()), int(high.sum())), "scoring this high")
            verdict = flag_verdict(counted, unreliable=finding in card.cautions)
            right[verdict].append(bool(labels[film, k]))
            named[film] |= verdict in IN_HEADLINE
    ill = labels[:, [k for k, finding in enumerate(findings) if finding != "Normal"]].any(axis=1)
    rates = {verdict: Rate(sum(right[verdict]), len(right[verdict])) for verdict in ORDER if right[verdict]}
    return rates, Rate(int(named[ill].sum()), int(ill.sum())), Rate(int(named[~ill].sum()), int((~ill).sum()))


def main() -> None:
    """Print them."""
    for model in MODELS:
        rates, ill, free = measured(model)
        for verdict, rate in rates.items():
            print(f"{model}: {verdict:14} right {_words(rate)}")
        print(f"{model}: a finding in the headline of {_words(ill)} with findings, {_words(free)} without")


def _words(rate: Rate) -> str:
    low, high = rate.interval or (0.0, 1.0)
    return f"{rate.hits} of {rate.n}: {100 * (rate.value or 0):.1f} % [{100 * low:.1f}-{100 * high:.1f}]"


if __name__ == "__main__":
    main()
