"""What reading a film costs: `python -m tests.benchmarks.read` prints `name value goal`, exits 1 when one is missed.

Needs nothing but the project: the film is RG1 of pydicom-data, the model nih-mini on the CPU.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from pytorch_grad_cam import GradCAM
from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget

from explorer.cohorts.layout import CACHE
from explorer.reading.finding_list import FindingRow, finding_rows
from explorer.reading.samples import sample_bytes
from models import load
from models.cards.card import Card
from models.classifier.classifier import Classifier
from models.radiograph import Radiograph, read_radiograph
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure, paired_ms
from tests.support.film_files import PACKAGED

ROUNDS = 40


def package_loop(model: Classifier, film: Radiograph, cam: GradCAM, findings: int) -> list[np.ndarray]:
    """The first findings' maps the usual way: one call of the grad-cam package each."""
    inputs = model.inputs([film])
    return [cam(input_tensor=inputs, targets=[ClassifierOutputTarget(k)])[0] for k in range(findings)]


def reading(rounds: int) -> Iterator[Figure]:
    """Forward, explain and the package's loop in turns; then the whole way from bytes."""
    model = load.classifier("nih-mini", "cpu")
    data = sample_bytes("masses")
    film = read_radiograph(data)
    findings = len(model.findings) if rounds > 1 else 1
    with GradCAM(model.backbone.network.requires_grad_(), [model.backbone.network.bn2]) as cam:
        loop = paired_ms(
            {"loop": lambda: package_loop(model, film, cam, findings), "explain": lambda: model.explain(film)},
            max(1, rounds // 10),
        )
    model.backbone.network.requires_grad_(False)
    times = paired_ms({"forward": lambda: model.score([film]), "explain": lambda: model.explain(film)}, rounds)
    yield Figure("forward", times["forward"], "ms")
    yield Figure("explain, all findings", times["explain"], "ms")
    yield Figure("explain / forward", times["explain"] / times["forward"], "x", 1.1)
    yield from heat_figures(film, rounds)
    yield Figure("grad-cam loop, all findings", loop["loop"], "ms")
    yield Figure("grad-cam loop / explain", loop["loop"] / loop["explain"], "x", 20, least=True)
    whole = paired_ms({"read": lambda: model.explain(read_radiograph(data)).on_film(512)}, max(1, rounds // 4))
    yield Figure("RG1 bytes to scores and maps", whole["read"], "ms", 400)
    twin = (PACKAGED / "RG1_J2KR.dcm").read_bytes()
    compressed = paired_ms({"read": lambda: model.explain(read_radiograph(twin)).on_film(512)}, max(1, rounds // 8))
    yield Figure("the same from JPEG 2000", compressed["read"], "ms")


def heat_figures(film: Radiograph, rounds: int) -> Iterator[Figure]:
    """The maps that the page shows, in forward passes at the size that the model scores at.

    Behind the first it asks for those that it shows unasked: on the film of the cohort that has most of them so many.
    """
    for name, cohort in (("nih-mini", "nih-oof"), ("phantom", "phantom")):
        model = load.classifier(name, "cpu")
        shown = [finding for finding in model.findings if finding != "Normal"]
        unasked = most_unasked(model.card, CACHE / cohort / "predictions" / name, 50 * rounds)
        times = paired_ms(
            {
                "forward": lambda: model.score([film]),  # noqa: B023 - called before the loop goes on
                "first": lambda: model.heat(film, shown[:1]),  # noqa: B023
                "unasked": lambda: model.heat(film, unasked),  # noqa: B023
                "all": lambda: model.heat(film, shown),  # noqa: B023
            },
            max(1, rounds // 2),
        )
        yield Figure(f"{name}: first map / forward", times["first"] / times["forward"], "x", 2)
        of = f"the {len(unasked)} maps of the film with most of them"
        yield Figure(f"{name}: {of} / forward", times["unasked"] / times["forward"], "x", 8)
        yield Figure(f"{name}: all {len(shown)} maps at once / forward", times["all"] / times["forward"], "x")


def most_unasked(card: Card, predictions: Path, most: int) -> list[str]:
    """The findings whose maps are shown unasked on the film that has most of them, of the first films of a cohort."""
    scores = pd.read_parquet(predictions).pivot(index="case", columns="finding", values="score")[list(card.findings)]
    films = (finding_rows(card, film) for film in scores.to_numpy(np.float32)[:most])
    return max(([row.finding for row in rows if is_shown_unasked(row)] for rows in films), key=len)


def is_shown_unasked(row: FindingRow) -> bool:
    """As explorer/ui/static/shared/finding_words.js has it."""
    worth = row.map_worth is None or row.map_worth.shown is not False
    return row.state == "above" and row.finding != "Normal" and row.warning is None and worth


def measured(small: bool) -> Iterator[Figure]:
    """Every figure."""
    yield from reading(1 if small else ROUNDS)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
