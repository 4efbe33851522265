"""Start Tailscope: settings -> store -> page -> launch. Imported by nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from explorer.runtime.interrupt import end_on_interrupt, exit_code_of_interrupt

if __name__ == "__main__":
    end_on_interrupt()  # the imports below take seconds

from explorer.runtime import environment  # noqa: E402
from explorer.runtime.memory import release_memory_loop  # noqa: E402
from explorer.runtime.too_little_memory import memory_told  # noqa: E402

environment.before_numpy()


def main(words: Sequence[str]) -> int:
    """Serve the page as the command line's words ask until the program is ended; returns the exit status."""
    from explorer.settings import CLASSIFIERS, VLMS, parse
    from explorer.ui.port import announce
    from explorer.ui.shared.private_folder import private_folder
    from models.cards.routing import films_of, films_of_vlm, is_downloaded, needs_network

    settings = parse(words)
    if not announce(settings.port):
        return 2
    environment.before_threads()
    folder = private_folder()
    environment.before_gradio(folder, offline=not is_downloaded(settings.model) and not needs_network(settings.vlm))

    from explorer.analysis.film_maps.film_map_process import maps_apart
    from explorer.analysis.intervals.intervals_job import intervals_apart
    from explorer.analysis.thresholds.for_reading import reader_with
    from explorer.asking.asker import Asker
    from explorer.asking.model import load_text_model
    from explorer.cohorts.images import Images
    from explorer.cohorts.simulated_films_apart import kept_films_apart
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
    from explorer.ui.page import build
    from explorer.ui.read.handlers import Films, ReadHandlers
    from explorer.ui.read.joiner import Joiner
    from explorer.ui.routes import routes
    from explorer.ui.shared.services import Services
    from explorer.ui.shared.uploads import Uploads
    from explorer.ui.simulate.handlers import SimulateHandlers
    from explorer.ui.simulate.scores import Judges
    from explorer.ui.teach.handlers import TeachHandlers
    from models.films.decode_pool import visitors_films

    if (classes := open_class(settings.classroom, folder)) is None:
        return 2
    films, uploads, store = Films(), Uploads(folder), Store()
    environment.keep_running(sweep_unfinished, films.sweep_forever, uploads.sweep_forever, release_memory_loop)
    reads = models_by_provenance(settings.model, CLASSIFIERS, films_of)
    load = partial(load_classifier, device=settings.device)
    readers = (classifiers := Classifiers(settings.model, reads, load)).models.each(reader := reader_with(store))
    texts = models_by_provenance(settings.vlm, VLMS, films_of_vlm)
    askers = texts.each(lambda name: Asker(partial(load_text_model, name, settings.device)))
    images = Images(settings.images, store.every_folder, simulated := kept_films_apart())
    services = Services(store, images, readers, intervals_apart(store), askers, maps_apart(store))
    loaded_first = readers.of(reads.simulated == settings.model)
    measure = partial((joiner := Joiner(store, images)).measure, loaded_first, readers.real, readers.simulated)
    samples, shelf = SampleFilms(partial(sample_bytes, films=simulated)), ModelShelf(load, reader)
    reading = ReadHandlers(readers, films, uploads, joiner, samples, shelf, settings.dicom)
    simulating = SimulateHandlers(Judges(readers.simulated, askers.simulated, store), store)
    asking, teaching = AskHandlers(askers, reading), TeachHandlers.of(services, askers)
    page = build(classifiers.first, reads, reading, asking, services, simulating, teaching, classes.classroom)
    try:
        begin = classes.start, visitors_films().start, classifiers.start, partial(environment.keep_running, measure)
        serve(page, settings.port, uploads, routes(store, images, simulated), begin)
    finally:
        for each in (classes, teaching.preparing, services):
            each.close()
    return 0


if __name__ == "__main__":
    with exit_code_of_interrupt(), memory_told():
        raise SystemExit(main(sys.argv[1:]))
