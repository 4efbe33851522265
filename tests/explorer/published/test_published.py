"""The published figures against each other: printed means are recomputed from the printed figures of each finding."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import mean

import pytest

import explorer.published as room
from explorer.core.findings import FINDINGS, TAXONOMIES, FrequencyGroup, frequency_group
from explorer.published import ECE_AS_PRINTED, TABLES, PublishedFigure, published
from explorer.published.transcribed_tables import FILES

PRINTED = 0.0005  # half of the last printed decimal


def of_each_finding(table: str, team: str) -> dict[str, float]:
    return {figure.finding: figure.value for figure in published(table) if figure.team == team and figure.finding}


@pytest.mark.parametrize(
    ("table", "figures"),
    [("2023", 972), ("task1", 186), ("task2", 18), ("groups", 30), ("centers", 36), ("main", 108), ("heldout", 108)],
)
def test_every_line_of_a_file_is_a_figure(table: str, figures: int) -> None:
    assert len(published(table)) == figures


def test_every_file_of_the_folder_is_a_table_and_is_named_in_the_readme() -> None:
    folder = Path(room.__file__).parent
    readme = (folder / "README.md").read_text(encoding="utf-8")
    files = {table.file for table in TABLES.values()} | set(FILES.values())
    assert {path.name for path in folder.glob("*.csv")} == files
    assert all(f"| `{file}` |" in readme for file in files)


def test_an_unknown_table_is_an_exception() -> None:
    with pytest.raises(KeyError):
        published("task3")


@pytest.mark.parametrize("table", TABLES)
def test_figures_are_fractions_inside_their_intervals(table: str) -> None:
    for figure in published(table):
        assert 0 <= figure.value <= 1
        assert (figure.low is None) == (figure.high is None)
        if figure.low is not None and figure.high is not None:
            assert figure.low <= figure.value <= figure.high


def test_findings_of_2026_are_spelled_as_here() -> None:
    assert {figure.finding for figure in published("task1")} - {None} == set(TAXONOMIES["CXR-LT 2026"].seen)
    assert {figure.finding for figure in published("task2")} == set(TAXONOMIES["CXR-LT 2026"].unseen)
    assert {figure.finding for figure in published("2023")} - {None} == set(TAXONOMIES["CXR-LT 2023"].seen)


def test_the_mean_ap_of_team_a_is_0_5854() -> None:
    aps = of_each_finding("task1", "A")
    assert len(aps) == 30
    assert mean(aps.values()) == pytest.approx(0.5854, abs=5e-5)


@pytest.mark.parametrize("group_mean", published("groups"), ids=lambda figure: f"{figure.team} {figure.group}")
def test_group_means_follow_from_the_groups_recovered_for_this_vocabulary(group_mean: PublishedFigure) -> None:
    aps = of_each_finding("task1", group_mean.team)
    members = [name for name in aps if (paper := frequency_group(name, "paper")) and paper.group is group_mean.group]
    assert members
    assert mean(aps[name] for name in members) == pytest.approx(group_mean.value, abs=0.0007)


def test_every_team_has_a_mean_for_every_group() -> None:
    found = {(figure.team, figure.group) for figure in published("groups")}
    assert found == {(team, group) for team in "ABCDEF" for group in FrequencyGroup}
    grouped = [name for name in FINDINGS if frequency_group(name, "paper")]
    assert len(grouped) == 30


@pytest.mark.parametrize("table", ["2023", "task1"])
def test_printed_means_are_the_means_of_their_findings(table: str) -> None:
    values: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    means: dict[tuple[str, str, str], float] = {}
    for figure in published(table):
        key = (figure.images, figure.metric, figure.team)
        if figure.finding is None:
            means[key] = figure.value
        else:
            values[key].append(figure.value)
    assert set(means) == set(values)
    for key, printed in means.items():
        assert mean(values[key]) == pytest.approx(printed, abs=0.001), key


@pytest.mark.parametrize("task", ["task1", "task2"])
def test_main_results_repeat_the_means_of_the_findings(task: str) -> None:
    main = {
        figure.team: figure.value
        for figure in published("main")
        if (figure.task, figure.images, figure.metric) == (task, "original", "mAP")
    }
    for team, printed in main.items():
        assert mean(of_each_finding(task, team).values()) == pytest.approx(printed, abs=2 * PRINTED)


def test_what_the_paper_prints_as_ece_keeps_its_caveat() -> None:
    every = [figure for table in TABLES for figure in published(table)]
    named = {figure.metric for figure in every if "ECE" in figure.metric}
    assert named == {ECE_AS_PRINTED}
    assert all((figure.caveat is not None) == (figure.metric == ECE_AS_PRINTED) for figure in every)
