"""Every benchmark runs at its small size, so that none rots. A benchmark is a file of this folder that can be run."""

from __future__ import annotations

import ast
import importlib
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE

HERE = Path(__file__).parent
FILES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.py")) if path.stem[:2] != "__"}
BENCHMARKS = [name for name, text in FILES.items() if re.search(r'^if __name__ == "__main__":', text, re.MULTILINE)]
FIXTURES = {"browser": "browser_path", "shared": "shared"}  # that skip the test where the machine lacks it


def needs(text: str) -> tuple[str, ...]:
    """The markers that a benchmark names in its NEEDS, without importing it."""
    assigned = {
        target.id: node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found: tuple[str, ...] = ast.literal_eval(assigned["NEEDS"]) if "NEEDS" in assigned else ()
    return found


def marked(name: str) -> object:
    """The benchmark's name with its markers."""
    return pytest.param(name, marks=[pytest.mark.slow, *(getattr(pytest.mark, each) for each in needs(FILES[name]))])


@pytest.mark.parametrize("name", [*map(marked, BENCHMARKS)])
def test_runs_at_its_small_size(
    name: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for need in set(needs(FILES[name])) & FIXTURES.keys():
        request.getfixturevalue(FIXTURES[need])
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    main = importlib.import_module(f"tests.benchmarks.{name}").main
    with ThreadPoolExecutor(1) as thread:  # where no browser of other tests has an event loop
        assert thread.submit(main, ["--small"]).result() == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1  # the first one tells the machine's load
    assert "MISSED" not in "\n".join(lines)


def test_what_is_no_benchmark_is_part_of_one() -> None:
    texts = "\n".join(FILES.values())
    others = [name for name in FILES if name not in BENCHMARKS and not name.startswith("test_")]
    assert [name for name in others if not re.search(rf"tests\.benchmarks(\.| import ){name}\b", texts)] == []


def test_the_docs_list_every_benchmark() -> None:
    text = (HERE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = text.partition("| benchmark | measures |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)) == sorted(BENCHMARKS)
