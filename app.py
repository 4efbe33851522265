"""Start Tailscope: settings, a private upload folder, the model in the background, the page. Imported by nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

from explorer.settings import HOST, Settings, parse

if TYPE_CHECKING:
    from explorer.asking.model import TextModel
    from explorer.reading import Classifier


def main(settings: Settings) -> int:
    """Serve the page until the program is ended; returns the exit status."""
    signal.signal(signal.SIGTERM, _end)
    # Read by gradio and huggingface_hub when they are imported, hence the imports below.
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    if not _is_downloaded(settings.model) and not _needs_network(settings.vlm):
        os.environ["HF_HUB_OFFLINE"] = "1"
    from explorer.ui.uploads import Uploads, private_folder

    folder = private_folder()
    os.environ["GRADIO_TEMP_DIR"] = str(folder)
    # timm's import makes this folder, by default in the machine's temporary one, where it would stay.
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder / "inductor"))

    from explorer.asking.asker import Asker
    from explorer.background import BackgroundModel
    from explorer.cohorts.images import Images
    from explorer.intervals_job import IntervalsJob
    from explorer.reading import Reader
    from explorer.store import Store
    from explorer.ui.ask.desk import AskDesk
    from explorer.ui.desk import Desk, Films
    from explorer.ui.explore.services import Services
    from explorer.ui.joiner import Joiner
    from explorer.ui.page import build
    from explorer.ui.routes import routes
    from explorer.ui.serve import port_is_free, serve

    if not port_is_free(settings.port):
        sys.stderr.write(
            f"Port {settings.port} is taken: another program, perhaps another Tailscope, listens on it.\n"
            f'Choose another one, for example: make run ARGS="--port {settings.port + 1}"\n'
        )
        return 2
    model = BackgroundModel(settings.model, partial(_load, settings.model, settings.device))
    films = Films()
    threading.Thread(target=films.sweep_forever, daemon=True).start()
    sys.stdout.write(f"Tailscope is starting on http://{HOST}:{settings.port} - end it with Ctrl-C\n")
    sys.stdout.flush()
    reader, store = Reader(model), Store()
    asker = Asker(partial(_load_vlm, settings.vlm, settings.device))
    services = Services(store, Images(settings.images), reader, IntervalsJob(store), asker)
    desk = Desk(reader, films, Uploads(folder), Joiner(store, services.images))
    page = build(model, desk, AskDesk(asker, desk), services)
    try:
        serve(page, settings.port, routes(store, services.images), model.start)
    finally:
        services.intervals.close()
        store.close()
    return 0


def _load(name: str, device: str) -> Classifier:
    from models.load import classifier

    return classifier(name, device)


def _load_vlm(name: str, device: str) -> TextModel:
    from models.load import vlm

    return vlm(name, device)


def _is_downloaded(name: str) -> bool:
    """Whether the model's weights come from a hub; a card that cannot be read is complained of where it is loaded."""
    from models.card import UnusableModel, card

    try:
        return card(name).weights.startswith("hf-hub:")
    except UnusableModel:
        return False


def _needs_network(name: str) -> bool:
    from models.vlm_card import needs_network

    return needs_network(name)


def _end(signum: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # make passes it on: a second one would break the tidying up
    raise SystemExit(0)


if __name__ == "__main__":
    raise SystemExit(main(parse(sys.argv[1:])))
