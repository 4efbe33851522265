"""The calls of Read's *Add*: recognize a weights file, ask for what is missing, add the model."""

from __future__ import annotations

from explorer.core.finding_words import FINDING_BY_WORD
from explorer.core.word_lists import quantity
from explorer.reading.added_model import MAX_OUTPUTS, VisitorFacts, inspect_model, save_model
from explorer.reading.new_model_words import guessed_words, threshold_words, tried_words
from explorer.ui.read.payload import (
    AddedPayload,
    DoubtfulNamesPayload,
    RecognizedPayload,
    WhichArchitecturePayload,
)
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import string_field, value_in
from models.cards.address import function_named
from models.cards.card import MissingArchitecture, UnusableModel

VOCABULARY = sorted(set(FINDING_BY_WORD.values()), key=str.casefold)
MAX_NUMBERS_CHARS = 200  # characters of a list of numbers


def look_at_model(sent: object) -> RecognizedPayload | WhichArchitecturePayload | RefusedPayload:
    """Recognize the weights at {address}, with {architecture} if the visitor names it."""
    try:
        found = inspect_model(string_field(sent, "address"), string_field(sent, "architecture").strip())
    except MissingArchitecture as missing:
        return {
            "stage": "architecture",
            "title": missing.title,
            "detail": missing.detail,
            "architectures": list(missing.fitting),
        }
    except UnusableModel as refusal:
        return refusal_payload(refusal, "wrong")
    return {
        "stage": "recognized",
        "name": found.name,
        "file": found.file,
        "registered": found.registered,
        "architecture": found.architecture,
        "outputs": found.outputs,
        "in_chans": found.in_chans,
        "size": found.size,
        "mean": list(found.mean),
        "std": list(found.std),
        "guessed": list(found.guessed),
        "findings": list(found.findings),
        "function": found.function or "",
        "vocabulary": VOCABULARY,
    }


def add_model(sent: object) -> AddedPayload | DoubtfulNamesPayload | RefusedPayload:
    """Try the model at {address} and add it with {findings, architecture, size, mean, std, name, function}.

    Output names that resemble known ones are queried first, unless they are listed in {meant}.
    """
    try:
        stated = VisitorFacts(
            findings=_names(value_in(sent, "findings")),
            architecture=string_field(sent, "architecture").strip(),
            size=_size(string_field(sent, "size")),
            mean=_numbers("mean", string_field(sent, "mean")),
            std=_numbers("std", string_field(sent, "std")),
            name=string_field(sent, "name").strip(),
            function=function_named(string_field(sent, "function")),
        )
        intended = _names(value_in(sent, "meant"))
        slips = [(word, near) for word, near in stated.named.slips if word not in intended]
        if slips:
            return {"stage": "names", "slips": [{"word": word, "near": near} for word, near in slips]}
        made = save_model(string_field(sent, "address"), stated)
    except UnusableModel as refusal:
        return refusal_payload(refusal, "wrong")
    card = made.made.card
    dropped = made.outputs.findings.count("")
    without = f"{quantity(dropped, 'output')} without a name left out." if dropped else ""
    says = [
        tried_words(made.made.scores),
        made.outputs.renamed_sentence,
        without,
        *guessed_words(card),
        threshold_words(card),
    ]
    return {"stage": "added", "name": card.name, "says": list(filter(None, says))}


def _names(sent: object) -> tuple[str, ...]:
    """The names sent. Raises UnusableModel if this is not a list of names."""
    if sent is None:
        return ()
    if not isinstance(sent, list) or len(sent) > MAX_OUTPUTS or not all(isinstance(each, str) for each in sent):
        raise UnusableModel(
            "These are not names of outputs", "Load the page again, then name one finding for each output."
        )
    return tuple(sent)


def _size(sent: str) -> int | None:
    if not sent.strip():
        return None
    if not (sent.strip().isascii() and sent.strip().isdigit()) or len(sent) > MAX_NUMBERS_CHARS:
        raise UnusableModel(f"{sent[:20]!r} is not a size", "Give the side of the square input in pixels, such as 224.")
    return int(sent)


def _numbers(word: str, sent: str) -> tuple[float, ...] | None:
    if not sent.strip():
        return None
    try:
        if len(sent) > MAX_NUMBERS_CHARS:
            raise ValueError(sent)
        return tuple(float(each) for each in sent.split(","))
    except ValueError as error:
        raise UnusableModel(
            f"{sent[:40]!r} cannot be the {word}",
            "Give one number with a decimal point, or one for each channel with commas between them: 0.485, 0.456, 0.4",
        ) from error
