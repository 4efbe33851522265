"""Who may import whom. Rooms are imported in fresh interpreters, and the import statements of every file are read.

An interpreter imports the modules of a rule one after another and says after each which forbidden packages are new.
When none is there at the end, no module of the rule brought one, so that one interpreter does for many modules, and for
rules of which no earlier one brings what a later one forbids. Where one would, the later ones are asked in a copy of
the interpreter that was made before.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]

REPORT = """
import importlib, json, os, sys

def ask(asked):
    rule, modules, forbidden, *then = asked
    if rule == "page":
        from explorer.runtime.without_stubs import skip_stubs
        skip_stubs()  # they take as long as the rest of gradio
    brought, found = {}, set()
    for module in modules:
        importlib.import_module(module)
        new = {name for name in forbidden if name in sys.modules} - found
        if new:
            brought[f"{rule}: {module}"] = sorted(new)
        found |= new
    print(json.dumps([rule, brought]), flush=True)
    for each in then:
        if not (copy := os.fork()):
            ask(each)
            os._exit(0)
        assert os.waitpid(copy, 0)[1] == 0

ask(json.loads(sys.argv[1]))
"""

RENDERED = """
import sys

OURS = ("explorer", "explorer.phantom", "models", "models.array_types", "models.without_compiler")

class Bare:
    "As if nothing were installed beside NumPy and SciPy, which bring their own Cython modules."
    def find_spec(self, name, path=None, target=None):
        ours = name in OURS or (name + ".").startswith("explorer.simulator.")
        standard = name.partition(".")[0] in sys.stdlib_module_names or name.startswith("_sysconfigdata")
        if not (ours or standard or name.partition(".")[0] in ("numpy", "scipy")):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Bare())
from explorer.phantom import ABNORMAL, render
for center in "AB":
    pixels, masks = render(1, ABNORMAL, center, 64)
    assert pixels.shape == (64, 64) and set(masks) == set(ABNORMAL)
"""


@dataclass(frozen=True)
class Rule:
    """None of `forbidden` may be imported by any of the modules, neither directly nor through others."""

    modules: tuple[str, ...]
    forbidden: tuple[str, ...]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(folder: str) -> tuple[str, ...]:
    """Every module under a folder, a room's own package first. `__main__` runs when imported, so it is left out."""
    paths = (ROOT / folder).rglob("*.py")
    return tuple(sorted(module_name(path) for path in paths if path.stem != "__main__"))


# Which rooms of explorer/ each room may import, itself apart. The three shelves follow one another.
BOTTOM = {"core", "runtime"}
DATA = BOTTOM | {"simulator", "cohorts"}
FILMS = DATA | {"metrics", "reading"}
EXPLORER: dict[str, set[str]] = {
    "core": set(),
    "runtime": set(),
    "web": set(),
    "metrics": {"core"},
    "tabular": {"core"},
    "published": {"core", "metrics"},
    "reports": {"core"},
    "cohorts": BOTTOM | {"simulator"},
    "store": DATA,
    "ingest": DATA | {"metrics", "reports", "tabular"},
    "insertion": {"core", "simulator"},
    "reading": DATA | {"metrics"},
    "asking": FILMS,
    "analysis": FILMS | {"asking", "insertion", "store", "tabular"},
    "scoring": FILMS | {"analysis", "asking", "insertion", "store"},
    "film_folder": FILMS | {"analysis", "ingest", "scoring", "tabular"},
    "settings": {"school.classroom", "cohorts", "reading"},
    "notebook": DATA | {"analysis", "settings", "store"},
    "ui": FILMS
    | {"analysis", "asking", "film_folder", "insertion", "published", "settings", "store", "web"}
    | {"school", "school.classroom", "school.reviews"},
    "cli": FILMS
    | {"analysis", "asking", "ingest", "insertion", "published", "reports", "scoring", "settings", "store", "tabular"}
    | {"school", "school.classroom", "school.reviews", "workshop.demo", "workshop.lab", "workshop.localization"},
    "__main__": {"cli", "runtime"},
}
SCHOOL: dict[str, set[str]] = {
    "simulator": BOTTOM,
    "phantom": {"simulator"},
    "school": FILMS | {"analysis", "asking", "store"},
    "school.classroom": DATA | {"metrics", "school", "web"},
    "school.reviews": DATA | {"analysis", "ingest", "metrics", "school", "school.classroom", "store", "tabular", "web"},
}
WORKSHOP: dict[str, set[str]] = {
    "workshop.localization": DATA | {"metrics", "tabular"},
    "workshop.lab": DATA | {"metrics", "scoring"},
    "workshop.demo": DATA | {"ingest", "metrics", "scoring"},
    "workshop.shipping": FILMS
    | {"analysis", "scoring", "store", "workshop.demo", "workshop.lab", "workshop.localization"},
}
PERMITTED = {**EXPLORER, **SCHOOL, **WORKSHOP}

# The faces of models/: what rooms other than the workshop's may import of it.
FACES = frozenset(
    f"models.{name}"
    for name in (
        "anatomy anatomy.cardiothoracic anatomy.places array_types child_process exact_products load radiograph "
        "refusal statistics toml_text whole_file "
        "cards.address cards.addressed_card cards.card cards.classifier_card cards.download cards.finding_relations "
        "cards.foreign_weights cards.heat_method cards.home cards.hub cards.known_file cards.map_card "
        "cards.output_function cards.plain_file cards.registry cards.routing cards.start_probes cards.vlm_card "
        "classifier.classifier classifier.ensemble classifier.new_model "
        "films.amend films.burned_in films.dicom_film films.dicom_walker films.file_kind films.film films.orientation "
        "films.png_stream films.without_patient "
        "gate.judgment perturbations.film perturbations.kind perturbations.registry perturbations.small_changes "
        "prompts.standard prompts.templates prompts.terms vlm.model"
    ).split()
)
# The command `lab` lists systems, and lists and trains recipes.
LAB_COMMAND = {
    "models.device",
    "models.training.lab_recipe",
    "models.training.lab_system",
    "models.training.processor",
}

MODELS = modules("models")
ROOMS = modules("explorer")
PACKAGES = {name for name in MODELS if (ROOT / name.replace(".", "/")).is_dir()}
SHIPPING = ("explorer.workshop.shipping", "models.training.shipping")  # what makes the shipped weights and cohorts
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NOT_INSTALLED = PROJECT["tool"]["setuptools"]["packages"]["find"]["exclude"]


def inside(*rooms: str) -> tuple[str, ...]:
    """The modules of rooms, or a module itself."""
    return tuple(name for name in ROOMS for room in rooms if f"{name}.".startswith(f"explorer.{room}."))


UI = inside("ui")
# These run models over cases: the files besides the page's that may bring torch.
COMPOSITION = inside(
    "scoring.run",
    "scoring.perturbed_run",
    "scoring.inserted_run",
    "workshop.shipping",
    "workshop.lab",
    *(f"workshop.localization.{name}" for name in "command films mapped_model randomization report run".split()),
)
STORE = inside("store.store", "store.database", "store.files_written_apart")
CORE = tuple(name for name in ROOMS if name not in (*UI, *COMPOSITION))

RULES = {
    "models": Rule(MODELS, ("explorer", "gradio", "duckdb", "app")),
    "models without torch": Rule(
        ("models.radiograph", "models.cards.classifier_card", "models.cards.vlm_card", "models.gate", "models.prompts"),
        ("torch", "gradio", "timm"),
    ),
    "image-text models until one is opened": Rule(("models.load",), ("open_clip", "transformers", "torch._dynamo")),
    "explorer core": Rule(CORE, ("torch", "gradio", "app")),
    "explorer without the store": Rule(tuple(name for name in CORE if name not in STORE), ("duckdb",)),
    "page": Rule(UI, ("torch", "duckdb", "app")),
    "app": Rule(("app",), ("torch", "timm", "pytorch_grad_cam", "open_clip", "transformers")),
}


# Each rule with those that are asked after it, each of them in a copy of the interpreter.
ORDER: tuple[Any, ...] = (
    "models without torch",
    ("image-text models until one is opened", ("models",)),
    ("explorer without the store", ("explorer core",), ("page", ("app",))),
)


def names_of(order: tuple[Any, ...]) -> list[str]:
    return [order[0], *(name for each in order[1:] for name in names_of(each))]


def words_of(order: tuple[Any, ...]) -> list[Any]:
    return [order[0], RULES[order[0]].modules, RULES[order[0]].forbidden, *map(words_of, order[1:])]


def printed(code: str, *words: str) -> str:
    """By a fresh interpreter."""
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_rule_is_asked() -> None:
    assert sorted(names_of(ORDER)) == sorted(RULES)


@pytest.mark.slow
def test_importing_a_room_brings_nothing_forbidden() -> None:
    lines = printed(REPORT, json.dumps(words_of(ORDER))).splitlines()
    brought = dict(json.loads(line) for line in lines if line.startswith('["'))
    assert brought == dict.fromkeys(names_of(ORDER), {})


def test_the_phantom_renders_with_numpy_and_scipy_alone() -> None:
    printed(RENDERED)


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules that a file's import statements name, those inside functions too; each is read once for all tests."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    package = module_name(path).split(".")[: None if path.stem == "__init__" else -1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*parents, *filter(None, [node.module]), alias.name]) for alias in node.names)


def importers(package: str, *folders: str) -> set[str]:
    """The files under the folders (or files) that import a package or anything inside it."""
    files = (file for folder in folders for file in (*(ROOT / folder).rglob("*.py"), ROOT / folder))
    named = re.compile(rf"\b{package}\b")  # where a file does not say the name it need not be parsed
    return {
        file.relative_to(ROOT).as_posix()
        for file in files
        if file.is_file()
        and named.search(file.read_text(encoding="utf-8"))
        and any(f"{name}.".startswith(f"{package}.") for name in imported(file))
    }


def room_of(module: str) -> str | None:
    """The room of explorer/ that a module lies in; None for modules elsewhere and for packages that hold rooms only."""
    house, *rest = module.split(".")
    if house != "explorer" or rest in ([], ["workshop"]):
        return None
    two = ".".join(rest[:2])
    return two if two in PERMITTED or rest[0] == "workshop" else rest[0]


@pytest.mark.parametrize("room", PERMITTED)
def test_a_room_imports_only_those_below_it(room: str) -> None:
    others = {(file.name, other) for file in files_of(room) for each in imported(file) if (other := room_of(each))}
    assert {pair for pair in others if pair[1] not in PERMITTED[room] | {room}} == set()


def files_of(room: str) -> list[Path]:
    place = ROOT / "explorer" / room.replace(".", "/")
    files = [path for path in (place.with_suffix(".py"), *place.rglob("*.py")) if path.is_file()]
    return [path for path in files if room_of(module_name(path)) == room]


def test_rooms_outside_the_workshop_import_the_faces_of_models_alone() -> None:
    modules_of_models = set(MODELS)
    taken = {
        (room, each if each in modules_of_models else each.rpartition(".")[0])
        for room in (*EXPLORER, *SCHOOL)
        for file in files_of(room)
        for each in imported(file)
        if each.startswith("models.") and each not in PACKAGES
    }
    assert {pair for pair in taken if pair[1] not in FACES | (LAB_COMMAND if pair[0] == "cli" else set())} == set()
    assert {face for _, face in taken} == FACES | LAB_COMMAND


def test_what_is_not_installed_is_imported_by_itself_alone() -> None:
    assert set(NOT_INSTALLED) == {f"{each}*" for each in SHIPPING}
    for each in SHIPPING:
        inside_it = importers(each, *(other.replace(".", "/") for other in SHIPPING))
        assert importers(each, "explorer", "models", "app.py") == inside_it


def test_every_room_is_in_the_table_and_none_imports_one_that_imports_it() -> None:
    assert {room_of(name) for name in ROOMS} - {None} | {"__main__"} == set(PERMITTED)

    def below(room: str) -> set[str]:
        return {each for other in PERMITTED[room] for each in (other, *below(other))}

    assert not [room for room in PERMITTED if room in below(room)]


def test_what_tabs_share_knows_none_of_them_and_evaluate_takes_from_it_alone() -> None:
    tabs = ("ask", "evaluate", "explore", "folder", "help", "read", "simulate", "teach")
    assert not [tab for tab in tabs if importers(f"explorer.ui.{tab}", "explorer/ui/shared")]
    assert not [tab for tab in tabs if tab != "evaluate" and importers(f"explorer.ui.{tab}", "explorer/ui/evaluate")]


def import_table() -> str:
    """The permitted imports as the table of docs/architecture.md."""
    rows = [
        f"| {title} | {room} | {', '.join(sorted(PERMITTED[room])) or 'nothing'} |"
        for title, shelf in (("explorer", EXPLORER), ("school", SCHOOL), ("workshop", WORKSHOP))
        for room in shelf
        if room != "__main__"
    ]
    return "\n".join(("| shelf | room | may import |", "|---|---|---|", *rows)) + "\n"


def test_the_table_of_the_docs_is_this_one() -> None:
    assert import_table() in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"), import_table()


def test_duckdb_has_one_importer() -> None:
    assert importers("duckdb", "explorer", "models", "app.py") <= {"explorer/store/database.py"}


def test_gradio_is_imported_by_the_page_and_app_alone() -> None:
    outside = importers("gradio", "explorer", "models", "app.py") - importers("gradio", "explorer/ui", "app.py")
    assert not outside


def test_models_know_nothing_of_the_explorer() -> None:
    assert not importers("explorer", "models")


def test_app_is_imported_by_nothing() -> None:
    assert not importers("app", "explorer", "models", "tests", "app.py")


def test_a_relative_import_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    room = tmp_path / "models" / "training"
    room.mkdir(parents=True)
    (room / "a.py").write_text(
        "def f():\n    from ...explorer import store\n    from . import b\n    from ..load import c\n"
    )
    assert set(imported(room / "a.py")) == {"explorer.store", "models.training.b", "models.load.c"}
    assert importers("explorer", "models") == {"models/training/a.py"}
