"""Pairs of objects: one for patients' films, one for simulated films, because different models read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from models.films.film import Provenance

RoutedItem = TypeVar("RoutedItem", covariant=True)
MadeItem = TypeVar("MadeItem")


@dataclass(frozen=True)  # slots would prevent calling the alias ByProvenance[Reader]
class ByProvenance(Generic[RoutedItem]):
    """`real` is for patients' films, `simulated` for the phantom's; the two may be the same."""

    real: RoutedItem
    simulated: RoutedItem

    def of(self, simulated: bool) -> RoutedItem:
        """Return the item for simulated or real films."""
        return self.simulated if simulated else self.real

    def each(self, make: Callable[[RoutedItem], MadeItem]) -> ByProvenance[MadeItem]:
        """Apply `make` to both, only once if they are the same."""
        real = make(self.real)
        return ByProvenance(real, real if self.simulated == self.real else make(self.simulated))

    @classmethod
    def one(cls, item: MadeItem) -> ByProvenance[MadeItem]:
        """Use one item for all films; its gate refuses films it was not made for."""
        return ByProvenance(item, item)


def models_by_provenance(
    chosen: str, usual: ByProvenance[str], films_of: Callable[[str], Provenance | None]
) -> ByProvenance[str]:
    """Assign `chosen` to the kind of films it was made for, and the default model to the other kind.

    If the default model is not registered (`films_of` returns None), `chosen` is used for all films, and its gate
    decides.
    """
    simulated = films_of(chosen) == "simulated"
    other = usual.of(not simulated)
    if films_of(other) is None:
        other = chosen
    return ByProvenance(other, chosen) if simulated else ByProvenance(chosen, other)
