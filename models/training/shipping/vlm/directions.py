"""Stores the standard prompts' directions with a model's weights: `python -m models.training.shipping.vlm.directions`.

With them the shipped cohort's margins can be recomputed exactly without the text tower, whose last bits differ between
machines.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from safetensors.numpy import save_file

from models import load
from models.cards.registry import registry_table
from models.prompts.standard import prompts_digest, standard_prompts
from models.training.shipping.listed_files import write_file_hashes
from models.whole_file import atomic_write


def write_directions(name: str) -> Path:
    """Write `NAME.directions.safetensors` (findings, d) next to the validation films of a card; return its path.

    `name` is a registered name or the path of a TOML file.
    """
    model = load.vlm(name, "cpu")
    prompts = standard_prompts(model.card.templates)
    metadata = {
        "findings": json.dumps(list(prompts)),
        "sha256": model.card.sha256 or "",
        "prompts": prompts_digest(prompts),
    }
    metadata["scale"] = repr(model.scale)
    assert model.card.validation is not None
    target = model.card.local_file(model.card.validation).with_name(f"{model.card.name}.directions.safetensors")
    with atomic_write(target) as partial:
        save_file({"directions": model.directions(list(prompts.values()))}, partial, metadata)
    return target


def main() -> None:
    """Write the file of one model."""
    parser = argparse.ArgumentParser(prog="python -m models.training.shipping.vlm.directions", description=__doc__)
    parser.add_argument("name", nargs="?", default="nih-mini-vlm", help="a registered image-text model")
    name = parser.parse_args().name
    write_directions(name)
    write_file_hashes(registry_table(name)[0])


if __name__ == "__main__":
    main()
