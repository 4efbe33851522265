"""Too little memory is told in a sentence that says what to do, not as a mistake to report."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch

from explorer.cli.ending import report_refusals
from explorer.cohorts.parquet_files import reading_parquet
from explorer.reading.model_loader import load_classifier
from explorer.runtime.too_little_memory import too_little_memory
from models.cards.card import UnusableModel
from models.out_of_memory import refuse_out_of_memory
from tests.support.wording import Wording, line_with
from tests.ui.app_server import free_port

PROJECT = Path(__file__).parents[3]
TOO_MUCH = 1 << 55  # bytes
LITTLE = 150 << 20  # of which imports do not come to their end; with a little more some libraries in C wait for ever


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [("evaluate", "--cohort", "phantom", "--model", "phantom"), ("model", "check", "nih-mini"), ("taxonomies",)],
    ids=["evaluate", "check", "taxonomies"],
)
def test_a_command_without_memory_says_so(words: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "explorer", *words],
        cwd=PROJECT,
        env=os.environ | {"TAILSCOPE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LITTLE, LITTLE)),
    )
    assert "Traceback" not in done.stderr and "report" not in done.stderr
    assert done.returncode == 0 or (done.returncode == 2 and "not enough memory" in done.stderr)


def test_the_errors_of_libraries_are_understood(wording: Wording) -> None:
    with pytest.raises(MemoryError) as of_numpy:
        np.empty(TOO_MUCH, np.uint8)
    with pytest.raises(RuntimeError) as of_torch:
        torch.empty(TOO_MUCH, dtype=torch.uint8)
    for error in (of_numpy.value, of_torch.value):
        said = too_little_memory(error) or ""
        assert "run it again" in said
        wording(said, "not enough memory")
    assert too_little_memory(RuntimeError("could not create a primitive")) == too_little_memory(MemoryError())
    wrapped = ValueError("something else")
    wrapped.__cause__ = ImportError("libtorch_cpu.so: failed to map segment from shared object")
    assert too_little_memory(wrapped) == too_little_memory(MemoryError())
    wording(line_with(too_little_memory(BrokenProcessPool("terminated abruptly")) or "", "process ended"))
    assert too_little_memory(ValueError("not enough memory of the case")) is None
    assert too_little_memory(RuntimeError("shapes differ")) is None


def test_the_page_has_the_sentence_where_a_model_finds_no_memory(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    def too_much(*_: object) -> object:
        return torch.empty(TOO_MUCH, dtype=torch.uint8)

    monkeypatch.setattr("models.load.classifier", too_much)
    with pytest.raises(UnusableModel) as caught:
        load_classifier("nih-mini", "cpu")
    wording(caught.value, "not enough memory", "nih-mini")


@pytest.mark.app
def test_the_page_without_memory_to_start_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "app.py", "--port", str(free_port())],
        cwd=PROJECT,
        env=os.environ | {"TAILSCOPE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LITTLE, LITTLE)),
    )
    assert done.returncode == 2 and "not enough memory" in done.stderr and "Traceback" not in done.stderr


def test_a_model_without_memory_is_refused(wording: Wording) -> None:
    with pytest.raises(UnusableModel) as caught:
        with refuse_out_of_memory("nih-mini", "cpu"):
            torch.empty(TOO_MUCH, dtype=torch.uint8)
    wording(caught.value, "nih-mini", "fewer films")
    with pytest.raises(RuntimeError, match="another"), refuse_out_of_memory("nih-mini", "cpu"):
        raise RuntimeError("another")


@pytest.mark.parametrize(
    "error", [pa.ArrowMemoryError("malloc of size 448 failed"), OSError(12, "Cannot allocate memory")]
)
def test_a_file_that_memory_was_too_little_for_is_not_called_damaged(error: Exception, tmp_path: Path) -> None:
    with pytest.raises(type(error)), reading_parquet(tmp_path / "cases.parquet"):
        raise error
    with pytest.raises(type(error)), report_refusals():
        raise error
