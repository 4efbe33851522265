"""How many of our files take part in an answer: `python -m tests.benchmarks.files_per_answer`.

Counted in the app's process, by the functions that run between a question and its answer; the second of two questions
each, so that what is loaded once does not count. A newcomer who follows a click has so much to read.
"""

from __future__ import annotations

import io
import json
import runpy
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import httpx

from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure

ROOT = Path(__file__).parents[2]
NEEDS = ("app",)
OURS = (str(ROOT / "explorer"), str(ROOT / "models"))


def measured(small: bool) -> Iterator[Figure]:
    """Start the app and ask it: files by kind of question; a small run asks one."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        start = "from tests.benchmarks.files_per_answer import serve; serve()"
        command = [sys.executable, "-c", start, str(notes), "--port", str(port)]
        app = subprocess.Popen([*command, "--device", "cpu"], cwd=ROOT, stdout=subprocess.DEVNULL)
        try:
            for kind, files in answered(port, notes, Path(folder), small).items():
                yield Figure(f"{kind}, files", len(files), "")
        finally:
            app.terminate()
            app.wait(20)


def answered(port: int, notes: Path, folder: Path, small: bool) -> dict[str, list[str]]:
    """Ask each question twice, or one kind of them; the files of the second answers."""
    from gradio_client import handle_file
    from PIL import Image

    from explorer.simulator import render

    client = client_of(port)
    films = []
    for seed in (7, 8):
        pixels, _ = render(seed, ["Pleural Effusion"], "A", 256)
        written = io.BytesIO()
        Image.fromarray((pixels * 255).clip(0, 255).astype("uint8")).save(written, "PNG")
        films.append(folder / f"{seed}.png")
        films[-1].write_bytes(written.getvalue())
    questions = {
        "an upload": [lambda film=film: client.predict(handle_file(str(film)), api_name="/read") for film in films],
        "a filter": [
            lambda at=at: client.predict(
                "phantom", "phantom", f"center={at}, outcome=miss", "worst", 24, 0, api_name="/slice"
            )
            for at in "AB"
        ],
        "the leaderboard": [
            lambda films=films: client.predict("phantom", ["phantom", "lab-crt-0"], films, api_name="/evaluate")
            for films in ("center=A", "center=B")
        ],
    }
    found = {}
    for kind in ["a filter"] if small else questions:
        first, second = questions[kind]
        first()
        time.sleep(0.5 if small else 3)
        (notes.with_suffix(".reset")).touch()
        while notes.with_suffix(".reset").exists():
            time.sleep(0.05)
        second()
        time.sleep(0.3)
        found[kind] = json.loads(notes.read_text())
    return found


def client_of(port: int) -> Any:  # noqa: ANN401 - gradio_client says no types
    """The app's client, as soon as the page answers."""
    from gradio_client import Client

    for _ in range(240):
        try:
            return Client(f"http://127.0.0.1:{port}", verbose=False)
        except (OSError, httpx.HTTPError, ValueError):  # the page does not answer yet
            time.sleep(0.5)
    raise TimeoutError("the app does not answer")


def serve() -> None:
    """Become the app, and keep writing the files whose functions ran since the last reset to the first argument."""
    notes, words = Path(sys.argv[1]), sys.argv[2:]
    seen: set[str] = set()

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    def write() -> None:
        while True:
            if notes.with_suffix(".reset").exists():
                seen.clear()
                notes.with_suffix(".reset").unlink()
            ours = sorted(name for name in list(seen) if name.startswith(OURS))
            partial = notes.with_suffix(".partial")
            partial.write_text(json.dumps(ours))
            partial.replace(notes)
            time.sleep(0.1)

    threading.Thread(target=write, daemon=True).start()
    threading.setprofile(called)
    sys.setprofile(called)
    sys.argv = ["app.py", *words]
    runpy.run_path(str(ROOT / "app.py"), run_name="__main__")


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
