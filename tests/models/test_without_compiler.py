"""Who imports timm or torchvision gets them without torch's compiler, and the compiler where it is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest
import torch

from models import without_compiler
from models.without_compiler import COMPILER, UTILS, is_compile_supported, skip_compiler

NEEDY = f"""
import torch
from {UTILS} import is_compile_supported

@torch.compiler.disable
def twice(number):
    return 2 * number
"""


@pytest.fixture
def needy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that needs what timm and torchvision do, in a process that knows no compiler."""
    (tmp_path / "needy.py").write_text(NEEDY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(without_compiler, "IMPORTERS", {"needy"})
    for name in (COMPILER, UTILS):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.delitem(torch.__dict__, "_dynamo", raising=False)
    skip_compiler()


def test_a_package_is_imported_without_the_compiler(needy: None) -> None:
    made = import_module("needy")
    del sys.modules["needy"]
    assert made.twice(4) == 8 and made.is_compile_supported is is_compile_supported
    assert COMPILER not in sys.modules and UTILS not in sys.modules


def test_a_broken_import_leaves_nothing_in_its_place(needy: None, tmp_path: Path) -> None:
    (tmp_path / "needy.py").write_text("import nothing_of_this_name")
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        import_module("needy")
    assert COMPILER not in sys.modules and UTILS not in sys.modules


def test_the_compiler_answers_for_itself() -> None:
    assert is_compile_supported("cpu") == import_module(UTILS).is_compile_supported("cpu")


def test_it_is_in_place_once() -> None:
    before = list(sys.meta_path)
    skip_compiler()
    assert sys.meta_path == before
