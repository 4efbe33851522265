"""The folder of a cohort's films, named in the page where a case has no film: asked for once, and never shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import expect

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.public_ids import opaque_id
from explorer.ui.shared.links import cohort_id
from tests.support.wording import Wording
from tests.ui.app_server import Server, answer_of, start, stop
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW
from tests.ui.text_shown import text_with

pytestmark = [pytest.mark.browser, pytest.mark.shared]
COHORT = "nih-oof"


@pytest.fixture
def home(changed_server: Server) -> Iterator[Path]:
    """That server's, which in the end knows of no folder again."""
    home = changed_server.temporary / "home"
    yield home
    (home / "cohorts" / COHORT / "roots.json").unlink()


def test_the_folder_of_the_films_is_asked_for_once_and_never_shown(
    new_changer: NewVisitor, home: Path, tmp_path: Path, shared: Path, wording: Wording
) -> None:
    case = opaque_id(COHORT, "case", pq.read_table(Folder(CACHE / COHORT).boxes)["case"][0].as_py())
    words = {"cohort": cohort_id(COHORT), "finding": "mass", "outcome": "miss", "case": case}
    page = new_changer(**words, panel="compare")  # with nothing pinned it asks the server for nothing
    page.locator(".case-row[aria-pressed=true]").wait_for(timeout=SLOW)
    path = page.get_by_label("Folder of these films on this machine")
    path.fill(str(tmp_path))
    page.get_by_role("button", name="Use it").click()
    wording(text_with(page.locator(".no-film-said"), "None"))
    path.fill(str(shared / "data" / "nih_cxr14"))
    path.press("Enter")
    expect(page.locator(".case .film-side.has-film")).to_be_visible(timeout=SLOW)
    expect(page.locator(".case-thumb-file")).to_have_count(0, timeout=SLOW)
    page.keyboard.press("Escape")
    page.wait_for_function("document.querySelector('.tile img')?.naturalWidth > 0", timeout=SLOW)
    assert str(shared) not in page.content()
    other = new_changer(**words, panel="compare")
    expect(other.locator(".case .film-side.has-film")).to_be_visible(timeout=SLOW)
    assert str(shared) not in other.content()
    again = start(tmp_path, home=home)
    try:
        assert answer_of(again, "explore", "case_film", state=words, case=case)["stage"] == "film"
    finally:
        stop(again)
