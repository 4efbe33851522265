"""Fixtures for what a machine may lack: the real films and a browser."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from explorer.runtime.without_stubs import skip_stubs
from models.without_compiler import skip_compiler
from tests.support.installed_browser import installed_browser
from tests.support.shared_servers import SERVERS, place_of, scheduler
from tests.support.wording import SNAPSHOT, Wording

# Before torch is imported: the threads of several workers take several times as long on the same cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The cohorts and prepared files of whoever runs the tests are not theirs.
if "TAILSCOPE_HOME" not in os.environ:
    os.environ["TAILSCOPE_HOME"] = tempfile.mkdtemp(prefix="tailscope-tests-home-")
    atexit.register(shutil.rmtree, os.environ["TAILSCOPE_HOME"], ignore_errors=True)

gc.disable()  # until all is collected: next to nothing of what is imported goes, and looking takes a sixth of the time

skip_stubs()  # before gradio is imported
skip_compiler()  # before timm is

settings.register_profile("unhurried", deadline=None)  # a busy machine is no failure
settings.load_profile("unhurried")

ROOT = Path(__file__).parents[1]
FIRST = {"test_wrong_types.py"}  # the last file in the order of the folders, long enough to leave one worker idle


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-wording", action="store_true", help="write the sentences that tests meet anew")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:  # noqa: ANN401 - xdist says no types
    """With --dist loadfile the files that ask one server go to one worker."""
    return scheduler(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser or the app, of which `make test` takes journeys; FIRST comes first, then servers."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if "browser_path" in fixtures:
            item.add_marker("browser")
        if fixtures & SERVERS.keys():
            item.add_marker("app")
    items.sort(key=lambda item: (item.path.name not in FIRST, place_of(item.nodeid.partition("::")[0])))


def pytest_collection_finish() -> None:
    """Never look for garbage among what is imported by now: it is most of the memory, and nothing of it goes.

    And look a tenth as often as Python by itself, which took a thirtieth of all computing; the memory is no more.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()
    atexit.register(gc.unfreeze)  # DuckDB would complain of what is left when the interpreter goes


@pytest.fixture(autouse=True)
def exact_floats() -> Iterator[None]:
    """No test may leave subnormal numbers flushed to 0, as training does for speed: later ones would do so too."""
    yield
    if sys.float_info.min / 2 == 0.0:
        import torch

        torch.set_flush_denormal(False)
        pytest.fail("subnormal numbers were still taken as 0 after this test: see models/training/processor.py")


@pytest.fixture(autouse=True, scope="module")
def models_of_files_go() -> Iterator[None]:
    """A process keeps every model that it loaded: those of a test's own files, gigabytes in all, go with the tests."""
    yield
    if "models.load" in sys.modules:
        from models import load

        for kept in (load._classifiers, load._vlms):
            for name, device in [key for key in kept if os.sep in key[0]]:
                del kept[name, device]


@pytest.fixture
def wording(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Wording]:
    """Compares a sentence with the snapshot of the test's room: tests/support/wording.py."""
    folder = request.path.parent
    test = f"{request.path.name}::{request.node.name}"
    compared = Wording(
        test,
        folder / SNAPSHOT,
        {str(tmp_path): "TMP", tmp_path.name: "TMP"},
        request.config.getoption("--renew-wording"),
    )
    yield compared
    compared.finish()


def skip_or_fail(word: str, reason: str) -> None:
    """Skip, or fail where TAILSCOPE_REQUIRE (a comma-separated list) names `word`."""
    required = {name.strip() for name in os.environ.get("TAILSCOPE_REQUIRE", "").split(",")}
    if word in required:
        pytest.fail(f"TAILSCOPE_REQUIRE names {word!r}, but {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real radiographs, TAILSCOPE_SHARED."""
    folder = Path(os.environ.get("TAILSCOPE_SHARED", ROOT.parent / "shared")).resolve()
    if not (folder / "data").is_dir():
        skip_or_fail("shared", "the real radiographs are not here; TAILSCOPE_SHARED says where they are")
    return folder


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The Chromium that browser tests drive."""
    found = installed_browser()
    if found is None:
        skip_or_fail("browser", "no chromium is installed")
    assert found is not None
    return found
