"""Sentences and metric names that all formats share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from explorer.analysis.challenge_table.lines import MetricEstimate, MetricsLine, TableMetric
from explorer.analysis.challenge_table.metric_table import MetricTable
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.metric_plan import IntervalKind, Plan
from explorer.core.uncertainty import Policy

MEAN_NAMES: Mapping[TableMetric, str] = MappingProxyType({"AP": "mAP", "AUROC": "mAUROC", "F1": "mF1"})
WEIGHTED = (
    "Weighted figures use the same images and resamples; each image counts by its weight. n, n+ and least count "
    "images. A weighted recall has no interval if every resample gives the same value."
)
INTERVAL_WORDS: Mapping[IntervalKind, str] = MappingProxyType(
    {"percentile": "percentiles", "bias-corrected": "bias-corrected percentiles (Efron)"}
)
UNCERTAIN_WORDS: Mapping[Policy, str] = MappingProxyType({"ignore": "unknown", "zeros": "absent", "ones": "present"})


def metric_name(line: MetricsLine, metric: TableMetric) -> str:
    """Return the metric's name in a line: the mean of AP over findings is mAP."""
    return metric if line.part.level == "finding" else MEAN_NAMES.get(metric, metric)


def line_figures(line: MetricsLine) -> Iterator[tuple[str, MetricEstimate]]:
    """Yield each figure of a line with its name: `AP` etc., then `weighted AP` etc. if images have weights."""
    for metric, estimate in line.estimates.items():
        yield metric_name(line, metric), estimate
    for metric, estimate in line.weighted.items():
        yield f"weighted {metric_name(line, metric)}", estimate


def about(table: MetricTable) -> tuple[str, ...]:
    """Return sentences that explain how the figures were computed."""
    plan = table.plan
    units = "images" if table.patients is None else f"{table.patients:,} patients with all their images"
    return (
        f"{_images(table.images)}. Figures come with their 95 % interval: {INTERVAL_WORDS[plan.intervals]} of "
        f"{plan.resamples:,} bootstrap resamples of {units}, seed {plan.seed}.",
        f"Frequency groups: {GROUP_SOURCES[plan.grouping].rule}. "
        f"{_threshold_sentence(plan)} "
        f"Uncertain labels count as {UNCERTAIN_WORDS[plan.uncertain]}.",
        "n: images with a known label; n+: images with the finding, or with any finding of the line; least: the "
        "smallest n+ of the line's findings. If that is only a handful, bootstrap intervals are too narrow. There is "
        "no interval for a single image or patient, nor if all resamples give the same value; the recall of a "
        "finding then has Wilson's interval.",
        *_fewest(plan),
        "Percentile intervals sit too high for ECE, because resampling adds noise that ECE counts as miscalibration, "
        "and for AP with few positives, because repeats of a rare positive raise it.",
        "A line with a number of findings in parentheses is the unweighted mean over them (mAP, mAUROC, mF1).",
        *([WEIGHTED] if table.weighted else []),
    )


def _fewest(plan: Plan) -> Iterator[str]:
    if plan.min_positives:
        yield f"Means leave out findings with fewer than {plan.min_positives:,} positives on the line's images."


def _threshold_sentence(plan: Plan) -> str:
    if plan.thresholds is None:
        return f"Called present at a score of {plan.threshold:g} or more."
    return "Called present at the given threshold of each finding; no F1, precision and recall without a threshold."


def _images(count: int) -> str:
    return "1 image" if count == 1 else f"{count:,} images"
