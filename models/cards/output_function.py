"""Decides what turns a network's outputs into scores: a stated function, one implied by a loss, or sigmoid."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.cards.card import OutputFunction, UnusableModel

# Matched against loss names reduced to letters, as torch, Keras, timm and trainers' settings write them.
SIGMOID_LOSSES = re.compile(r"bce|binarycrossentropy|multilabel|asymmetricloss|^asl|sigmoid")
SOFTMAX_LOSSES = re.compile(r"crossentropy|nllloss|softmax|^(ce|nll|celoss)$")
MAX_AMBIGUOUS_OUTPUTS = 6  # outputs; multi-label chest film models usually have more


def output_function(losses: Sequence[str], outputs: Sequence[str]) -> tuple[OutputFunction, str]:
    """Return the function and a sentence on its origin. Raises UnusableModel if the user has to state it."""
    if (implied := function_of_losses(losses)) and len(outputs) > 1:
        return implied[0], f"Scores by {implied[0]}: the file names the loss {implied[1]}."
    if 1 < len(outputs) <= MAX_AMBIGUOUS_OUTPUTS:
        raise UnusableModel(
            "It is unknown whether the model's outputs are mutually exclusive",
            "A network that chooses one of a few classes (trained with cross entropy) needs function=softmax; one that "
            "may find several on a film (binary cross entropy) needs function=sigmoid. State it with --function for "
            "`model new`, &function= in an address, or `function` in a card.",
        )
    return "sigmoid", "Scores by sigmoid for each output; state function=softmax if outputs are mutually exclusive."


def function_of_losses(losses: Sequence[str]) -> tuple[OutputFunction, str] | None:
    """Return the function that loss names imply, and the name that implies it; None if they imply neither or both."""
    implied: dict[OutputFunction, str] = {}
    for loss in sorted(losses):
        letters = re.sub("[^a-z]", "", loss.rpartition(".")[2].lower())
        if SIGMOID_LOSSES.search(letters):
            implied.setdefault("sigmoid", loss)
        elif SOFTMAX_LOSSES.search(letters):
            implied.setdefault("softmax", loss)
    return next(iter(implied.items())) if len(implied) == 1 else None
