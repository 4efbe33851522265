"""A cohort's files as they were last seen, to notice when they change."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import shards_in
from explorer.store.prepared.signatures import own_files, score_files, signature


@dataclass(slots=True, eq=False)
class Generation:
    """A cohort's files as last seen: versions of its films, and of scores and features of the models asked about."""

    folder: Folder
    films: str
    names: tuple[str, ...]  # of the models that have scored it
    scores: dict[str, str] = field(default_factory=dict)
    features: dict[str, str] = field(default_factory=dict)
    asked: float = field(default_factory=time.monotonic)
    next_look: float = 0.0  # on the monotonic clock

    @classmethod
    def of(cls, folder: Folder, models: Iterable[str] = ()) -> Generation:
        """Look at the files of a cohort, and of some of its models."""
        found = cls(folder, signature(own_files(folder)), folder.models())
        for model in models:
            if model in found.names:
                found.pairs(model), found.vectors(model)
        return found

    def pairs(self, model: str) -> str:
        """Return the version of a model's pairs, which depends on the films."""
        if model not in self.scores:
            self.scores[model] = signature(score_files(self.folder, model))
        return f"{self.films}-{self.scores[model]}"

    def vectors(self, model: str) -> str:
        """Return the version of a model's features."""
        if model not in self.features:
            self.features[model] = signature(shards_in(self.folder.embeddings(model)))
        return self.features[model]

    def same_as(self, other: Generation) -> bool:
        """Whether nothing has changed of what both know."""
        return (self.folder, self.films, self.names) == (other.folder, other.films, other.names) and all(
            one[model] == two[model]
            for one, two in ((self.scores, other.scores), (self.features, other.features))
            for model in one.keys() & two.keys()
        )
