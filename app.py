"""Starts Tailscope: settings -> store -> page -> launch. Nothing imports this file."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from explorer.runtime.interrupt import end_on_interrupt, exit_code_of_interrupt
from explorer.runtime.program_exit import exit_without_teardown

if __name__ == "__main__":
    end_on_interrupt()  # first, because the imports below take seconds

# After Ctrl-C is handled (E402):
from explorer.runtime import environment  # noqa: E402
from explorer.runtime.memory import release_memory_loop  # noqa: E402
from explorer.runtime.too_little_memory import report_memory_errors  # noqa: E402

environment.before_numpy()


# What answers need and the page does not: loaded once the page is served.
IMPORTED_LATER = ("scipy.sparse", "scipy.special", "models.films.dicom_pixels")


def import_later() -> None:
    """Import what the first answers would otherwise wait for."""
    for name in IMPORTED_LATER:
        import_module(name)


def main(words: Sequence[str]) -> int:
    """Serve the page with the command line's settings until the program ends; returns the exit status."""
    gc.disable()  # until the page is served: imports leave little garbage, and a search takes a tenth of them
    from explorer.settings import CLASSIFIERS, VLMS, parse_settings
    from explorer.ui.port import announce
    from explorer.ui.shared.private_folder import private_folder
    from models.cards.routing import comes_from_hub, film_provenance, may_download, vlm_film_provenance

    settings = parse_settings(words)
    if not announce(settings.port):
        return 2
    environment.before_threads()
    folder = private_folder()
    environment.before_gradio(folder, offline=not comes_from_hub(settings.model) and not may_download(settings.vlm))

    from explorer.analysis.film_maps.film_map_process import background_maps
    from explorer.analysis.intervals.intervals_job import background_intervals
    from explorer.analysis.thresholds.for_reading import reader_factory
    from explorer.asking.asker import Asker
    from explorer.asking.model import load_text_model
    from explorer.cohorts.images import Images
    from explorer.cohorts.simulated_films_apart import cached_film_processes
    from explorer.cohorts.thumbnail_packer import ThumbnailPacker
    from explorer.ingest.building import sweep_unfinished
    from explorer.reading.model_loader import Classifiers, load_classifier
    from explorer.reading.model_routing import models_by_provenance
    from explorer.reading.model_shelf import ModelShelf
    from explorer.reading.sample_films import SampleFilms
    from explorer.reading.samples import sample_bytes
    from explorer.school.classroom.opening import open_class
    from explorer.store.store import Store
    from explorer.ui.ask.handlers import AskHandlers
    from explorer.ui.gradio_host.serve import serve
    from explorer.ui.page import build_page
    from explorer.ui.read.handlers import OpenedFilms, ReadHandlers
    from explorer.ui.read.joiner import Joiner
    from explorer.ui.routes import page_routes
    from explorer.ui.shared.services import Services
    from explorer.ui.shared.uploads import Uploads
    from explorer.ui.simulate.handlers import SimulateHandlers
    from explorer.ui.simulate.scores import PhantomModels
    from explorer.ui.teach.handlers import TeachHandlers
    from models.films.decode_pool import visitor_film_processes

    if (classes := open_class(settings.classroom, folder)) is None:
        return 2
    films, uploads, store = OpenedFilms(), Uploads(folder), Store()
    environment.keep_running(sweep_unfinished, films.sweep_forever, uploads.sweep_forever, release_memory_loop)
    reads = models_by_provenance(settings.model, CLASSIFIERS, film_provenance)
    load = partial(load_classifier, device=settings.device)
    readers = (classifiers := Classifiers(settings.model, reads, load)).models.each(reader := reader_factory(store))
    texts = models_by_provenance(settings.vlm, VLMS, vlm_film_provenance)
    askers = texts.each(lambda name: Asker(partial(load_text_model, name, settings.device)))
    images = Images(settings.images, store.every_folder, simulated := cached_film_processes())
    packer = ThumbnailPacker(images)
    services = Services(store, images, readers, background_intervals(store), askers, background_maps(store))
    loaded_first = readers.of(reads.simulated == settings.model)
    measure = partial((joiner := Joiner(store, images)).measure, loaded_first, readers.real, readers.simulated)
    samples, shelf = SampleFilms(partial(sample_bytes, films=simulated)), ModelShelf(load, reader)
    reading = ReadHandlers(readers, films, uploads, joiner, samples, shelf, settings.dicom)
    simulating = SimulateHandlers(PhantomModels(readers.simulated, askers.simulated, store), store)
    asking, teaching = AskHandlers(askers, reading), TeachHandlers.of(services, askers)
    page = build_page(classifiers.first, reads, reading, asking, services, simulating, teaching, classes.classroom)
    try:
        begin = (
            gc.enable,
            partial(environment.keep_running, import_later),
            classes.start,
            visitor_film_processes().start,
            classifiers.start,
            partial(environment.keep_running, measure),
        )
        serve(page, settings.port, uploads, page_routes(store, images, simulated, packer), begin)
    finally:
        for each in (classes, teaching.preparing, packer, services):
            each.close()
    return 0


if __name__ == "__main__":
    with exit_without_teardown(), exit_code_of_interrupt(), report_memory_errors():
        raise SystemExit(main(sys.argv[1:]))
