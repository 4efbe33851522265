"""Fixed readers, and a model against readers, once more: published figures, and another computation by plain loops.

Obuchowski and Rockette's analysis equals an analysis of variance of pseudovalues, three-way (modalities, readers,
cases), if both have the same covariances: Dorfman, Berbaum and Metz, Investigative Radiology 1992; 27: 723-731; Hillis
et al., Statistics in Medicine 2005; 24: 1579-1607. Here pseudovalues are spread so that their covariance is DeLong's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.integrate import quad

from explorer.metrics.multireader import Multireader, multireader, readers_against_model
from tests.support.van_dyke import RATINGS, TRUTH

Row = list[float]


def wins(ratings: Sequence[float], truth: Sequence[int]) -> list[Row]:
    """For each case with the finding and each without: 1 if it is rated higher, 1/2 if equal, else 0."""
    found = [rating for rating, label in zip(ratings, truth, strict=True) if label == 1]
    absent = [rating for rating, label in zip(ratings, truth, strict=True) if label == 0]
    return [[1.0 if one > other else 0.5 if one == other else 0.0 for other in absent] for one in found]


def pseudovalues(ratings: Sequence[float], truth: Sequence[int]) -> Row:
    """One value a case, those with the finding first; their mean is the AUROC, their covariances are DeLong's."""
    table = wins(ratings, truth)
    m, n = len(table), len(table[0])
    area = sum(map(sum, table)) / (m * n)
    cases = m + n
    rows = [sum(row) / n for row in table]
    columns = [sum(row[place] for row in table) / m for place in range(n)]
    wide, high = (math.sqrt(cases * (cases - 1) / (count * (count - 1))) for count in (m, n))
    return [area + wide * (each - area) for each in rows] + [area + high * (each - area) for each in columns]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def squares(values: list[list[Row]]) -> dict[str, float]:
    """Mean squares of a three-way analysis of variance of values[modality][reader][case]."""
    t, r, k = len(values), len(values[0]), len(values[0][0])
    whole = mean([each for by_reader in values for row in by_reader for each in row])
    of = [mean([each for row in by_reader for each in row]) for by_reader in values]
    by = [[mean(row) for row in by_reader] for by_reader in values]
    in_modality = [[mean([row[case] for row in by_reader]) for case in range(k)] for by_reader in values]
    reader = [mean([by[i][j] for i in range(t)]) for j in range(r)]
    case = [mean([in_modality[i][c] for i in range(t)]) for c in range(k)]
    by_both = [[mean([values[i][j][c] for i in range(t)]) for c in range(k)] for j in range(r)]
    modality_reader = modality_case = rest = 0.0
    for i in range(t):
        for j in range(r):
            modality_reader += k * (by[i][j] - of[i] - reader[j] + whole) ** 2
        for c in range(k):
            modality_case += r * (in_modality[i][c] - of[i] - case[c] + whole) ** 2
        for j in range(r):
            for c in range(k):
                all_ways = values[i][j][c] - by[i][j] - in_modality[i][c] - by_both[j][c]
                rest += (all_ways + of[i] + reader[j] + case[c] - whole) ** 2
    return {
        "TR": modality_reader / ((t - 1) * (r - 1)),
        "TC": modality_case / ((t - 1) * (k - 1)),
        "TRC": rest / ((t - 1) * (r - 1) * (k - 1)),
    }


def squares_of_one(values: list[Row]) -> dict[str, float]:
    """Mean squares of a two-way analysis of variance of values[reader][case]."""
    r, k = len(values), len(values[0])
    whole, by_reader = mean([each for row in values for each in row]), [mean(row) for row in values]
    by_case = [mean([row[case] for row in values]) for case in range(k)]
    rest = sum((values[j][c] - by_reader[j] - by_case[c] + whole) ** 2 for j in range(r) for c in range(k))
    return {
        "R": sum(k * (each - whole) ** 2 for each in by_reader) / (r - 1),
        "C": sum(r * (each - whole) ** 2 for each in by_case) / (k - 1),
        "RC": rest / ((r - 1) * (k - 1)),
    }


def two_sided(ratio: float, freedom: float) -> float:
    """The p of a ratio, from the density of Student's t, or from the normal distribution."""
    if math.isinf(freedom):
        return math.erfc(abs(ratio) / math.sqrt(2))
    scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    density = lambda x: math.exp(scale - (freedom + 1) / 2 * math.log1p(x * x / freedom))  # noqa: E731
    return 1 - 2 * float(quad(density, 0, abs(ratio), epsabs=1e-12)[0])


TRUTHS = TRUTH.tolist()
VALUES = [[pseudovalues(row, TRUTHS) for row in by_reader] for by_reader in RATINGS.tolist()]
CASES = len(TRUTHS)


def test_fixed_readers_by_analysis_of_variance() -> None:
    found = multireader(TRUTH, RATINGS).difference(0, 1, "fixed")
    value = mean([each for row in VALUES[0] for each in row]) - mean([each for row in VALUES[1] for each in row])
    error = math.sqrt(2 * squares(VALUES)["TC"] / (5 * CASES))
    assert (found.value, found.error) == pytest.approx((value, error), rel=1e-9)
    assert found.p == pytest.approx(two_sided(value / error, math.inf), abs=1e-9)
    reach = 1.9599639845400545 * error
    assert (found.low, found.high) == pytest.approx((value - reach, value + reach), abs=1e-9)


def test_random_readers_by_analysis_of_variance() -> None:
    found, made = multireader(TRUTH, RATINGS).difference(0, 1), squares(VALUES)
    spread = made["TR"] + max(made["TC"] - made["TRC"], 0)
    error, freedom = math.sqrt(2 * spread / (5 * CASES)), spread**2 / (made["TR"] ** 2 / 4)
    assert (found.error, found.freedom) == pytest.approx((error, freedom), rel=1e-9)
    assert found.p == pytest.approx(two_sided(found.value / error, freedom), abs=1e-9)


@pytest.mark.parametrize("modality", [0, 1])
def test_means_by_analysis_of_variance(modality: int) -> None:
    study, made = multireader(TRUTH, RATINGS), squares_of_one(VALUES[modality])
    fixed, random = study.mean(modality, "fixed"), study.mean(modality)
    spread = made["R"] + max(made["C"] - made["RC"], 0)
    assert fixed.error == pytest.approx(math.sqrt(made["C"] / (5 * CASES)), rel=1e-9)
    assert random.error == pytest.approx(math.sqrt(spread / (5 * CASES)), rel=1e-9)
    assert random.freedom == pytest.approx(spread**2 / (made["R"] ** 2 / 4), rel=1e-9)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("modality", [0, 1])
def test_a_model_against_readers_by_analysis_of_variance(modality: int, seed: int) -> None:
    """The model's pseudovalues less each reader's, readers by cases: Chakraborty 2017, chapter 22."""
    model = TRUTH + np.random.default_rng(seed).normal(0, 0.6, CASES)
    ours = pseudovalues(model.tolist(), TRUTHS)
    less = [[one - other for one, other in zip(ours, row, strict=True)] for row in VALUES[modality]]
    value, made = mean([each for row in less for each in row]), squares_of_one(less)
    spread = made["R"] + max(made["C"] - made["RC"], 0)
    freedom = spread**2 / (made["R"] ** 2 / 4)
    random = readers_against_model(TRUTH, RATINGS[modality], model)
    fixed = readers_against_model(TRUTH, RATINGS[modality], model, "fixed")
    for found, error, degrees in (
        (random, math.sqrt(spread / (5 * CASES)), freedom),
        (fixed, math.sqrt(made["C"] / (5 * CASES)), math.inf),
    ):
        assert (found.value, found.error) == pytest.approx((value, error), rel=1e-9)
        assert found.freedom == pytest.approx(degrees, rel=1e-9)
        assert found.p == pytest.approx(two_sided(value / error, degrees), abs=1e-9)


def jackknife() -> Multireader:
    """The published study with covariances by leaving out one case at a time, as in the figures printed for it."""
    tables = [np.array(wins(row, TRUTHS)) for by_reader in RATINGS.tolist() for row in by_reader]
    m, n = tables[0].shape
    left = [[np.delete(table, case, 0).mean() for case in range(m)] for table in tables]
    right = [[np.delete(table, case, 1).mean() for case in range(n)] for table in tables]
    areas = np.concatenate([left, right], axis=1)
    apart = areas - areas.mean(1, keepdims=True)
    covariance = (CASES - 1) / CASES * apart @ apart.T
    return Multireader(np.array([table.mean() for table in tables]).reshape(2, 5), covariance)


def test_fixed_readers_give_the_published_figures() -> None:
    """Printed for these ratings by RJafroc (Chakraborty's RJafroc book, OR applications, dataset02, FRRC), and with
    random readers by MRMCaov (README, VanDyke, jackknife); all digits that they print.
    """
    found = jackknife()
    assert found.error_variance == pytest.approx(0.0008022883, abs=5e-11)
    assert found.covariances == pytest.approx((0.0003466137, 0.0003440748, 0.0002390284), abs=5e-11)
    fixed = found.difference(0, 1, "fixed")
    assert (fixed.value, fixed.error) == pytest.approx((-0.043800322, 0.018717483), abs=5e-10)
    assert fixed.value / fixed.error == pytest.approx(-2.34007543, abs=1e-7)
    assert fixed.p == pytest.approx(0.01928, abs=5e-6)
    assert (fixed.low, fixed.high) == pytest.approx((-0.08049, -0.007115), abs=5e-6)
    for modality, (value, error, low, high) in enumerate(
        ((0.8970, 0.02429, 0.8494, 0.9446), (0.9408, 0.01678, 0.9080, 0.9737))
    ):
        mean_area = found.mean(modality, "fixed")
        assert (mean_area.value, mean_area.low, mean_area.high) == pytest.approx((value, low, high), abs=5e-5)
        assert mean_area.error == pytest.approx(error, abs=5e-6)
    random = found.difference(0, 1)
    assert (random.error, random.freedom) == pytest.approx((0.02074862, 15.25967), rel=5e-7)
    assert random.p == pytest.approx(0.05166569, abs=5e-9)
    assert (random.low, random.high) == pytest.approx((-0.0879594986, 0.0003588544), abs=5e-11)
