"""Gradio is imported without writing .pyi files, and every other module as ever."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from explorer.runtime import without_stubs
from explorer.runtime.without_stubs import skip_stubs

WRITES = """
from pathlib import Path

def create_or_modify_pyi(described):
    Path(__file__).with_suffix(".pyi").write_text("")

def else_as_ever():
    return 7
"""


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that stands for gradio's."""
    name = "writes_stubs"
    (tmp_path / f"{name}.py").write_text(WRITES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(without_stubs, "STUB_MODULE", name)
    finders = [each for each in sys.meta_path if not isinstance(each, without_stubs._Finder)]  # gradio's to come
    monkeypatch.setattr(sys, "meta_path", finders)
    monkeypatch.delitem(sys.modules, name, raising=False)
    return name


def test_the_module_is_imported_without_its_writer(made_up: str, tmp_path: Path) -> None:
    before = list(sys.meta_path)
    skip_stubs()
    skip_stubs()
    assert len(sys.meta_path) == len(before) + 1
    module = importlib.import_module(made_up)
    module.create_or_modify_pyi(str)
    assert module.else_as_ever() == 7 and sys.meta_path == before
    assert not (tmp_path / f"{made_up}.pyi").exists()
    del sys.modules[made_up]
    importlib.import_module(made_up).create_or_modify_pyi(str)
    assert (tmp_path / f"{made_up}.pyi").exists(), "once: the next import is as ever"


def test_after_the_import_it_changes_nothing(made_up: str) -> None:
    importlib.import_module(made_up)
    before = list(sys.meta_path)
    skip_stubs()
    assert sys.meta_path == before


def test_gradio_is_imported_without_it_here() -> None:
    """And so still has the function of that name which a newer version may have renamed."""
    module = importlib.import_module(without_stubs.STUB_MODULE)
    assert module.create_or_modify_pyi.__module__ == "explorer.runtime.without_stubs"
