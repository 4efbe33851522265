"""Films of patients and simulated ones are read by different models: which of two things is for which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from models.films.film import Provenance

Item = TypeVar("Item", covariant=True)
Other = TypeVar("Other")


@dataclass(frozen=True)  # with slots the alias ByProvenance[Reader] could not be called
class ByProvenance(Generic[Item]):
    """`real` is for patients' films, `simulated` for the phantom's; the same twice where there is but one."""

    real: Item
    simulated: Item

    def of(self, simulated: bool) -> Item:
        """The one for such films."""
        return self.simulated if simulated else self.real

    def each(self, make: Callable[[Item], Other]) -> ByProvenance[Other]:
        """What is made of both, once where they are the same."""
        real = make(self.real)
        return ByProvenance(real, real if self.simulated == self.real else make(self.simulated))

    @classmethod
    def one(cls, item: Other) -> ByProvenance[Other]:
        """The same for all films: the gate refuses those it was not made for."""
        return ByProvenance(item, item)


def models_by_provenance(
    chosen: str, usual: ByProvenance[str], films_of: Callable[[str], Provenance | None]
) -> ByProvenance[str]:
    """Which model is for which films: `chosen` for those that it was made for, the usual one for the others.

    `films_of` a model that is not registered are None: then the gate of `chosen` says what it thinks of those films.
    """
    simulated = films_of(chosen) == "simulated"
    other = usual.of(not simulated)
    if films_of(other) is None:
        other = chosen
    return ByProvenance(other, chosen) if simulated else ByProvenance(chosen, other)
