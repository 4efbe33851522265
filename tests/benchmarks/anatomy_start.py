"""Are the outline network's features a start for real films? `python -m tests.benchmarks.anatomy_start` prints AUROC.

A linear layer is fitted to frozen features of 1,650 NIH films, those that `nih-anatomy-probe` ships, in its five folds:
features taught by masks of findings on 20,000 simulated films, features taught by outlines, and both. The penalty of
each fold is the best on the other folds. Mean AUROC over 15 findings, all films together, so it differs from the lab's
by folder; differences are paired, with 95 % intervals over patients.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from explorer.metrics import auroc, bootstrap
from explorer.metrics.bootstrap import Bootstrap, difference, macro_interval
from models.array_types import Float64
from models.cards.classifier_card import classifier_card
from models.training.nih.kept_numbers import kept_numbers
from models.training.nih.nih_recipe import INVERSE_PENALTIES
from models.training.shipping.linear_probe import fit_layer
from tests.benchmarks.anatomy import Mean
from tests.benchmarks.command_line import command, report

MODEL, TAUGHT_BY_MASKS = "nih-anatomy-probe", 1280  # its first features are those of the timm network
RESAMPLES, SMALL_STEP = 1000, 12  # a small run takes every twelfth film


def out_of_fold(features: Float64, labels: NDArray[np.uint8], folds: NDArray[np.int64]) -> Float64:
    """Return out-of-fold logits (n, k) of features (n, d); each fold's penalty is the best on the other folds."""
    logits = np.zeros((len(INVERSE_PENALTIES), *labels.shape))
    for fold in np.unique(folds):
        mine = folds == fold
        for place, penalty in enumerate(INVERSE_PENALTIES):
            layer = fit_layer(features[~mine], labels[~mine].astype(np.float32), penalty)
            logits[place, mine] = layer.logits(features[mine])
    chosen = np.zeros(labels.shape)
    for fold in np.unique(folds):
        others = folds != fold
        best = int(np.argmax([np.nanmean(auroc(labels[others], each[others])) for each in logits]))
        chosen[~others] = logits[best][~others]
    return chosen


def lines(step: int) -> Iterator[Mean]:
    """Compare the features, alone and joined, on every `step`th film."""
    kept = kept_numbers(classifier_card(MODEL))
    assert kept.features is not None
    labels, folds = kept.labels[::step].astype(np.uint8), kept.folds[::step].astype(np.int64)
    patients, features = np.array(kept.patients[::step]), kept.features[::step].astype(np.float64)

    def ranked(features: Float64) -> Bootstrap:
        return bootstrap(labels, out_of_fold(features, labels, folds), auroc, RESAMPLES, unit=patients)

    def mean(what: str, result: Bootstrap) -> Mean:
        return Mean(what, *macro_interval(result, range(labels.shape[1])), f"n {len(labels)} films")

    masks = ranked(features[:, :TAUGHT_BY_MASKS])
    yield mean("features taught by masks of findings", masks)
    outlines = features[:, TAUGHT_BY_MASKS:]
    for words, chosen in (("features taught by outlines", outlines), ("both joined", features)):
        result = ranked(chosen)
        yield mean(words, result)
        yield mean(f"{words}, difference", difference(result, masks))


def main(arguments: list[str] | None = None) -> int:
    """Measure and report."""
    asked = command(__doc__).parse_args(arguments)
    return report(lines(SMALL_STEP if asked.small else 1), asked)


if __name__ == "__main__":
    raise SystemExit(main())
