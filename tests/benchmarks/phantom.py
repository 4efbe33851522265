"""What a simulated film costs: `python -m tests.benchmarks.phantom` (one core); exit 1 where the goal is missed."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
import time

import numpy as np

from explorer.phantom import ABNORMAL, CENTERS, render

GOAL = 0.1  # seconds of a core for a film of 224 px
FILMS = 60


def main() -> int:
    """Time films of all findings in turn, in processor seconds so that neighbors do not count."""
    print(f"load before {os.getloadavg()[0]:.1f}; processor seconds a film")
    medians = {}
    for size, films in ((224, FILMS), (512, FILMS // 3), (1024, FILMS // 6)):
        normal = [_seconds(seed, [], size) for seed in range(films)]
        single = [_seconds(seed, [ABNORMAL[seed % len(ABNORMAL)]], size) for seed in range(films)]
        medians[size] = float(np.median(normal + single))
        print(
            f"{size:5} px: normal median {np.median(normal):.3f}, one finding median {np.median(single):.3f}, "
            f"slowest {max(normal + single):.3f} s"
        )
    slowest = max(ABNORMAL, key=lambda name: min(_seconds(seed, [name], 224) for seed in range(3)))
    print(f"slowest finding at 224 px: {slowest}")
    return int(medians[224] > GOAL)


def _seconds(seed: int, findings: list[str], size: int) -> float:
    start = time.process_time()
    render(seed, findings, CENTERS[seed % 2], size)
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
