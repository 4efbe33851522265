"""What the outputs of somebody's model are called here: by our names where they are known words, else as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from explorer.core.finding_names import InvalidName, near_finding, own_name
from explorer.core.word_lists import and_list
from models.cards.address import is_address, parse_address
from models.cards.addressed_card import stated_outputs
from models.cards.card import UnusableModel


@dataclass(frozen=True, slots=True)
class NamedOutputs:
    """Names in the order of the outputs, empty ones dropped later; `slips` are the words that are near a known name."""

    findings: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]  # a word, and the finding that it names
    slips: tuple[tuple[str, str], ...]  # a word, and the finding that may be meant: offered, never taken

    @property
    def says(self) -> str:
        """What was read as another name, in a sentence; empty where nothing was."""
        pairs = [f"{word!r} as {finding}" for word, finding in self.renamed]
        return f"Read {and_list(pairs)}." if pairs else ""

    @property
    def asks(self) -> tuple[str, ...]:
        """A question for each slip of the pen."""
        return tuple(f"{word!r} is kept as a finding of its own. Did you mean {near}?" for word, near in self.slips)


def named_outputs(words: Sequence[str]) -> NamedOutputs:
    """The findings that words name, one for each output. Raises UnusableModel where one is no name, or named twice."""
    found: list[str] = []
    for at, word in enumerate(words, 1):
        try:
            name = own_name(word) if word.strip() else ""
        except InvalidName as wrong:
            raise UnusableModel(
                f"Output {at} cannot be called so: {wrong}", "Correct its name, or leave it empty."
            ) from wrong
        if name and name in found:
            raise UnusableModel(
                f"Outputs {found.index(name) + 1} and {at} both are {name}",
                "Name each output once, in order; an empty name drops one that nobody trained.",
            )
        found.append(name)
    pairs = [(word.strip(), name) for word, name in zip(words, found, strict=True) if name]
    return NamedOutputs(
        tuple(found),
        tuple((word, name) for word, name in pairs if word != name),
        tuple((word, near) for word, name in pairs if word == name and (near := near_finding(word))),
    )


def model_name(name: str) -> str:
    """A model's name as it is loaded: in an address, known words for findings are those findings.

    Raises UnusableModel for an address that cannot be one.
    """
    if not is_address(name):
        return name
    labels = stated_outputs(address := parse_address(name))
    if labels is None or (named := named_outputs(labels).findings) == labels:
        return name
    before, _, query = address.text.partition("?")
    said = dict(parse_qsl(query, keep_blank_values=True))
    return f"{before}?{urlencode(said | {'findings': ','.join(named)})}"
