"""`figure`: films of a cohort with their heat maps, ready to print."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.options import ImageFolders, OnDevice, image_folders
from explorer.cohorts.counted import cases_text

if TYPE_CHECKING:
    from models.classifier.ensemble import AnyClassifier


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A loaded classifier as a Reader takes it."""

    model: AnyClassifier
    loading: bool = False

    def __call__(self) -> AnyClassifier:
        return self.model


def figure(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored the cohort.")],
    out: Annotated[Path, typer.Option(help="File to write, ending in .png or .pdf.")],
    where: Annotated[
        str, typer.Option(help='Films, such as "outcome=miss, group=rare, center=B"; any filter of Explore.')
    ] = "outcome=wrong",
    films: Annotated[int, typer.Option(min=1, max=48, help="The number of films, largest errors first.")] = 8,
    columns: Annotated[int, typer.Option(min=1, max=6, help="Films beside one another.")] = 2,
    maps: Annotated[bool, typer.Option("--maps/--no-maps", help="Whether to draw heat maps.")] = True,
    images: ImageFolders = None,
    device: OnDevice = "auto",
) -> None:
    """Draw films beside the same films with their heat maps: 180 mm wide, 300 dots per inch.

    Each film has its finding, outcome, score and threshold. If the finding's place is known, from boxes or from the
    simulator, it is outlined. Maps have one scale for all films, and the notes below say how often they are right. A
    map that may be no better than the finding's usual place is left out. Films that are not here are counted.

    \b
    Examples:
      python -m explorer figure --cohort phantom --model phantom --where "outcome=false-alarm" --out alarms.png
      python -m explorer figure --cohort clinic --model nih-mini --where "outcome=miss, finding=Mass" --films 12 \\
          --columns 3 --images clinic=/data/films --out misses.pdf

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort, a model, films or a file that cannot be used
    """
    from explorer.analysis.exports.error_figure import MEDIA_TYPES, FigureRequest, error_figure
    from explorer.cli.loaded_model import loaded_classifier
    from explorer.cli.opened_slice import opened_slice
    from explorer.cli.output import file_kind, writable
    from explorer.cli.say import say
    from explorer.cohorts.images import Images
    from explorer.reading.reader import Reader
    from models.whole_file import atomic_write

    kind = file_kind(out, MEDIA_TYPES)
    folders = image_folders(images or [])
    with report_refusals():
        writable(out)
        with opened_slice(cohort, [model], where) as (store, chosen, (model,)):
            shown = store.page(chosen, size=films)
            made = store.model(cohort, model)
            can_map = maps and made.sha256 is not None and made.unit == "score"
            reader = Reader(_Loaded(loaded_classifier(model, device))) if can_map else None
            request = FigureRequest(chosen, shown, reader, columns, kind)
            drawn = error_figure(store, Images(dict(folders)), request, lambda film: film.radiograph())
            with atomic_write(out.resolve()) as partial:
                partial.write_bytes(drawn.data)
            say(f"{out.name}: {cases_text(len(shown), store.counted(cohort))} of {store.count(chosen).films:,}.")
