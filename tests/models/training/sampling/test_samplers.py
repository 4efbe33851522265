"""Which films an epoch shows: each once, or each finding as often as the others."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.training.sampling import class_aware, half_class_aware, plain
from models.training.sampling.registry import SAMPLERS, build_sampler
from tests.support.wording import Wording

# 600 films: finding 0 on 300, finding 1 on 30, finding 2 on 3, finding 3 on none; none has two, 267 have none
LABELS = np.zeros((600, 4), dtype=np.float32)
LABELS[:300, 0] = LABELS[300:330, 1] = LABELS[330:333, 2] = 1


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("name", SAMPLERS)
def test_an_epoch_has_as_many_draws_as_there_are_films(name: str) -> None:
    rows = build_sampler(name, LABELS)(generator())
    assert rows.shape == (600,)
    assert rows.dtype == np.int64


@pytest.mark.parametrize("name", SAMPLERS)
def test_the_generators_state_alone_decides(name: str) -> None:
    sampler = build_sampler(name, LABELS)
    first = sampler(generator(1))
    assert (build_sampler(name, LABELS)(generator(1)) == first).all()
    assert (sampler(generator(2)) != first).any()


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_training_broken_off_goes_on_as_it_would_have(name: str) -> None:
    sampler, source = build_sampler(name, LABELS), generator()
    sampler(source)
    kept = source.get_state()  # what is written at the end of an epoch
    rest = [sampler(source) for _ in range(3)]
    again = torch.Generator()
    again.set_state(kept)
    resumed = build_sampler(name, LABELS)  # another process has only labels and state
    assert all((resumed(again) == rows).all() for rows in rest)
    assert (rest[0] != rest[1]).any()


def test_plain_shows_every_film_once() -> None:
    rows = plain.order(LABELS, generator())
    assert (np.sort(rows) == np.arange(600)).all()
    assert (rows != np.arange(600)).any()


def test_class_aware_shows_findings_equally_often() -> None:
    assert LABELS[class_aware.order(LABELS, generator())].sum(0).tolist() == [200, 200, 200, 0]


def test_half_class_aware_shows_half_of_the_films_and_each_finding_as_often_in_the_rest() -> None:
    rows = half_class_aware.order(LABELS, generator())
    alike = class_aware.order(LABELS, torch.Generator().set_state(after_plain()))[:300]
    left = np.sort(rows).tolist()
    for row in alike.tolist():
        left.remove(row)
    assert len(left) == len(set(left)) == 300, "the others come once"
    assert LABELS[alike].sum(0).tolist() == [100, 100, 100, 0]
    assert (np.diff(np.isin(rows[:100], left).astype(int)) != 0).sum() > 20, "both kinds at random places"


def after_plain() -> torch.Tensor:
    """The state of the generator once the plain order is drawn."""
    source = generator()
    plain.order(LABELS, source)
    return source.get_state()


def test_where_findings_go_together_each_is_still_drawn_as_often() -> None:
    labels = LABELS.copy()
    labels[330:333, 0] = 1  # who has the rarest has the commonest too
    shown = labels[class_aware.order(labels, generator())].sum(0)
    assert shown[0] == 400, "200 for its own sake, 200 with the rarest"
    assert shown[1] == 200
    assert 200 <= shown[2] <= 203, "three films more may be drawn for the commonest"


def test_class_aware_goes_through_all_films_of_a_finding_before_one_comes_again() -> None:
    rows = class_aware.order(LABELS, generator())
    times = np.bincount(rows, minlength=600)
    assert set(times[:300]) == {0, 1}
    assert set(times[300:330]) == {6, 7}
    assert set(times[330:333]) == {66, 67}
    assert times[333:].sum() == 0, "a film without a finding is drawn for none"


def test_class_aware_mixes_findings() -> None:
    drawn = LABELS[class_aware.order(LABELS, generator()), :3].argmax(1)
    assert all(set(three) == {0, 1, 2} for three in drawn.reshape(-1, 3))
    assert len({tuple(three) for three in drawn.reshape(-1, 3)}) == 6, "in every order"


def test_more_findings_than_films_do_no_harm() -> None:
    assert class_aware.order(np.eye(2, 5, dtype=np.float32), generator()).tolist() in ([0, 1], [1, 0])


def test_labels_without_a_finding_are_refused(wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        build_sampler("class-aware", np.zeros((5, 2), dtype=np.float32))(generator())
    wording(caught.value, "finding")


def test_an_unknown_sampler_is_refused(wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        build_sampler("rare", LABELS)
    wording(caught.value, "'rare'", "plain, class-aware")
