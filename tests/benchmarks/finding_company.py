"""Does a model go by a finding, or by what comes with it? AUROC of real findings that come alone and in company.

Films are those of nih-oof, scores are out of fold. Alone: no other label. Company without it: films with other labels.
Each is ranked against films without any finding; pairs are within a folder, because folders differ in resolution and in
what their films have. Beside them: the same finding put into normal films of NIH, told from the same films without it,
by the layers of `nih-linear-probe` that were fitted to other folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.insertion.film_scale import FilmScale
from explorer.insertion.insertable import SIDES
from explorer.insertion.insertion import Lungs
from explorer.workshop.shipping.nih_perturbed import fold_layer
from models.array_types import Bools, Float32
from models.cards.classifier_card import classifier_card
from models.classifier.classifier import Classifier
from models.load import network
from models.radiograph import Radiograph, read_radiograph
from models.statistics import patient_resamples
from models.training.nih.kept_numbers import KeptNumbers, kept_numbers
from models.training.ranked_pairs import RankedPairs
from tests.benchmarks.inserted_films import (
    DATA,
    FINDINGS,
    RESAMPLES,
    Estimate,
    Floats,
    Host,
    hosts_of,
    normal_hosts,
    ranked,
    with_finding,
)

MODELS = ("nih-ensemble", "nih-linear-probe")
PROBE = "nih-linear-probe"
LEAST = 5
SEVERITIES = (0.3, 0.6, 0.9)


def company_lines() -> Iterator[str]:
    """Yield AUROC of each model and finding, by what else a film has."""
    for model in MODELS:
        kept = kept_numbers(classifier_card(model))
        normal = kept.labels[:, kept.findings.index("Normal")]
        others = kept.labels.sum(1) - normal
        for finding in FINDINGS:
            place = kept.findings.index(finding)
            present, scores = kept.labels[:, place], kept.logits[:, place].astype(np.float64)
            groups = {
                "alone": present & (others == 1),
                "in company": present & (others > 1),
                "company without it": ~present & (others > 0),
            }
            parts = [f"any film {_ranked(present, ~present, scores, kept)}"]
            parts += [f"{words} {_ranked(mine, normal, scores, kept)}" for words, mine in groups.items()]
            yield f"{model} {finding}: {'; '.join(parts)}"


def inserted_lines(count: int) -> Iterator[str]:
    """Yield AUROC of findings in normal NIH films, by fold layers of the linear probe, and bases' density."""
    kept, tower = kept_numbers(classifier_card(PROBE)), network(PROBE, "cpu")
    hosts = normal_hosts(kept, "images", count, odd=True)
    folds = kept.folds[[host.row for host in hosts]]
    layers = {int(fold): fold_layer(kept, int(fold)) for fold in np.unique(folds)}
    patients = np.array([host.patient for host in hosts])

    def logits(films: Sequence[Radiograph], finding: str) -> Floats:
        features, place = features_of(tower, films), kept.findings.index(finding)
        return np.array([layers[int(fold)].logits(row)[place] for fold, row in zip(folds, features, strict=True)])

    plain = [host.film for host in hosts]
    for finding in FINDINGS:
        without = logits(plain, finding)
        columns = {str(each): (without, logits(with_finding(hosts, finding, each), finding)) for each in SEVERITIES}
        values, samples = ranked(columns, patients)
        figures = ", ".join(str(Estimate.of(values[name], samples[name])) for name in columns)
        yield f"{PROBE} {finding} in {len(hosts)} normal films of NIH: {figures}"
    yield f"density of the denser lung base above the upper lung's: {_base_figures(kept, hosts)}"


def features_of(tower: Classifier, films: Sequence[Radiograph]) -> Float32:
    """Return pooled features (n, d), 32 films at a time."""
    parts = [films[start : start + 32] for start in range(0, len(films), 32)]
    return np.concatenate([tower.score_boxed([tower.boxed(film) for film in part])[1] for part in parts])


def base_density(film: Float32, lungs: Lungs) -> float:
    """Return by how much the denser lung's lowest fifth exceeds its upper half; 1 is lung to mediastinum."""
    densities, found = FilmScale.of(film, lungs.both).densities(film), []
    for side in SIDES:
        lung = lungs.on(side)
        rows = np.flatnonzero(lung.any(1))
        height = (np.arange(len(film)) - rows[0]) / np.ptp(rows)
        low, high = (densities[lung & part[:, None]] for part in (height > 0.8, height < 0.5))
        found.append(float(np.median(low) - np.median(high)))
    return max(found)


def _base_figures(kept: KeptNumbers, hosts: Sequence[Host]) -> str:
    effusion = kept.labels[:, kept.findings.index("Pleural Effusion")]
    rows = np.flatnonzero(effusion & (np.array(kept.folders) == "images"))[:: 1 if len(hosts) > 20 else 20]
    files = [DATA / "nih_cxr14" / "images" / kept.files[row] for row in rows]
    real = list(hosts_of(files, [kept.patients[row] for row in rows], rows.tolist(), read_radiograph))
    groups = {"normal films": [(host.film, host.lungs) for host in hosts]}
    for severity in SEVERITIES:
        films = with_finding(hosts, "Pleural Effusion", severity)
        groups[f"inserted {severity}"] = [(film, host.lungs) for film, host in zip(films, hosts, strict=True)]
    groups["real effusions"] = [(host.film, host.lungs) for host in real]
    values = {name: [base_density(film.pixels, lungs) for film, lungs in group] for name, group in groups.items()}
    texts = ("{} {:.2f} ({:.2f} to {:.2f}, n {})".format(*each) for each in _quartiles(values))
    return "; ".join(texts)


def _quartiles(values: dict[str, list[float]]) -> Iterator[tuple[str, float, float, float, int]]:
    for name, each in values.items():
        low, middle, high = np.quantile(each, (0.25, 0.5, 0.75))
        yield name, float(middle), float(low), float(high), len(each)


def _ranked(present: Bools, absent: Bools, scores: Floats, kept: KeptNumbers) -> str:
    """Return AUROC of films with and without, of the same folder, with its interval and number with it."""
    chosen = present | absent
    if present.sum() < LEAST:
        return f"n {present.sum()}"
    folders, patients = np.array(kept.folders)[chosen], np.array(kept.patients)[chosen]
    pairs = RankedPairs(present[chosen, None].astype(float), scores[chosen, None], folders)
    samples = [float(pairs.auroc(rows)[0]) for rows in patient_resamples(patients, RESAMPLES)]
    return f"{Estimate.of(float(pairs.auroc()[0]), samples)} n {present.sum()}"


def lines(count: int) -> Iterator[str]:
    """Yield the figures of real films, then those of inserted ones."""
    yield from company_lines()
    yield from inserted_lines(count)
