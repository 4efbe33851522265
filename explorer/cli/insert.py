"""`insert`: a simulated finding in one's own film, and what a model says of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.options import OnDevice

if TYPE_CHECKING:
    from models.array_types import Float32
    from models.cards.card import Card
    from models.radiograph import Radiograph


def insert(
    film: Annotated[Path, typer.Argument(help="A frontal film: DICOM, PNG, JPEG or TIFF.")],
    finding: Annotated[str, typer.Option(help="Nodule, Mass, Pleural Effusion, Pneumothorax, Alveolar Pattern, ...")],
    out: Annotated[Path, typer.Option(help="File to write, ending in .png or .pdf.")],
    side: Annotated[str, typer.Option(help="The patient's side: right or left.")] = "right",
    severity: Annotated[float, typer.Option(min=0, max=1, help="From 0, subtle, to 1, obvious.")] = 0.6,
    patient: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Whose finding: a simulated patient's seed.")] = 1,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Put a nodule or mass at 100 places: where would it be missed?")
    ] = False,
    model: Annotated[str, typer.Option(help="A classifier that scores the film with and without.")] = "nih-ensemble",
    device: OnDevice = "auto",
) -> None:
    """Put a simulated finding into a film, and score the film with and without it. Not for medical use.

    The finding of a simulated patient is aligned with the film's lungs, and changes how much passes through the
    patient. Every picture has the mark SIMULATED FINDING IN A REAL FILM, or on a simulated film IN A SIMULATED FILM.
    The last sentence says whether the model was shown to see such a finding as it sees real ones.

    \b
    Examples:
      python -m explorer insert film.png --finding Mass --side left --out mass.png
      python -m explorer insert film.dcm --finding Mass --everywhere --out blind-spots.pdf

    \b
    Exit codes:
      0  done
      2  wrong input: a film, a finding or a file that cannot be used
    """
    from explorer.analysis.exports.error_figure import MEDIA_TYPES
    from explorer.analysis.exports.figure_sheet import sheet_bytes
    from explorer.analysis.exports.insertion_sheet import (
        blind_spot_sentence,
        blind_spot_sheet,
        insertion_sentence,
        insertion_sheet,
    )
    from explorer.cli.loaded_model import loaded_classifier
    from explorer.cli.output import file_kind, writable
    from explorer.cli.say import say
    from explorer.insertion.believable import believable_words
    from explorer.insertion.blind_spots import blind_spots
    from explorer.insertion.insertion import Insertion
    from explorer.insertion.rescored import rescored
    from models.anatomy import anatomy
    from models.perturbations.film import working_film
    from models.radiograph import read_radiograph
    from models.whole_file import atomic_write

    kind = file_kind(out, MEDIA_TYPES)
    with report_refusals():
        writable(out, film)
        network = loaded_classifier(model, device)
        place, threshold = _looked_for(network.card, finding)
        shown = working_film(read_radiograph(film))
        outlines = anatomy(shown)

        def score(films: Sequence[Radiograph]) -> Float32:
            found: Float32 = network.score(films)[:, place]
            return found

        believable = believable_words(network.card.name, finding, simulated=shown.simulated)
        if everywhere:
            if threshold is None:
                raise typer.BadParameter(f"{model} has no threshold for {finding}, so it flags none.")
            spots = blind_spots(shown, outlines, finding, severity, score)
            sentence = blind_spot_sentence(spots, finding, severity, threshold, outlines)
            sheet = blind_spot_sheet(shown, spots, threshold, sentence, believable)
        else:
            wanted = Insertion(finding, side, severity, patient)
            found = rescored(shown, outlines, wanted, score)
            sentence = insertion_sentence(found, wanted, threshold)
            sheet = insertion_sheet(shown, found, sentence, believable)
        with atomic_write(out.resolve()) as partial:
            partial.write_bytes(sheet_bytes(sheet, kind))
    say(f"SIMULATED. {sentence} {believable}")


def _looked_for(card: Card, finding: str) -> tuple[int, float | None]:
    """Return a finding's place among the model's scores, and its threshold."""
    if finding not in card.findings:
        raise typer.BadParameter(f"{card.name} does not look for {finding}. It scores {', '.join(card.findings)}.")
    point = card.operating_points.get(finding)
    return card.findings.index(finding), None if point is None else point.threshold
