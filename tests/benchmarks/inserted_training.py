"""Does training on inserted findings help the tail? AUROC on real films, out of fold, with and without them.

A last layer (logistic regression) is fitted to the frozen features of `nih-linear-probe`, whose network saw no real
film. Inserted findings lie in normal films of the folds that train; a hard negative is the same film without, after the
same steps. Severity is drawn between 0.3 and 0.9. Films of 64 px are enlarged before and reduced after. Pairs are
within a folder; differences are paired, means of two seeds, with 95 % intervals over patients.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from explorer.insertion.insertable import SIDES
from explorer.insertion.insertion import Insertion, insert
from models.array_types import Float32
from models.cards.classifier_card import classifier_card
from models.classifier.classifier import Classifier
from models.load import network
from models.radiograph import Radiograph, read_radiograph
from models.statistics import patient_resamples
from models.training.nih.kept_numbers import KeptNumbers, kept_numbers
from models.training.ranked_pairs import RankedPairs
from models.training.shipping.linear_probe import fit_layer
from tests.benchmarks.finding_company import features_of
from tests.benchmarks.inserted_films import FINDINGS, RESAMPLES, Estimate, Floats, Host, normal_hosts, ranked

PROBE, PENALTY = "nih-linear-probe", 0.001  # inverse, that of the shipped probe
FULL, REDUCED = "images", "images_64px"
SIDE, REDUCED_SIDE = 512, 64
SEEDS, LEAST, MOST = (0, 1), 0.3, 0.9
AS_MANY, ALL, ONLY, REAL = "real and as many inserted", "real and all inserted", "only inserted", "only real"


@dataclass(frozen=True, slots=True, eq=False)
class Films:
    """Features of films with a finding and without, in the same films, (n, d) each."""

    present: Float32
    absent: Float32
    folds: np.ndarray[tuple[int], np.dtype[np.uint8]]  # of their films

    def outside(self, fold: int, most: int | None = None) -> tuple[Float32, Float32]:
        """Return those of other folds, (m, d) each."""
        rows = np.flatnonzero(self.folds != fold)[:most]
        return self.present[rows], self.absent[rows]


def lines(findings: Sequence[str], count: int) -> Iterator[str]:
    """Yield, for each finding, AUROC of every way of training and its difference from real films alone."""
    kept, tower = kept_numbers(classifier_card(PROBE)), network(PROBE, "cpu")
    groups = {
        FULL: normal_hosts(kept, FULL, count // 2),
        REDUCED: normal_hosts(kept, REDUCED, count // 2, enlarged),
    }
    plain = {
        folder: features_of(tower, _shown([host.film for host in hosts], folder)) for folder, hosts in groups.items()
    }
    yield f"{sum(map(len, groups.values()))} normal films of NIH with inserted findings, two seeds"
    for finding in findings:
        made = [_films(tower, kept, groups, plain, finding, seed) for seed in SEEDS]
        yield from _compared(kept, finding, made)


def enlarged(file: Path) -> Radiograph:
    """Return a film at SIDE pixels."""
    film = read_radiograph(file)
    return Radiograph.from_pixels(_resized(film.pixels, SIDE, Image.Resampling.BICUBIC))


def _shown(films: Sequence[Radiograph], folder: str) -> list[Radiograph]:
    if folder == FULL:
        return list(films)
    return [Radiograph.from_pixels(_resized(film.pixels, REDUCED_SIDE, Image.Resampling.BOX)) for film in films]


def _resized(pixels: Float32, side: int, how: Image.Resampling) -> Float32:
    eight_bits = Image.fromarray((pixels * 255).round().astype(np.uint8))
    return np.asarray(eight_bits.resize((side, side), how), np.float32) / 255


def _films(
    tower: Classifier,
    kept: KeptNumbers,
    groups: Mapping[str, Sequence[Host]],
    plain: Mapping[str, Float32],
    finding: str,
    seed: int,
) -> Films:
    random, present = np.random.default_rng([seed, FINDINGS.index(finding)]), []
    for folder, hosts in groups.items():
        changed = []
        for host in hosts:
            side, severity = SIDES[int(random.integers(2))], float(random.uniform(LEAST, MOST))
            wanted = Insertion(finding, side, severity, int(random.integers(1_000_000)))
            changed.append(Radiograph.from_pixels(insert(host.film.pixels, host.lungs, wanted).film))
        present.append(features_of(tower, _shown(changed, folder)))
    order = random.permutation(sum(map(len, present)))  # so that the first few are of both folders
    folds = kept.folds[[host.row for hosts in groups.values() for host in hosts]]
    return Films(np.concatenate(present)[order], np.concatenate(list(plain.values()))[order], folds[order])


def _compared(kept: KeptNumbers, finding: str, made: Sequence[Films]) -> Iterator[str]:
    labels = kept.labels[:, kept.findings.index(finding)].astype(np.float64)
    seeds = [_logits(kept, finding, each) for each in made]
    names, patients, folders = list(seeds[0]), np.array(kept.patients), np.array(kept.folders)
    scores = np.stack([each[name] for each in seeds for name in names], axis=1)
    pairs = RankedPairs(labels[:, None].repeat(scores.shape[1], 1), scores, folders)

    def means(rows: np.ndarray[tuple[int], np.dtype[np.intp]] | None = None) -> Floats:
        return pairs.auroc(rows).reshape(len(seeds), len(names)).mean(0)

    point, drawn = means(), np.array([means(rows) for rows in patient_resamples(patients, RESAMPLES)])
    yield f"{finding} ({int(labels.sum())} real): {REAL} {Estimate.of(point[0], drawn[:, 0])}"
    for place, name in list(enumerate(names))[1:]:
        less = Estimate.of(point[place] - point[0], drawn[:, place] - drawn[:, 0])
        yield f"  {name} {Estimate.of(point[place], drawn[:, place])}, difference {less}"
    yield f"  inserted told from the same films without, by {ONLY}: {_told(made[0])}"


def _logits(kept: KeptNumbers, finding: str, films: Films) -> dict[str, Floats]:
    """Return out-of-fold logits (n,) of the real films by way of training, REAL first."""
    assert kept.features is not None
    features, present = kept.features.astype(np.float32), kept.labels[:, kept.findings.index(finding)]
    found = {name: np.zeros(len(present)) for name in (REAL, AS_MANY, ALL, ONLY)}
    for fold in np.unique(kept.folds):
        mine = kept.folds == fold
        with_it, without = features[~mine & present], features[~mine & ~present]
        some, their = films.outside(fold, len(with_it))
        every, theirs = films.outside(fold)
        sets = {
            REAL: ((with_it,), (without,)),
            AS_MANY: ((with_it, some), (without, their)),
            ALL: ((with_it, every), (without, theirs)),
            ONLY: ((every,), (without, theirs)),
        }
        for name, (ill, well) in sets.items():
            found[name][mine] = _fitted(ill, well, features[mine])
    return found


def _told(films: Films) -> str:
    """Return AUROC of inserted findings against the same films without, in folds that did not train."""
    present, absent = (np.zeros(len(films.folds)) for _ in range(2))
    for fold in np.unique(films.folds):
        mine = films.folds == fold
        both = np.concatenate([films.present[mine], films.absent[mine]])
        logits = _fitted((films.outside(fold)[0],), (films.outside(fold)[1],), both)
        present[mine], absent[mine] = np.split(logits, 2)
    values, samples = ranked({"": (absent, present)}, np.arange(len(present)).astype(str))
    return str(Estimate.of(values[""], samples[""]))


def _fitted(ill: Sequence[Float32], well: Sequence[Float32], features: Float32) -> Floats:
    pooled = np.concatenate([*ill, *well])
    labels = np.zeros((len(pooled), 1), np.float32)
    labels[: sum(map(len, ill))] = 1
    return fit_layer(pooled, labels, PENALTY).logits(features)[:, 0].astype(np.float64)
