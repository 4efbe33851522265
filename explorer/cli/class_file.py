"""`class file`: a class as one HTML file, for places where no network may be used."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.options import ImageFolders, OnDevice, image_folders
from explorer.cli.say import say
from explorer.core.figures import fixed

if TYPE_CHECKING:
    from explorer.school.playlists.found_film import FilmSources
    from explorer.settings import Device


def class_file(
    playlist: Annotated[Path, typer.Argument(metavar="PLAYLIST", help="A playlist that Teach exported: JSON.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to write; named after the playlist by default.")
    ] = None,
    images: ImageFolders = None,
    device: OnDevice = "cpu",
    models: Annotated[
        bool,
        typer.Option("--models/--no-models", help="Whether to include what models find in simulated films."),
    ] = True,
    with_model: Annotated[
        bool,
        typer.Option("--with-model", help="Show a model's answer after the learner's own, then ask again."),
    ] = False,
) -> None:
    """Write a class as one HTML file: films, questions and the truth, sealed until a learner has answered.

    The file opens from disk in a browser and needs neither a server nor a network; each learner sets the pace. Answers
    stay in the browser, and learners save their own sheet. The truth is in the file, so a determined reader can find
    it.

    \b
    Examples:
      python -m explorer class file playlist.json --out class.html
      python -m explorer class file playlist.json --with-model --out with-model.html
      python -m explorer class file playlist.json --images my-hospital=/data/films

    \b
    Exit codes:
      0  done; films that could not be prepared are reported
      2  wrong input: not a playlist, none of its films available, or a file that cannot be written
    """
    from explorer.cli.output import writable
    from explorer.school.class_file.class_file import build_class_file as made_file
    from explorer.school.class_file.class_file import class_file_name
    from explorer.school.playlists.playlist_json import parse_playlist
    from explorer.school.preparing.preparing import prepare_playlist
    from models.whole_file import atomic_write

    with report_refusals():
        playlist_films = parse_playlist(playlist.read_bytes())
        target = out or Path(class_file_name(playlist_films))
        writable(target, playlist)
        ready = prepare_playlist(playlist_films, _sources(image_folders(images or []), device if models else None))
        for sentence in (*ready.left_out, *ready.missing):
            say(sentence, err=True)
        made = made_file(ready, with_model=with_model)
        with atomic_write(target.resolve()) as partial_file:
            partial_file.write_bytes(made)
    say(f"{len(ready.films)} of {len(playlist_films.films)} films, {fixed(len(made) / 2**20, 1)} MB: {target}")


def _sources(folders: list[tuple[str, Path]], device: Device | None) -> FilmSources:
    """Where films, labels and scores come from; `device` is where models run, None: no models."""
    from explorer.cohorts.images import Images
    from explorer.school.playlists.found_film import FilmSources
    from explorer.settings import CLASSIFIERS, VLMS
    from explorer.store.store import Store

    usual = (CLASSIFIERS.real, CLASSIFIERS.simulated, VLMS.real, VLMS.simulated)
    store, images = Store(), Images(dict(folders))
    if device is None:
        return FilmSources(store, images, usual=usual)
    from explorer.asking.asker import Asker
    from explorer.asking.model import load_text_model
    from explorer.reading.model_loader import LazyModel, load_classifier
    from explorer.reading.reader import Reader

    readers = CLASSIFIERS.each(lambda name: Reader(LazyModel(name, partial(load_classifier, name, device))))
    askers = VLMS.each(lambda name: Asker(partial(load_text_model, name, device)))
    return FilmSources(store, images, readers, askers, usual)
