"""Text of `lab systems`: the systems of the challenge's teams, with what is whole and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.training.lab_system import LabSystem


def describe_systems() -> str:
    """Return a line for each system."""
    from models.training.lab_system import lab_system, system_names

    return "\n".join(f"{name}: {_summary(lab_system(name))}" for name in system_names())


def describe_system(system: LabSystem) -> str:
    """Return what the paper prints of a system, its parts with their state, and the recipes that stand for it."""
    from models.training.lab_system import recipes_of_system

    lines = [_summary(system), f"Printed in {system.challenge}, {system.source}:"]
    lines += [f"  {key}: {value}" for key, value in system.published.items()]
    lines += ["Parts:"]
    lines += [f"  {part.name}: {part.state}.{' ' + part.note if part.note else ''}" for part in system.parts]
    if system.recipe:
        names = ", ".join(recipe.name for recipe in recipes_of_system(system))
        lines += [
            f"Its small sibling trains with `python -m explorer lab train {system.recipe} --run RUN` ({names}).",
            f"`lab systems {system.name} --write DIR` writes its recipes at their published size.",
        ]
    return "\n".join(lines)


def write_full_recipes(system: LabSystem, folder: Path) -> str:
    """Write a system's recipes at their published size, and return how to train them. Keeps files that are there."""
    from models.training.lab_system import full_recipes

    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, text in full_recipes(system).items():
        file = folder / f"{name}.toml"
        if file.exists():
            lines.append(f"{file} exists and is kept.")
        else:
            file.write_text(text, encoding="utf-8")
            lines.append(f"Wrote {file}.")
    return "\n".join([*lines, f"Train it: python -m explorer lab train {file} --run RUN --device cuda"])


def _summary(system: LabSystem) -> str:
    missing = [part.name for part in system.parts if part.state == "missing"]
    state = f"not whole: {', '.join(missing)} missing" if missing else "whole"
    needs = f"; {', '.join(system.needs())} at its published size" if system.needs() else ""
    return f"{system.label} ({system.title}): {state}{needs}."
