"""The panel Published, asked as its script asks: on the shipped simulated cohort, on others, and without any."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterator
from contextlib import closing

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.leaderboard.means import leaderboard
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.published.catalog import CHECKS, printed_tables
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.support.small_cohort import Film, write_small
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import Ask, Json, asker

PHANTOM, NIH = Folder(CACHE / "phantom"), Folder(CACHE / "nih-oof")
OTHER = "lab-class-aware-0"
BOTH = {
    "cohort": cohort_id("phantom"),
    "models": ".".join(model_id("phantom", name) for name in ("phantom", OTHER)),
    "reference": model_id("phantom", "phantom"),
    "panel": "published",
}


@pytest.fixture(scope="module")
def store() -> Store:
    return Store(lambda: (PHANTOM, NIH))


@pytest.fixture(scope="module")
def ask(store: Store) -> Iterator[Ask]:
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        yield asker(Services(store, Images(), None, job))


def whole(ask: Ask, state: Json) -> Json:
    until(lambda: ask("panel", state, waiting=True), lambda answer: answer["stage"] != "computing")
    return ask("panel", state)


@pytest.mark.parametrize("table", [*printed_tables(), *CHECKS])
def test_every_table_is_shown_as_printed(ask: Ask, table: str) -> None:
    found = ask("panel", {**BOTH, "table": table})
    assert found["stage"] == "panel" and not found["complaints"]
    content = found["content"]
    assert content["table"] == table and content["printed"] == (table in printed_tables())
    behind = [*content["behind"], *(word for grid in content["grids"] for row in grid["behind"] or () for word in row)]
    assert set(behind) <= set(printed_tables()) and bool(behind) == (table in CHECKS)
    for grid in content["grids"]:
        assert len(grid["names"]) == len(grid["cells"])
        assert {len(row) for row in grid["cells"]} == {len(grid["heads"]) - 1}
    if table in printed_tables():
        (grid,) = content["grids"]
        printed = printed_tables()[table]
        shown = sum(bool(cell["value"]) for row in grid["cells"] for cell in row)
        assert shown == len(printed.cells) and grid["names"] == list(printed.rows)
        assert (grid["own"] is not None) == bool(content["own"]) == (not content["why"])


def test_a_paper_s_row_stands_beside_the_model_s_own_means(ask: Ask, store: Store) -> None:
    found = whole(ask, BOTH)
    (grid,) = found["content"]["grids"]
    assert grid["heads"] == ["metric", *(f"team {letter}" for letter in "ABCDEF")]
    assert grid["cells"][0][0] == {"value": "0.585", "beside": "[0.540–0.621]"}
    board = leaderboard(store, Slice("phantom", "phantom", source="paper"), ["phantom", OTHER])
    mean = board.means[0, "AP"].point[board.models.index("phantom")]
    own = dict(zip(grid["names"], grid["own"], strict=True))
    assert own["mAP"]["value"] == f"{mean:.3f}" and own["mAP"]["counted"].startswith("30 findings, n+ from ")
    assert own["mAP"]["beside"].startswith("[0.") and not own["mAP"]["pending"]
    assert own["ECE as printed"] is None  # which is no ECE
    assert found["content"]["own"] == "phantom" and found["content"]["simulated"]
    assert not found["simulated"]  # the paper's films are real
    assert "SIMULATED" in " ".join(found["notes"])


def test_another_reference_is_another_column(ask: Ask) -> None:
    words = {**BOTH, "reference": model_id("phantom", OTHER), "table": "2026-findings-1"}
    content = whole(ask, words)["content"]
    assert content["own"] == OTHER
    (grid,) = content["grids"]
    own = dict(zip(grid["names"], grid["own"], strict=True))
    assert own["Mean"] is None and all(own[name]["counted"].startswith("n+ ") for name in own if name != "Mean")


def test_findings_meet_by_their_relations_where_names_differ(ask: Ask, store: Store) -> None:
    words = {"cohort": cohort_id("nih-oof"), "panel": "published", "table": "2023-ap"}
    content = whole(ask, words)["content"]
    (grid,) = content["grids"]
    own = dict(zip(grid["names"], grid["own"], strict=True))
    assert own["Atelectasis"] and own["Lung Opacity"] is None
    share = whole(ask, {**words, "table": "chexpert-prevalence"})["content"]["grids"][0]
    labels = dict(zip(share["names"], share["own"], strict=True))
    board = leaderboard(store, Slice("nih-oof", "nih-mini"), ["nih-mini"])
    place = board.findings.index("Atelectasis")
    expected = 100 * board.positives[place] / board.known[place]
    assert labels["Atelectasis"]["value"] == f"{expected:.2f} %" and not labels["Atelectasis"]["pending"]


def test_groups_need_the_groups_of_the_paper(ask: Ask) -> None:
    paper = whole(ask, {**BOTH, "table": "2026-groups"})["content"]
    own = dict(zip(paper["grids"][0]["names"], paper["grids"][0]["own"], strict=True))
    assert own["very rare"] and own["common"]
    other = ask("panel", {**BOTH, "table": "2026-groups", "source": "nih"})["content"]
    assert other["own"] == "" and "groups of the CXR-LT 2026 paper" in other["why"]


def test_fewer_than_half_of_the_findings_have_no_mean(ask: Ask) -> None:
    content = ask("panel", {"cohort": cohort_id("nih-oof"), "panel": "published"})["content"]
    assert content["own"] == "" and "too few of these findings" in content["why"]


def test_luck_is_counted_for_the_compared_models_too(ask: Ask) -> None:
    grids = whole(ask, {**BOTH, "table": "luck"})["content"]["grids"]
    assert grids[-1]["caption"].startswith("Your models, SIMULATED")
    (row,) = grids[-1]["cells"]
    assert row[0]["value"] == "2" and row[2]["value"].startswith("+0.0")


@pytest.mark.parametrize("check", CHECKS)
def test_figures_come_with_their_cells_and_source(ask: Ask, check: str) -> None:
    content = ask("panel", {**BOTH, "table": check})["content"]
    below = [each for grid in content["grids"] for each in grid["figures"]]
    figures = [*content["figures"], *below]
    assert len(figures) == len(CHECKS[check].figures()) and bool(below) == (check == "statements")
    for each in figures:
        assert each["chart"]["data"] and each["chart"]["layout"] and each["chart"]["narrow"]
        assert len(each["names"]) == len(each["cells"]) and each["source"] and each["says"]
        assert {len(row) for row in each["cells"]} == {len(each["heads"]) - 1}
    # A table that stands in a figure's fold does not stand beside it once more.
    titles = {grid["caption"] for grid in content["grids"]}
    assert not titles & {each.cells.title for each in CHECKS[check].figures()}


def test_cells_of_a_figure_are_the_printed_ones(ask: Ask) -> None:
    content = ask("panel", {**BOTH, "table": "statements"})["content"]
    figures = {each["name"]: each for grid in content["grids"] for each in grid["figures"]}
    held_out = figures["statement_held-out"]
    cells = dict(zip(held_out["names"], held_out["cells"], strict=True))
    assert held_out["heads"] == ["task, team", "main test", "held-out subset"]
    assert cells["Task 1, team C"] == ["0.460 [0.437–0.532]", "0.652 [0.602–0.732]"]
    drawn = held_out["chart"]["data"]
    assert [trace["x"][2] for trace in drawn] == [0.460, 0.652]


def test_an_unknown_table_is_the_first_with_a_sentence(ask: Ask) -> None:
    found = ask("panel", {**BOTH, "table": "2027-main"})
    assert found["content"]["table"] == "2026-main-1" and found["complaints"]
    assert "table" not in found["words"]


@pytest.mark.parametrize(("kind", "part"), [("csv", "own model"), ("markdown", "another test set"), ("latex", "0.585")])
def test_the_table_is_saved_with_the_column(ask: Ask, kind: str, part: str) -> None:
    whole(ask, BOTH)
    text = base64.b64decode(ask("board_file", BOTH, kind=kind)["data"]).decode()
    assert part in text and "SIMULATED" in text
    if kind == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == 36 + 5  # printed cells, and the means that are no ECE


def test_films_without_labels_leave_the_paper_s_figures(tmp_path_factory: pytest.TempPathFactory) -> None:
    blank = write_small(
        tmp_path_factory.mktemp("blank"), [Film("a", {}, {"Mass": 0.5})], {}, name="blank", model="only"
    )
    blank_store = Store(lambda: (blank,))
    with closing(IntervalsJob(blank_store, resamples=20, seed=3)) as job:
        found = asker(Services(blank_store, Images(), None, job))("panel", {"panel": "published"})
    assert found["stage"] == "panel" and found["content"]["own"] == "" and "label" in found["content"]["why"]


def test_without_a_cohort_the_tables_are_there() -> None:
    empty = Store(lambda: ())
    with closing(IntervalsJob(empty, resamples=20, seed=3)) as job:
        ask = asker(Services(empty, Images(), None, job))
        found = ask("panel", {"panel": "published", "table": "oracle"})
        assert (
            found["stage"] == "panel"
            and found["cohorts"] == []
            and found["words"] == {"panel": "published", "table": "oracle"}
        )
        assert ask("panel", {"panel": "published"})["content"]["why"].endswith("no cohort with scores on this machine.")
        assert ask("panel", {"panel": "tail"})["stage"] == "refused"
