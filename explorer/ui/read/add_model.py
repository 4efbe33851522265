"""The calls behind Read's *Add*: what a file of weights is, what has to be asked, and the model under its name."""

from __future__ import annotations

from explorer.core.finding_words import KNOWN
from explorer.core.word_lists import quantity
from explorer.reading.added_model import MOST_OUTPUTS, Told, added, recognized
from explorer.reading.new_model_words import guessed_words, threshold_words, tried_words
from explorer.ui.read.handlers import field_of, string_field
from explorer.ui.read.payload import (
    AddedPayload,
    AskedNamesPayload,
    RecognizedPayload,
    WhichArchitecturePayload,
)
from explorer.ui.shared.refusals import RefusedPayload, refused
from models.cards.address import function_of
from models.cards.card import MissingArchitecture, UnusableModel

VOCABULARY = sorted(set(KNOWN.values()), key=str.casefold)
LONGEST_NUMBERS = 200  # characters of a list of numbers


def look_at_model(sent: object) -> RecognizedPayload | WhichArchitecturePayload | RefusedPayload:
    """What lies at {address}, of {architecture} where somebody names it."""
    try:
        found = recognized(string_field(sent, "address"), string_field(sent, "architecture").strip())
    except MissingArchitecture as missing:
        return {
            "stage": "architecture",
            "title": missing.title,
            "detail": missing.detail,
            "architectures": list(missing.fitting),
        }
    except UnusableModel as refusal:
        return refused(refusal, "wrong")
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


def add_model(sent: object) -> AddedPayload | AskedNamesPayload | RefusedPayload:
    """Try and keep the model at {address}: {findings, architecture, size, mean, std, name, function}.

    Names that are near known ones are asked about, unless they are among those {meant}.
    """
    try:
        told = Told(
            findings=_names(field_of(sent, "findings")),
            architecture=string_field(sent, "architecture").strip(),
            size=_size(string_field(sent, "size")),
            mean=_numbers("mean", string_field(sent, "mean")),
            std=_numbers("std", string_field(sent, "std")),
            name=string_field(sent, "name").strip(),
            function=function_of(string_field(sent, "function")),
        )
        meant = _names(field_of(sent, "meant"))
        slips = [(word, near) for word, near in told.named.slips if word not in meant]
        if slips:
            return {"stage": "names", "slips": [{"word": word, "near": near} for word, near in slips]}
        made = added(string_field(sent, "address"), told)
    except UnusableModel as refusal:
        return refused(refusal, "wrong")
    card = made.made.card
    dropped = made.outputs.findings.count("")
    without = f"{quantity(dropped, 'output')} without a name left out." if dropped else ""
    says = [tried_words(made.made.scores), made.outputs.says, without, *guessed_words(card), threshold_words(card)]
    return {"stage": "added", "name": card.name, "says": list(filter(None, says))}


def _names(sent: object) -> tuple[str, ...]:
    """Those that were sent. Raises UnusableModel for what is no list of names."""
    if sent is None:
        return ()
    if not isinstance(sent, list) or len(sent) > MOST_OUTPUTS or not all(isinstance(each, str) for each in sent):
        raise UnusableModel(
            "These are not names of outputs", "Load the page again, then name one finding for each output."
        )
    return tuple(sent)


def _size(sent: str) -> int | None:
    if not sent.strip():
        return None
    if not (sent.strip().isascii() and sent.strip().isdigit()) or len(sent) > LONGEST_NUMBERS:
        raise UnusableModel(f"{sent[:20]!r} is not a size", "Give the side of the square input in pixels, such as 224.")
    return int(sent)


def _numbers(word: str, sent: str) -> tuple[float, ...] | None:
    if not sent.strip():
        return None
    try:
        if len(sent) > LONGEST_NUMBERS:
            raise ValueError(sent)
        return tuple(float(each) for each in sent.split(","))
    except ValueError as error:
        raise UnusableModel(
            f"{sent[:40]!r} cannot be the {word}",
            "Give one number with a decimal point, or one for each channel with commas between them: 0.485, 0.456, 0.4",
        ) from error
