"""What makes scores of a network's outputs: said, named by the loss in its file, asked for, or a sigmoid each."""

from __future__ import annotations

from collections.abc import Sequence

from models.cards.card import Function, UnusableModel

EXCLUSIVE = frozenset({"CrossEntropyLoss", "NLLLoss"})  # torch's losses of classes that exclude one another
SEPARATE = frozenset({"BCELoss", "BCEWithLogitsLoss", "MultiLabelSoftMarginLoss"})
NORMAL = frozenset({"normal", "no finding", "no findings", "healthy"})
FEW = 6  # outputs; multi-label models of chest films that have a Normal have more


def output_function(losses: Sequence[str], outputs: Sequence[str]) -> tuple[Function, str]:
    """The function, and in a sentence where it comes from. Raises UnusableModel where somebody has to say it."""
    exclusive, separate = EXCLUSIVE & set(losses), SEPARATE & set(losses)
    if exclusive and not separate and len(outputs) > 1:
        return "softmax", f"Scores by softmax: the file names {min(exclusive)}."
    if separate and not exclusive:
        return "sigmoid", f"Scores by sigmoid: the file names {min(separate)}."
    if 1 < len(outputs) <= FEW and NORMAL & {each.strip().lower() for each in outputs}:
        raise UnusableModel(
            "Do its outputs exclude one another?",
            "A network that says one of a few classes (trained with cross entropy) needs function=softmax, one that "
            "may say several of a film (binary cross entropy) function=sigmoid. Say which: --function of `model new`, "
            "&function= in an address.",
        )
    return "sigmoid", "Scores by sigmoid, one for each output; function=softmax where they exclude one another."
