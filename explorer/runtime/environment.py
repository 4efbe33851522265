"""How the serving process is set up: its threads, its memory, and the variables that libraries read when imported."""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from explorer.runtime.memory import few_pools
from explorer.runtime.without_stubs import skip_stubs


def before_numpy() -> None:
    """What NumPy reads when it is imported."""
    # The products here are small: more threads took twice the CPU and no less time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def no_core_files() -> None:
    """A crash leaves no copy of the memory, with films in it, on the disk: not of this process nor of its helpers."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def before_threads() -> None:
    """How threads take turns and share memory, and how the process ends. To be called before there are threads."""
    signal.signal(signal.SIGTERM, _end)
    no_core_files()
    few_pools()
    # Whoever answers a visitor gives up its turn at each file and socket; by default it waits 5 ms for another one.
    sys.setswitchinterval(0.001)
    # torch's helpers would spin while they wait for one another: on busy cores that took ten times what computing does.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def before_gradio(folder: Path, *, offline: bool) -> None:
    """What gradio, huggingface_hub and timm read when they are imported; `folder` takes their temporary files."""
    skip_stubs()
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["GRADIO_TEMP_DIR"] = str(folder)
    # timm's import makes this folder, by default in the machine's temporary one, where it would stay.
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder / "inductor"))


def keep_running(*works: Callable[[], None]) -> None:
    """Start each in a thread of its own that ends with the process."""
    for work in works:
        threading.Thread(target=work, daemon=True).start()


def _end(signum: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # make passes it on: a second one would break the tidying up
    raise SystemExit(0)
