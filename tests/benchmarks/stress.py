"""Every figure of docs/stress.md, docs/anatomy.md and docs/insertion.md: `python -m tests.benchmarks.stress`.

Runs the commands that print them one after the other, each in a process of its own: `--only` chooses some. One that
fails, misses a goal or lacks what it needs does not stop the others. The end names these, and the exit code is 1. A
small run takes the quick ones; every command has a small size of its own. What readers answered to `inserted_look` is
not printed: the films were deleted, and a new look needs a new reader.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.command_line import command
from tests.support.installed_browser import installed_browser

NEEDS = ("shared",)  # the quick ones
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SHARED = Path(os.environ.get("TAILSCOPE_SHARED", ROOT.parent / "shared")).resolve()


@dataclass(frozen=True, slots=True)
class Step:
    """A command, named for its benchmark, or for the cohort whose table `explorer robustness` prints."""

    title: str
    name: str
    model: str = ""  # of the cohort
    quick: bool = False

    def words(self, small: bool) -> list[str]:
        """Return the command line after `python -m`."""
        if not self.model:
            return [f"tests.benchmarks.{self.name}", *["--small"] * small]
        return ["explorer", "robustness", "--cohort", self.name, "--model", self.model, *["--resamples", "0"] * small]

    def lacking(self) -> str:
        """Return what is missing on this machine; empty if nothing is."""
        needs = () if self.model else _needs(HERE / f"{self.name}.py")
        missing = {
            "shared": ("real radiographs (TAILSCOPE_SHARED)", (SHARED / "data").is_dir()),
            "browser": ("Chromium", installed_browser() is not None),
        }
        return ", ".join(words for need, (words, there) in missing.items() if need in needs and not there)


STEPS = (
    Step("Perturbations: structural similarity by kind and strength", "similarity", quick=True),
    Step("Perturbations: SIMULATED films", "phantom", "phantom", quick=True),
    Step("Perturbations: real films", "nih-oof", "nih-linear-probe", quick=True),
    Step("Perturbations: a pass beside plain scoring", "perturbed_scores"),
    Step("Perturbations: 377,110 films at 105 levels", "robustness"),
    Step("One film on Read: how stable is this?", "stability"),
    Step("The same SIMULATED patient, imaged again", "physical", quick=True),
    Step("Detectability of inserted findings", "detectability", quick=True),
    Step("Anatomy: outlines and heart size", "anatomy"),
    Step("Anatomy: a start for real films", "anatomy_start"),
    Step("Insertion: whether to believe it, and training on it", "insertion"),
    Step("Insertion: films for a reader who does not know", "inserted_look"),
    Step("Insertion: time on the page", "insertion_page"),
)


def _needs(file: Path) -> tuple[str, ...]:
    """Return the literal NEEDS of a benchmark without importing it."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "NEEDS" for to in node.targets):
            found: tuple[str, ...] = ast.literal_eval(node.value)
            return found
    return ()


def run(step: Step, small: bool) -> str:
    """Run a step, printing its lines as they come; return why it has no or not all figures, or nothing."""
    if lacking := step.lacking():
        return f"not run, because this machine lacks {lacking}"
    line = [sys.executable, "-m", *step.words(small)]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        missed = False
        for each in process.stdout:
            missed |= "MISSED" in each
            print(each, end="", flush=True)
    if process.returncode:
        return "missed a goal" if missed else f"failed with exit code {process.returncode}"
    return ""


def results(steps: Sequence[Step], small: bool) -> Iterator[tuple[Step, str]]:
    """Yield each step after its run, with why it has no or not all figures."""
    for step in steps:
        print(f"\n## {step.title} (`python -m {' '.join(step.words(small))}`)\n", flush=True)
        why = run(step, small)
        if why:
            print(f"{step.name}: {why}", flush=True)
        yield step, why


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a step has no or not all figures."""
    parser = command(__doc__)
    parser.add_argument("--only", nargs="+", choices=[step.name for step in STEPS], help="run these alone")
    asked = parser.parse_args(words)
    names = asked.only or [step.name for step in STEPS if step.quick or not asked.small]
    chosen = [step for step in STEPS if step.name in names]
    wrong = [f"  {step.name}: {why}" for step, why in results(chosen, asked.small) if why]
    print(f"\n## {len(chosen) - len(wrong)} of {len(chosen)} complete", *wrong, sep="\n", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
