"""Sets up the serving process: threads, memory, and environment variables that libraries read on import."""

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
    """Set what NumPy reads on import."""
    # Matrix products here are small: more threads took twice the CPU time and saved no wall time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def no_core_files() -> None:
    """Disable core dumps, which would write films from memory to disk, for this process and its helpers."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def before_threads() -> None:
    """Set how threads switch and share memory, and how the process ends. Call it before starting threads."""
    signal.signal(signal.SIGTERM, _end)
    no_core_files()
    few_pools()
    # Threads that answer visitors release the interpreter at each file and socket, then wait up to 5 ms by default.
    sys.setswitchinterval(0.001)
    # torch's worker threads would busy-wait for one another, which took ten times the CPU time of the computation.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def before_gradio(folder: Path, *, offline: bool) -> None:
    """Set what gradio, huggingface_hub and timm read on import; `folder` receives their temporary files."""
    skip_stubs()
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["GRADIO_TEMP_DIR"] = str(folder)
    # timm creates this folder on import, by default in the system's temporary folder, and never deletes it.
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder / "inductor"))


def keep_running(*works: Callable[[], None]) -> None:
    """Start each function in a daemon thread."""
    for work in works:
        threading.Thread(target=work, daemon=True).start()


def _end(signum: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # make repeats the signal, which would interrupt the cleanup
    raise SystemExit(0)
