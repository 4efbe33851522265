"""What makes scores of a network's outputs: said, named by the loss in its file, asked for, or a sigmoid each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.cards.card import Function, UnusableModel

# Parts of the names of losses, by letters alone, as torch, Keras, timm and trainers' settings write them.
SEPARATE = re.compile(r"bce|binarycrossentropy|multilabel|asymmetricloss|^asl|sigmoid")
EXCLUSIVE = re.compile(r"crossentropy|nllloss|softmax|^(ce|nll|celoss)$")
FEW = 6  # outputs; models that find several things on a film mostly have more


def output_function(losses: Sequence[str], outputs: Sequence[str]) -> tuple[Function, str]:
    """The function, and in a sentence where it comes from. Raises UnusableModel where somebody has to say it."""
    if (told := function_of_losses(losses)) and len(outputs) > 1:
        return told[0], f"Scores by {told[0]}: the file names {told[1]}."
    if 1 < len(outputs) <= FEW:
        raise UnusableModel(
            "Nothing says whether its outputs exclude one another",
            "A network that says one of a few classes (trained with cross entropy) needs function=softmax, one that "
            "may say several of a film (binary cross entropy) function=sigmoid. Say which: --function of `model new`, "
            "&function= in an address, `function` in a card.",
        )
    return "sigmoid", "Scores by sigmoid, one for each output; function=softmax where they exclude one another."


def function_of_losses(losses: Sequence[str]) -> tuple[Function, str] | None:
    """The function that the names of losses tell, and the name that does; None where none or both are told."""
    told: dict[Function, str] = {}
    for loss in sorted(losses):
        letters = re.sub("[^a-z]", "", loss.rpartition(".")[2].lower())
        if SEPARATE.search(letters):
            told.setdefault("sigmoid", loss)
        elif EXCLUSIVE.search(letters):
            told.setdefault("softmax", loss)
    return next(iter(told.items())) if len(told) == 1 else None
