"""Do models see inserted findings as they see real ones? AUROC of both, and their rank correlation.

Inserted ones lie in films of Hannover, on which nothing of insertion was chosen. Real ones are those of nih-oof:
out of fold for models of NIH; those of the simulator never saw a real film. An alveolar pattern stands for NIH's
Consolidation, in the rank correlation alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from explorer.cohorts.layout import CACHE
from explorer.insertion.believable import LEAST_POSITIVES, MEASURED_FILE, MOST_APART
from explorer.metrics.rank_correlation import spearman
from models.array_types import Float32
from models.load import classifier
from models.radiograph import read_radiograph
from tests.benchmarks.inserted_films import (
    DATA,
    FINDINGS,
    Estimate,
    Floats,
    Host,
    hannover_hosts,
    one_with_finding,
    ranked,
    ranked_real,
    scores_of,
)

OUT_OF_FOLD = (
    "nih-ensemble",
    "nih-linear-probe",
    "nih-anatomy-probe",
    "nih-mini",
    "nih-phantom",
    "nih-phantom-20000",
)
SIMULATED_ONLY = ("phantom", "lab-class-aware-masks-1")
SEVERITIES = (0.3, 0.6, 0.9)
PATTERN, CONSOLIDATION = "Alveolar Pattern", "Consolidation"
# The least severity at which a blinded reader sees the finding at least as often as in films that are labeled with it
# (docs/insertion.md, second look). At a pattern nobody looked.
TYPICAL = {"Mass": 0.3, "Nodule": 0.3, "Pneumothorax": 0.3, "Pleural Effusion": 0.6, PATTERN: 0.6}
HOME = CACHE / "nih-oof"
ABOUT = """\
# Written by `python -m tests.benchmarks.insertion --write`: AUROC of films with an inserted finding against the same
# films without it ({films} films of Hannover, typical severity), and of real ones (nih-oof) with their number.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A model's sensitivity to one finding."""

    model: str
    finding: str
    inserted: dict[float, Estimate]  # by severity
    real: Estimate
    positives: int
    samples: tuple[Floats, Floats]  # inserted at the typical severity and real, of each resample

    @property
    def typical(self) -> float:
        """AUROC of inserted ones at the typical severity."""
        return self.inserted[TYPICAL[self.finding]].value

    @property
    def apart(self) -> float:
        return round(abs(round(self.typical, 2) - round(self.real.value, 2)), 3)  # as written

    def __str__(self) -> str:
        inserted = ", ".join(map(str, self.inserted.values()))
        word = "validated" if self.apart <= MOST_APART and self.positives >= LEAST_POSITIVES else "not validated"
        return f"{self.model} {self.finding}: {inserted}; real {self.real} ({self.positives}): {word}"


@dataclass(frozen=True, slots=True, eq=False)
class RealFilms:
    """The films of nih-oof."""

    cases: pd.DataFrame  # one row per film
    labels: pd.DataFrame  # (n, findings), 1 present, 0 absent

    @classmethod
    def read(cls) -> RealFilms:
        """Read the shipped cohort."""
        cases = pd.read_parquet(HOME / "cases.parquet").set_index("case")
        labels = pd.read_parquet(HOME / "labels.parquet").pivot(index="case", columns="finding", values="label")
        return cls(cases, (labels == "present").astype(float).loc[cases.index])

    def scores(self, model: str) -> pd.DataFrame:
        """Return scores (n, findings): stored ones, or a simulated model's own."""
        if model in OUT_OF_FOLD:
            stored = pd.read_parquet(HOME / "predictions" / model)
            return stored.pivot(index="case", columns="finding", values="score").loc[self.cases.index]
        network = classifier(model, "cpu")
        table = pd.read_csv(DATA / "nih_cxr14" / "labels.csv").drop_duplicates("image_id").set_index("image_id")
        films = [read_radiograph(DATA / "nih_cxr14" / file) for file in table.loc[self.cases.index].file]
        return pd.DataFrame(scores_of(network, films), index=self.cases.index, columns=list(network.card.findings))


def pairs_of(models: Sequence[str], findings: Sequence[str], hosts: Sequence[Host]) -> Iterator[Pair]:
    """Yield every model and finding."""
    opened = {name: classifier(name, "cpu") for name in models}
    before = {name: scores_of(each, [host.film for host in hosts]) for name, each in opened.items()}
    keys = [(finding, severity) for finding in findings for severity in SEVERITIES]
    after: dict[str, list[Float32]] = {name: [] for name in opened}
    for row, host in enumerate(hosts):  # a simulated patient is drawn once for all findings
        films = [one_with_finding(host, row, *key) for key in keys]
        for name, each in opened.items():
            after[name].append(scores_of(each, films))
    real, patients = RealFilms.read(), np.array([host.patient for host in hosts])
    for name, each in opened.items():
        columns = {finding: each.card.findings.index(_asked(finding, each.card.findings)) for finding in findings}
        with_it = np.stack(after[name], axis=1).astype(np.float64)  # (keys, hosts, findings)
        found, samples = ranked(
            {
                f"{finding} {severity}": (
                    before[name][:, columns[finding]].astype(np.float64),
                    with_it[place][:, columns[finding]],
                )
                for place, (finding, severity) in enumerate(keys)
            },
            patients,
        )
        scores = real.scores(name)
        labels = real.labels.loc[scores.index]
        theirs, their_samples = ranked_real(
            scores[[_asked(finding, each.card.findings) for finding in findings]].to_numpy(np.float64),
            labels[[_label(finding) for finding in findings]].to_numpy(),
            findings,
            real.cases.patient.loc[scores.index].to_numpy(str),
        )
        for finding in findings:
            inserted = {s: Estimate.of(found[f"{finding} {s}"], samples[f"{finding} {s}"]) for s in SEVERITIES}
            drawn = samples[f"{finding} {TYPICAL[finding]}"], their_samples[finding]
            positives = int(labels[_label(finding)].sum())
            yield Pair(name, finding, inserted, Estimate.of(theirs[finding], drawn[1]), positives, drawn)


def rank_correlations(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield Spearman's rho of inserted against real ones: over all pairs, over models of a finding, and the reverse."""
    groups = {"all models and findings": list(pairs)}
    for name in ("finding", "model"):
        for each in pairs:
            groups.setdefault(getattr(each, name), [])
            groups[getattr(each, name)].append(each)
    for words, group in groups.items():
        if len(group) > 2:
            point = spearman([each.typical for each in group], [each.real.value for each in group])
            drawn = spearman(*(np.stack([each.samples[place] for each in group], 1) for place in (0, 1)))
            yield f"rank correlation, {words}: {Estimate.of(float(point), drawn)}, {len(group)} pairs"


def lines(findings: Sequence[str], models: Sequence[str], count: int, write: bool) -> Iterator[str]:
    """Yield a line for each model and finding, then rank correlations."""
    hosts = hannover_hosts(count)
    yield f"{len(hosts)} films of Hannover; inserted at severity {', '.join(map(str, SEVERITIES))}; real (n with it)"
    pairs = []
    for each in pairs_of(models, findings, hosts):
        pairs.append(each)
        yield str(each)
    counted = [each for each in pairs if each.positives >= LEAST_POSITIVES]
    yield from rank_correlations(counted)
    if write:
        MEASURED_FILE.write_text(_toml(pairs, len(hosts)), encoding="utf-8")


def _toml(pairs: Sequence[Pair], films: int) -> str:
    tables = [
        f'\n[{each.model}."{each.finding}"]\n'
        f"severity = {TYPICAL[each.finding]}\ninserted = {each.typical:.2f}\n"
        f"real = {each.real.value:.2f}\npositives = {each.positives}\n"
        for each in pairs
        if each.finding in FINDINGS
    ]
    return ABOUT.format(films=films) + "".join(tables)


def _asked(finding: str, known: Sequence[str]) -> str:
    return CONSOLIDATION if finding == PATTERN and PATTERN not in known else finding


def _label(finding: str) -> str:
    return CONSOLIDATION if finding == PATTERN else finding
