"""Reads the card of a classifier or an ensemble from its registry TOML and checks it, without loading a tensor."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import get_args

from models.cards.address import is_address
from models.cards.addressed_card import addressed_card
from models.cards.arguments import check_arguments
from models.cards.card import Card, EnsembleMember, OutputFunction, UnusableModel
from models.cards.card import TrainingSource as Source
from models.cards.registry import registry_table
from models.cards.scored_card import NetworkFields, ScoredCardReader
from models.cards.toml_table import WrongTable, has_type, is_finite, quoted_list
from models.films.film import View

ENSEMBLE_KIND = "ensemble"
CARD_KINDS = ("classifier", ENSEMBLE_KIND)


def classifier_card(name: str) -> Card:
    """Return the card of a registered model, of the TOML file at the path `name`, or of an address.

    Raises UnusableModel if there is no such file or its content is invalid.
    """
    if is_address(name):
        return addressed_card(name)
    path, table = registry_table(name, *CARD_KINDS)
    reader = _EnsembleReader if table.get("kind") == ENSEMBLE_KIND else _ClassifierReader
    try:
        return reader(path, table).card()
    except WrongTable as wrong:
        raise UnusableModel(f"{path.name}: {wrong.what}", wrong.remedy) from wrong


class _ClassifierReader(ScoredCardReader):
    """Reads the card of a single network."""

    kind = "classifier"
    required = {
        "kind": str,
        "name": str,
        "title": str,
        "architecture": str,
        "in_chans": int,
        "size": int,
        "resize": str,
        "mean": list,
        "std": list,
        "weights": str,
        "findings": list,
        "views": list,
        "licence": str,
        "citation": str,
        "training": list,
    }
    optional = {
        "sha256": str,
        "films": str,
        "arguments": dict,
        "function": str,
        "download": dict,
        **ScoredCardReader.optional,
    }

    def network(self) -> NetworkFields:
        self.one_of("resize", ("letterbox",))
        in_chans: int = self.one_of("in_chans", (1, 3))
        outputs = self._outputs()
        return NetworkFields(
            architecture=self.table["architecture"],
            in_chans=in_chans,
            size=self.size(),
            mean=self.channels("mean", (in_chans,)),
            std=self.channels("std", (in_chans,)),
            weights=self.table["weights"],
            sha256=self._sha256(),
            findings=tuple(filter(None, outputs)),
            outputs=outputs if "" in outputs else (),
            function=self._function(outputs),
            arguments=MappingProxyType(check_arguments(self.table.get("arguments", {}))),
            views=self._views(),
            films=self.films(),
            training=self.rows("training", Source),
        )

    def _sha256(self) -> str:
        """Return the hash; empty if the weights are downloaded and their hash is unpublished."""
        if "sha256" not in self.table and "download" not in self.table:
            raise WrongTable("'sha256' is missing in the file", "Only downloaded weights may omit it.")
        return self.sha256() if "sha256" in self.table else ""

    def _outputs(self) -> tuple[str, ...]:
        """Return the name of each output, replaced if `same_as` gives another name; an empty name drops an untrained
        output.
        """
        listed = [str(name).strip() for name in self.table["findings"]]
        renamed = {each.finding: each.other for each in self.stated() if each.relation == "same as"}
        if unknown := renamed.keys() - set(listed):
            raise WrongTable(f"relations names {quoted_list(unknown)}", "It is not one of the file's findings.")
        outputs = tuple(renamed.get(name, name) for name in listed)
        named = list(filter(None, outputs))
        if not named or len(set(named)) != len(named):
            raise WrongTable(
                "findings is empty or repeats a name",
                'List every output of the model once, in order; "" drops an untrained one.',
            )
        return outputs

    def _function(self, outputs: tuple[str, ...]) -> OutputFunction:
        if "function" not in self.table:
            return "sigmoid"
        function: OutputFunction = self.one_of("function", get_args(OutputFunction))
        if function == "softmax" and len(outputs) < 2:
            raise WrongTable("function is 'softmax'", "A single output needs sigmoid.")
        return function

    def _views(self) -> tuple[View, ...]:
        allowed = get_args(View)
        views = tuple(self.table["views"])
        if not views or set(views) - set(allowed):
            raise WrongTable("views is invalid", f"List the views that the model may read, of {', '.join(allowed)}.")
        return views


class _EnsembleReader(ScoredCardReader):
    """Reads an ensemble's card: the views that every member reads, and the training films of all members together.

    Its rule for studies is its members', if they agree and the file does not state one.
    """

    kind = ENSEMBLE_KIND
    required = {"kind": str, "name": str, "title": str, "members": dict, "licence": str, "citation": str}

    def network(self) -> NetworkFields:
        if any(each.relation == "same as" for each in self.stated()):
            raise WrongTable("relations is invalid", "Rename an ensemble's findings in the cards of its members.")
        members = self._members()
        cards = [self._card(member.name) for member in members]
        first = cards[0]
        for each in cards:
            if (each.findings, each.films) != (first.findings, first.films):
                raise WrongTable(
                    f"{each.name} does not look for the same findings as {first.name}",
                    "All members need the same findings in the same order, and the same kind of films.",
                )
        return NetworkFields(
            architecture=first.architecture,
            in_chans=first.in_chans,
            size=first.size,
            mean=first.mean,
            std=first.std,
            weights="",
            sha256=_sha256(members, cards),
            findings=first.findings,
            views=tuple(view for view in first.views if all(view in each.views for each in cards)),
            films=first.films,
            training=tuple(dict.fromkeys(chain.from_iterable(each.training for each in cards))),
            members=members,
            study=first.study if all(each.study == first.study for each in cards) else "maximum",
        )

    def _members(self) -> tuple[EnsembleMember, ...]:
        """Return the members; a relative card path is resolved against the ensemble's folder."""
        table = self.table["members"]
        if len(table) < 2 or not all(
            has_type(weight, float) and is_finite(weight) and weight > 0 for weight in table.values()
        ):
            raise WrongTable("members is invalid", "Name at least two models, each with a weight above zero.")
        beside = self.path.resolve().parent
        members = [EnsembleMember(name, float(weight)) for name, weight in table.items()]
        return tuple(
            replace(each, name=str(beside / each.name)) if each.name.endswith(".toml") else each for each in members
        )

    def _card(self, member: str) -> Card:
        """Return a member's card; refuses ensembles before reading them, because one could contain itself."""
        if registry_table(member, "classifier")[1].get("kind") == ENSEMBLE_KIND:
            raise WrongTable(f"its member {member} is an ensemble itself", "Name the members of that ensemble instead.")
        return classifier_card(member)


def _sha256(members: Sequence[EnsembleMember], cards: Sequence[Card]) -> str:
    """Return a hash that changes whenever a score may change: with a member's weights, input size or share."""
    lines = [f"{each.sha256} {each.size} {member.weight!r}\n" for member, each in zip(members, cards, strict=True)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
