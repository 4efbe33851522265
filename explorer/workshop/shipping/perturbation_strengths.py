"""Matches the strengths of perturbations: `python -m explorer.workshop.shipping.perturbation_strengths --films DIR`.

Writes `models/perturbations/strengths.toml`: the dials at which each kind leaves the same mean structural similarity of
the films in DIR. It ships for 16 of the NIH films, every 50th by name.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from models.perturbations.film import working_film
from models.perturbations.match import dials_for
from models.perturbations.registry import PERTURBATIONS, SIMILARITIES, STRENGTHS_FILE
from models.radiograph import Radiograph, read_radiograph
from models.whole_file import atomic_write

log = logging.getLogger(__name__)
EVERY, MOST = 50, 16


def main() -> None:
    """Match all kinds that have a dial."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.workshop.shipping.perturbation_strengths", description=__doc__
    )
    parser.add_argument("--films", type=Path, required=True, help="folder of radiographs")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    films = films_to_match(parser.parse_args().films)
    lines = [
        f"# Dials at mean structural similarities of {', '.join(map(str, SIMILARITIES))}; see `match.py`.",
        "[dials]",
    ]
    for kind in PERTURBATIONS.values():
        if kind.has_dial:
            lines.append(f"{kind.name} = {list(dials_for(films, kind))}")
            log.info(lines[-1])
    with atomic_write(STRENGTHS_FILE) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")


def films_to_match(folder: Path, first: int = 0) -> dict[str, Radiograph]:
    """Return working films of a folder by name: every 50th from `first`."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())[first::EVERY][:MOST]
    return {path.name: working_film(read_radiograph(path.read_bytes())) for path in paths}


if __name__ == "__main__":
    main()
