"""Tests that ask one server are one worker's: what the text of their files says is what pytest finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.shared_servers import SERVERS, server_of


def test_every_file_of_a_server_goes_where_that_server_is(request: pytest.FixtureRequest) -> None:
    """Whatever tests this run has."""
    asked: dict[str, set[str]] = {}
    for item in request.session.items:
        file = item.nodeid.partition("::")[0]
        here = {
            name
            for name in SERVERS.keys() & set(getattr(item, "fixturenames", ()))
            if item._fixtureinfo.name2fixturedefs[name][-1].baseid == "tests/ui"  # type: ignore[attr-defined]
        }
        asked.setdefault(file, set()).update(here)
    some_are_left_out = bool(request.config.getoption("markexpr"))  # as `make test` does with those of a server
    for file, servers in asked.items():
        found = next((each for each in SERVERS if each in servers), None)
        assert server_of(file) == found or (some_are_left_out and found is None), file


OWN = """
@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    yield start()

def test_it(server: Server) -> None: ...
"""


def test_a_server_of_a_files_own_is_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted(f"tests/ui/{path.name}" for path in (Path(__file__).parent / "ui").glob("test_*.py"))
    assert {server_of(file) for file in files} == {*SERVERS, None}
    assert server_of("tests/ui/test_read_models.py") == "models_server", "its `server` is another one"
    assert server_of("tests/test_shared_servers.py") is None
    (tmp_path / "tests" / "ui").mkdir(parents=True)
    (tmp_path / "tests" / "ui" / "test_own.py").write_text(OWN, encoding="utf-8")
    monkeypatch.setattr("tests.support.shared_servers.ROOT", tmp_path)
    assert server_of("tests/ui/test_own.py") is None
