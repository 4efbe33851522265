"""The page is built before what answers need is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.app_server import free_port

ROOT = Path(__file__).parents[1]
LATER = ("torch", "timm", "open_clip", "transformers", "sklearn", "scipy.sparse", "scipy.special", "pydicom")

BUILT = """
import sys
import app
from explorer.runtime.environment import before_gradio
from explorer.ui.shared.private_folder import private_folder
before_gradio(private_folder(), offline=True)
from explorer.ui.gradio_host import serve

def serve_nothing(page, *others):
    assert len(page.blocks) > 10
    print("built,", *sorted(set(sys.argv[2:]) & set(sys.modules)))

serve.serve = serve_nothing
app.main(["--port", sys.argv[1]])
"""


@pytest.mark.app
def test_the_page_is_built_without_what_answers_need(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUILT, str(free_port()), *LATER],
        cwd=ROOT,
        env=os.environ | {"TAILSCOPE_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "built,", done.stderr
