"""Names the outputs of a user's model: Tailscope's finding names for known words, else the words themselves."""

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
    """Names in output order (empty ones are dropped later); `slips` are words similar to a known name."""

    findings: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]  # (word, finding it names)
    slips: tuple[tuple[str, str], ...]  # (word, finding that may be meant); merely a suggestion

    @property
    def renamed_sentence(self) -> str:
        """A sentence on words that were interpreted as other names; empty if there are none."""
        pairs = [f"{word!r} as {finding}" for word, finding in self.renamed]
        return f"Read {and_list(pairs)}." if pairs else ""

    @property
    def spelling_questions(self) -> tuple[str, ...]:
        """A question for each possible misspelling."""
        return tuple(f"{word!r} is kept as a new finding. Did you mean {near}?" for word, near in self.slips)


def named_outputs(words: Sequence[str]) -> NamedOutputs:
    """Return the finding that each word names. Raises UnusableModel for an invalid or repeated name."""
    found: list[str] = []
    for at, word in enumerate(words, 1):
        try:
            name = own_name(word) if word.strip() else ""
        except InvalidName as wrong:
            raise UnusableModel(
                f"The name of output {at} is invalid: {wrong}", "Correct it, or leave it empty."
            ) from wrong
        if name and name in found:
            raise UnusableModel(
                f"Outputs {found.index(name) + 1} and {at} are both {name}",
                "Name each output once, in order; an empty name drops an untrained output.",
            )
        found.append(name)
    pairs = [(word.strip(), name) for word, name in zip(words, found, strict=True) if name]
    return NamedOutputs(
        tuple(found),
        tuple((word, name) for word, name in pairs if word != name),
        tuple((word, near) for word, name in pairs if word == name and (near := near_finding(word))),
    )


def model_name(name: str) -> str:
    """Return a model's name for loading; known words for findings in an address are replaced by the findings' names.

    Raises UnusableModel for an invalid address.
    """
    if not is_address(name):
        return name
    labels = stated_outputs(address := parse_address(name))
    if labels is None or (named := named_outputs(labels).findings) == labels:
        return name
    before, _, query = address.text.partition("?")
    parameters = dict(parse_qsl(query, keep_blank_values=True))
    return f"{before}?{urlencode(parameters | {'findings': ','.join(named)})}"
