"""The calls behind Read's *Add*: what a file of weights is, what has to be asked, and the model under its name."""

from __future__ import annotations

from explorer.core.finding_words import KNOWN
from explorer.core.word_lists import quantity
from explorer.reading.added_model import MOST_OUTPUTS, Told, added, recognized
from explorer.reading.new_model_words import guessed_words, threshold_words, tried_words
from explorer.ui.read.handlers import text_of, value_of
from explorer.ui.read.payload import (
    AddedPayload,
    AskedNamesPayload,
    RecognizedPayload,
    WhichArchitecturePayload,
)
from explorer.ui.refusals import RefusedPayload, refused
from models.cards.address import function_of
from models.cards.card import UntoldArchitecture, UnusableModel

VOCABULARY = sorted(set(KNOWN.values()), key=str.casefold)
LONGEST_NUMBERS = 200  # characters of a list of numbers


def look_at_model(sent: object) -> RecognizedPayload | WhichArchitecturePayload | RefusedPayload:
    """What lies at {address}, of {architecture} where somebody names it."""
    try:
        found = recognized(text_of(sent, "address"), text_of(sent, "architecture").strip())
    except UntoldArchitecture as untold:
        return {
            "stage": "architecture",
            "title": untold.title,
            "detail": untold.detail,
            "architectures": list(untold.fitting),
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
            findings=_names(value_of(sent, "findings")),
            architecture=text_of(sent, "architecture").strip(),
            size=_size(text_of(sent, "size")),
            mean=_numbers("mean", text_of(sent, "mean")),
            std=_numbers("std", text_of(sent, "std")),
            name=text_of(sent, "name").strip(),
            function=function_of(text_of(sent, "function")),
        )
        meant = _names(value_of(sent, "meant"))
        slips = [(word, near) for word, near in told.named.slips if word not in meant]
        if slips:
            return {"stage": "names", "slips": [{"word": word, "near": near} for word, near in slips]}
        made = added(text_of(sent, "address"), told)
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
