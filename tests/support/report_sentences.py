"""The hand-made sentences and how well the labeler agrees with them; their README says who wrote them, and how."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from explorer.core.findings import TASKS
from explorer.reports import ReportRules, label
from tests.support.f1 import Agreement

FOLDER = Path(__file__).parents[1] / "explorer" / "reports" / "sentences"
Half = Literal["open", "second", "closed", "spanish"]
CHALLENGE = frozenset((*TASKS["seen"], *TASKS["unseen"]))
Task = Literal["mention", "absent", "uncertain", "present"]
TASK_NAMES: tuple[Task, ...] = ("mention", "absent", "uncertain", "present")


class LabeledSentence(NamedTuple):
    """A sentence with the state of each finding that it mentions, and the traps in it."""

    name: str
    text: str
    labels: Mapping[str, str]
    tags: tuple[str, ...]


def labeled_sentences(half: Half) -> Iterator[LabeledSentence]:
    with (FOLDER / f"{half}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pairs = (each.strip().split("=") for each in row["labels"].split(";") if each.strip())
            yield LabeledSentence(row["id"], row["text"], {a: b for a, b in pairs}, tuple(row["tags"].split(";")))


def found(sentence: LabeledSentence, rules: ReportRules) -> dict[str, str]:
    """What the labeler says of the 36 findings; those of NIH alone are not in the reference."""
    return {finding: state for finding, state in label(sentence.text, rules).items() if finding in CHALLENGE}


def agreements(half: Half, rules: ReportRules) -> dict[Task, Agreement]:
    """As in CheXpert's Table 2: mentioned in any state, or in this state, over all pairs of sentence and finding."""
    counts: dict[Task, Agreement] = dict.fromkeys(TASK_NAMES, Agreement(0, 0, 0))
    for sentence in labeled_sentences(half):
        ours = found(sentence, rules)
        for finding in ours.keys() | sentence.labels.keys():
            theirs, mine = sentence.labels.get(finding), ours.get(finding)
            for task in TASK_NAMES:
                a, b = ((each is not None) if task == "mention" else each == task for each in (theirs, mine))
                counts[task] += Agreement(int(a and b), int(b and not a), int(a and not b))
    return counts


def errors_by_kind(half: Half, rules: ReportRules) -> Counter[str]:
    """`absent -> present` is a pair that the reference calls absent and the labeler present; `-`: not mentioned."""
    kinds: Counter[str] = Counter()
    for sentence in labeled_sentences(half):
        ours = found(sentence, rules)
        for finding in ours.keys() | sentence.labels.keys():
            theirs, mine = sentence.labels.get(finding, "-"), ours.get(finding, "-")
            if theirs != mine:
                kinds[f"{theirs} -> {mine}"] += 1
    return kinds


def wrong_by_tag(half: Half, rules: ReportRules) -> dict[str, tuple[int, int]]:
    """Sentences with an error, and all, by trap."""
    wrong: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for sentence in labeled_sentences(half):
        every.update(sentence.tags)
        if found(sentence, rules) != dict(sentence.labels):
            wrong.update(sentence.tags)
    return {tag: (wrong[tag], number) for tag, number in sorted(every.items())}
