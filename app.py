"""Start Tailscope: settings, a private upload folder, the model in the background, the page. Imported by nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

# Read by NumPy when it is imported. The products here are small: more threads took twice the CPU and no less time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from explorer.runtime.memory import few_pools, give_back_forever, keep_for_good
from explorer.settings import CLASSIFIERS, HOST, VLMS, Settings, parse

if TYPE_CHECKING:
    from explorer.asking.model import TextModel
    from explorer.reading.model_loader import BackgroundModel, LazyModel
    from explorer.reading.model_routing import ByProvenance
    from explorer.reading.reader import Classifier
    from models.films.film import Provenance


def main(settings: Settings) -> int:
    """Serve the page until the program is ended; returns the exit status."""
    signal.signal(signal.SIGTERM, _end)
    few_pools()
    # Whoever answers a visitor gives up its turn at each file and socket; by default it waits 5 ms for another one.
    sys.setswitchinterval(0.001)
    # torch's helpers would spin while they wait for one another: on busy cores that took ten times what computing does.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    # Read by gradio and huggingface_hub when they are imported, hence the imports below.
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    if not _is_downloaded(settings.model) and not _needs_network(settings.vlm):
        os.environ["HF_HUB_OFFLINE"] = "1"
    from explorer.ui.private_folder import private_folder

    folder = private_folder()
    os.environ["GRADIO_TEMP_DIR"] = str(folder)
    # timm's import makes this folder, by default in the machine's temporary one, where it would stay.
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder / "inductor"))

    from explorer.analysis.intervals_job import IntervalsJob
    from explorer.analysis.intervals_process import IntervalsApart
    from explorer.asking.asker import Asker
    from explorer.cohorts import layout
    from explorer.cohorts.images import Images
    from explorer.cohorts.simulated_films import KeptFilms
    from explorer.cohorts.simulated_films_apart import FilmsApart
    from explorer.reading.model_loader import BackgroundModel, LazyModel
    from explorer.reading.model_routing import shared_out
    from explorer.reading.reader import Reader
    from explorer.reading.sample_films import SampleFilms
    from explorer.reading.samples import sample_bytes
    from explorer.store.store import Store
    from explorer.ui.ask.desk import AskDesk
    from explorer.ui.desk import Desk, Films
    from explorer.ui.explore.services import Services
    from explorer.ui.joiner import Joiner
    from explorer.ui.page import build
    from explorer.ui.routes import routes
    from explorer.ui.serve import port_is_free, serve
    from explorer.ui.simulate.desk import SimulateDesk
    from explorer.ui.simulate.scores import Judges
    from explorer.ui.uploads import Uploads

    if not port_is_free(settings.port):
        sys.stderr.write(
            f"Port {settings.port} is taken: another program, perhaps another Tailscope, listens on it.\n"
            f'Choose another one, for example: make run ARGS="--port {settings.port + 1}"\n'
        )
        return 2
    model = BackgroundModel(settings.model, partial(_load, settings.model, settings.device))
    films = Films()
    uploads = Uploads(folder)
    for forever in (films.sweep_forever, uploads.sweep_forever, give_back_forever):
        threading.Thread(target=forever, daemon=True).start()
    sys.stdout.write(f"Tailscope is starting on http://{HOST}:{settings.port} - end it with Ctrl-C\n")
    sys.stdout.flush()
    store = Store()
    reads = shared_out(settings.model, CLASSIFIERS, _films_of)
    models = reads.each(
        lambda name: model if name == settings.model else LazyModel(name, partial(_load, name, settings.device))
    )
    readers = models.each(Reader)
    askers = shared_out(settings.vlm, VLMS, _films_of_vlm).each(
        lambda name: Asker(partial(_load_vlm, name, settings.device))
    )
    simulated = KeptFilms(layout.SIMULATED, make=FilmsApart())
    services = Services(
        store,
        Images(settings.images, simulated=simulated),
        readers,
        IntervalsJob(store, intervals=IntervalsApart().of),
        askers,
    )
    samples = SampleFilms(partial(sample_bytes, films=simulated))
    desk = Desk(readers, films, uploads, Joiner(store, services.images), samples)
    simulating = SimulateDesk(Judges(readers.simulated, askers.simulated, store), store)
    page = build(model, reads, desk, AskDesk(askers, desk), services, simulating)
    try:
        serve(page, settings.port, uploads, routes(store, services.images), lambda: _get_ready(model, models))
    finally:
        services.intervals.close()
        store.close()
    return 0


def _get_ready(model: BackgroundModel, models: ByProvenance[BackgroundModel | LazyModel]) -> None:
    from explorer.reading.model_loader import LazyModel
    from models.films.decode_pool import visitors_films

    visitors_films().start()
    model.start()
    for other in (models.real, models.simulated):
        if isinstance(other, LazyModel):
            other.start_after(model)


def _load(name: str, device: str) -> Classifier:
    from explorer.reading.one_thread import InOneThread
    from models.load import classifier

    model = InOneThread(classifier(name, device))
    keep_for_good()
    return model


def _load_vlm(name: str, device: str) -> TextModel:
    from models.load import vlm

    model = vlm(name, device)
    keep_for_good()
    return model


def _films_of(name: str) -> Provenance | None:
    """The films that a classifier was made for; None where no card of it can be read."""
    from models.cards.card import UnusableModel, card

    try:
        return card(name).films
    except UnusableModel:
        return None


def _films_of_vlm(name: str) -> Provenance | None:
    """The same of an image-text model; one without a card was not made for the phantom's films."""
    from models.cards.card import UnusableModel
    from models.cards.vlm_card import SOURCES, vlm_card

    try:
        return "real" if name.startswith(SOURCES) else vlm_card(name).films
    except UnusableModel:
        return None


def _is_downloaded(name: str) -> bool:
    """Whether the model's weights come from a hub; a card that cannot be read is complained of where it is loaded."""
    from models.cards.card import UnusableModel, card

    try:
        return card(name).weights.startswith("hf-hub:")
    except UnusableModel:
        return False


def _needs_network(name: str) -> bool:
    from models.cards.vlm_card import needs_network

    return needs_network(name)


def _end(signum: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # make passes it on: a second one would break the tidying up
    raise SystemExit(0)


if __name__ == "__main__":
    raise SystemExit(main(parse(sys.argv[1:])))
