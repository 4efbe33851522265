"""Every command of docs/paper-tables.md, in its order, on made-up films of a hospital and of another one."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from tests.explorer.cli.command import run

PAGE = (Path(__file__).parents[1] / "docs/paper-tables.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\.venv/bin/python -m explorer (.+)$", PAGE, re.M)
FINDINGS = ("Mass", "Nodule", "Cardiomegaly", "Normal")
FILMS = 240


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the page names: films with labels and splits, the map of its columns, scores of two models."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (said,) = re.findall(r"```toml\n(.+?)```", PAGE, re.S)
    (tmp_path / "map.toml").write_text(said, encoding="utf-8")
    hospital(tmp_path, "films.csv", "ours.csv", 0)
    hospital(tmp_path, "elsewhere.csv", "elsewhere-ours.csv", 1)
    wide = [line.split(",") for line in (tmp_path / "ours.csv").read_text(encoding="utf-8").splitlines()]
    dice = np.random.default_rng(5)
    long = [f"{row[0]},{name},{dice.random():.4f}" for row in wide[1:] for name in FINDINGS]
    (tmp_path / "baseline.csv").write_text("\n".join(["image_id,finding,score", *long]), encoding="utf-8")
    films = [line.split(",") for line in (tmp_path / "films.csv").read_text(encoding="utf-8").splitlines()]
    labels = [[row[0], *("-1" if cell == "0.5" else cell for cell in row[5:])] for row in films[1:]]
    header = ",".join(["image_id", *FINDINGS])
    (tmp_path / "labels.csv").write_text("\n".join([header, *map(",".join, labels)]), encoding="utf-8")
    (tmp_path / "scores.csv").write_text((tmp_path / "ours.csv").read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


def hospital(folder: Path, table: str, scores: str, seed: int) -> None:
    """Films of 120 patients, half of them for validation, and scores that are higher with the finding."""
    dice = np.random.default_rng(seed)
    names = ",".join(FINDINGS)
    films, scored = [f"Bild,Patient,Fold,Projektion,Geschlecht,{names}"], [f"image_id,{names}"]
    for n in range(FILMS):
        present = dice.random(3) < (0.3, 0.2, 0.05)
        cells = [*("1" if each else "0" for each in present), "0" if present.any() else "1"]
        if n % 40 == 0:
            cells[1], cells[3] = "0.5", "0"
        view, sex = ("PA", "Thorax seitlich")[n % 7 == 0], ("weiblich", "m")[n % 2]
        split = "val" if n < FILMS // 2 else "test"
        films.append(f"f{seed}-{n},p{seed}-{n // 2},{split},{view},{sex},{','.join(cells)}")
        marks = np.array([cell == "1" for cell in cells], float)
        logits = 2 * marks - 1 + dice.normal(0, 1, len(marks))
        scored.append(f"f{seed}-{n}," + ",".join(f"{each:.5f}" for each in 1 / (1 + np.exp(-logits))))
    (folder / table).write_text("\n".join(films), encoding="utf-8")
    (folder / scores).write_text("\n".join(scored), encoding="utf-8")


@pytest.mark.slow
def test_every_command_of_the_page_runs_in_its_order(desk: Path) -> None:
    assert len(COMMANDS) >= 13
    shown: dict[str, str] = {}
    for command in COMMANDS:
        done = run(*shlex.split(command))
        assert done.exit_code == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        shown[command] = done.stdout
    written = {path.name for path in desk.iterdir() if path.suffix in (".tex", ".png")}
    assert written == set(re.findall(r"--out (\S+\.(?:tex|png))", "\n".join(COMMANDS)))
    for name in ("main.tex", "pair.tex", "calibration.tex"):
        assert r"\begin{tabular}" in (desk / name).read_text(encoding="utf-8")
    ours = "thresholds --cohort clinic --model ours"
    of_test = next(text for command, text in shown.items() if command.startswith(ours))
    assert "out of sample" in of_test and "split val (120 films of 60 patients)" in of_test
    elsewhere = next(text for command, text in shown.items() if command.startswith("thresholds --cohort elsewhere"))
    assert "split val of clinic (120 films" in elsewhere
    assert "carried here" in (desk / "calibration.tex").read_text(encoding="utf-8")


def test_the_figures_of_the_page_are_those_of_the_command() -> None:
    """The rows that the page shows of the shipped phantom."""
    command = next(each for each in COMMANDS if each.startswith("compare --cohort phantom"))
    done = run(*shlex.split(command))
    shown = re.findall(r"^(Atelectasis|Pneumoperitoneum) +(.+)$", PAGE, re.M)
    assert len(shown) == 2
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    for finding, figures in shown:
        assert " ".join([finding, *figures.split()]) in lines
