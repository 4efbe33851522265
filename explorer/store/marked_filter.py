"""The entry of *Marked* in the registry of filters."""

from __future__ import annotations

from explorer.store.conditions import CaseAmong
from explorer.store.filter_kinds import Choice, Word

# It tells: a tag may name a finding, and a list was made of mistakes, perhaps.
MARKED = Choice(
    word=Word(
        "marked",
        "marked",
        "a mark that no case has on this machine",
        lambda choices: choices.marked,
        lambda cohort, marked: marked.word(cohort),
        lambda marked: marked.title,
    ),
    title="Marked",
    demands=lambda marked, findings: CaseAmong(marked.cases),
    says=lambda marked: marked.clause,
    tells=True,
    bound_to="cohort",
)
