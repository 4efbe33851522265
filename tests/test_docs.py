"""The tables of the docs against what they describe, and their links: settings, registered models, pinned packages."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from explorer.core.findings import TAXONOMIES
from explorer.core.in_sample import ORIGIN_MEANINGS
from explorer.core.word_lists import and_list
from explorer.settings import CLASS_SETTINGS, SETTINGS, TEST_SETTINGS
from models.cards.classifier_card import classifier_card
from models.cards.vlm_card import VlmCard, vlm_card
from models.perturbations.registry import PERTURBATIONS, matched_dials

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"([A-Za-z0-9_.-]+)==[0-9][A-Za-z0-9.]*")


DOCS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs").glob("phantom/**/*.md")),
]
LINK = re.compile(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"")
FIGURE = re.compile(r"[-+]?[0-9.]+ \[[^\]]+\]")
DIALECT = re.compile(r"\b(whoever|of which|of whom|told|hung|eaten|said of|for it is|(?<!there )is no)\b", re.I)
MOST_SOURCES = 2  # of films that fit a cell
MOST_WORDS_OF_A_CELL = 25
MOST_WORDS = {"CHANGELOG.md": 1500, "docs/lab.md": 1200, "docs/user-guide.md": 5500, "docs/evaluate.md": 3000}


def table(heading: str) -> list[tuple[str, ...]]:
    """The rows of the docs' table whose heading starts with a word, without the marks around code."""
    lines = [line for path in DOCS for line in path.read_text(encoding="utf-8").splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(tuple(cell.strip().replace("`", "") for cell in line.strip("|").split("|")))
    return rows


def pinned(name: str) -> list[str]:
    """The packages that a requirements file names."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [match[1] for line in lines if (match := PIN.fullmatch(line))]


def locked(name: str) -> dict[str, tuple[str, int]]:
    """The packages of a lock file: version and number of hashes."""
    entries = re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8").strip())
    pins = [(PIN.match(entry), entry.count("--hash=sha256:")) for entry in entries]
    return {pin[1].lower().replace("_", "-"): (pin[0].split("==")[1], hashes) for pin, hashes in pins if pin}


@pytest.mark.parametrize(
    ("heading", "settings"),
    [("setting", SETTINGS), ("class setting", CLASS_SETTINGS), ("variable", TEST_SETTINGS)],
)
def test_settings_tables_are_those_of_the_code(heading: str, settings: tuple) -> None:
    stated = [(setting.name, str(setting.default), setting.help.replace("`", "")) for setting in settings]
    assert table(heading) == stated


def test_every_line_of_the_threat_model_names_tests_that_are_there() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"^def (test_\w+)\(", tests, re.M))
    named = [(tried, set(re.findall(r"\w+", held_by))) for tried, _, held_by in table("attack")]
    assert len(named) > 20
    assert not [tried for tried, held_by in named if not held_by or held_by - there]


def test_models_table_is_the_registry() -> None:
    listed = (ROOT / "docs" / "models-and-results.md").read_text(encoding="utf-8")
    registered = []
    for path in sorted((ROOT / "models" / "registry").glob("*.toml")):
        model = tomllib.loads(path.read_text(encoding="utf-8"))
        said = vlm_card(model["name"]) if model["kind"] == "vlm" else classifier_card(model["name"])
        sources = [f"{source.films:,} films of {source.source}" for source in said.training]
        trained_on = "; ".join(sources)
        if len(sources) > MOST_SOURCES:
            assert f"- `{said.name}`: {trained_on}." in listed
            trained_on = f"{len(sources)} sources, below"
        findings = "any text" if isinstance(said, VlmCard) else str(len(said.findings))
        parts = and_list([*model.get("members", ())])
        registered.append((said.name, parts or model["architecture"], findings, trained_on, said.licence))
    assert table("name") == registered


def test_the_table_of_taxonomies_is_that_of_the_facts() -> None:
    known = [(name, str(len(each.seen)), str(len(each.unseen))) for name, each in TAXONOMIES.items()]
    assert table("taxonomy") == known


def test_dependency_table_is_what_the_requirement_files_pin() -> None:
    assert [row[0] for row in table("package")] == pinned("requirements.txt") + pinned("requirements-dev.txt")
    assert all(purpose and licence for _, purpose, licence in table("package"))


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    loose = [line for line in lines if line and not line.startswith(("#", "-r ")) and not PIN.fullmatch(line)]
    assert not loose


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_the_lock_file_has_what_the_requirements_file_pins_with_hashes(name: str) -> None:
    there = locked(f"{name}.lock")
    assert all(hashes for _, hashes in there.values())
    for line in (ROOT / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if pin := PIN.fullmatch(line):
            assert there[pin[1].lower().replace("_", "-")][0] == line.split("==")[1], f"{line}: run make lock"


def test_the_tools_of_the_script_are_locked_and_no_registry_is_named() -> None:
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    lock = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(lock)["packages"]
    assert "resolved" not in lock
    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version, f"{name}: run make lock"


def test_the_lock_file_of_the_tests_holds_what_the_application_needs() -> None:
    assert locked("requirements.lock").items() <= locked("requirements-dev.lock").items()


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    targets = [one or other for one, other in LINK.findall(path.read_text(encoding="utf-8"))]
    assert not [target for target in targets if "://" not in target and not (path.parent / target).exists()]


def test_the_docs_name_files_and_modules_that_are_there() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCS if path.name != "CHANGELOG.md")
    files = set(re.findall(r"`((?:tests|explorer|models)/[\w/]+\.\w+)`", text))
    modules = set(re.findall(r"python -m ((?:tests|explorer|models)[\w.]*\w)", text))
    assert files and not [file for file in files if not (ROOT / file).exists()]
    assert modules and not [name for name in modules if not _is_module(ROOT / name.replace(".", "/"))]


def _is_module(path: Path) -> bool:
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()


def test_the_glossary_and_the_tooltips_of_the_page_say_the_same() -> None:
    script = (ROOT / "explorer/ui/static/shared/glossary.js").read_text(encoding="utf-8")
    tooltips = json.loads(script.split("const GLOSSARY = ")[1].split(";\n\n//")[0])
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", (ROOT / "docs/glossary.md").read_text(encoding="utf-8"), re.M)
    assert dict(rows[1:]) == tooltips
    assert {origin: tooltips[origin] for origin in ORIGIN_MEANINGS} == dict(ORIGIN_MEANINGS)


@pytest.mark.parametrize(("name", "most"), MOST_WORDS.items(), ids=list(MOST_WORDS))
def test_a_document_stays_short_enough_to_read(name: str, most: int) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").split()) <= most


def test_the_labs_results_are_those_of_its_figures() -> None:
    """Every figure with an interval on the page of results stands in the tables that are compared with the scores."""
    results, figures = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("lab.md", "lab-figures.md"))
    rows = re.findall(r"^\| `([^`]+)`(.*)", results, re.M)
    shown = {(name, cell) for name, row in rows for cell in FIGURE.findall(row)}
    assert len(shown) > 30
    for name, cell in shown:
        own_rows = [line for line in figures.splitlines() if line.startswith(f"| `{name}` |")]
        assert cell in ("\n".join(own_rows) or figures), f"{name}: {cell}"


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_no_cell_of_a_table_holds_more_words_than_can_be_scanned(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.lstrip().startswith("|")]
    cells = [cell.replace("<br>", " ").strip() for line in lines for cell in re.split(r"(?<!\\)\|", line)]
    assert [cell for cell in cells if len(cell.split()) > MOST_WORDS_OF_A_CELL] == []


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_the_docs_are_plain_english(path: Path) -> None:
    """Outside of code and of tables, which quote what the program says."""
    prose = re.sub(r"```.*?```|`[^`]*`", "", path.read_text(encoding="utf-8"), flags=re.S)
    lines = [line for line in prose.splitlines() if not line.lstrip().startswith("|")]
    assert [line for line in lines if DIALECT.search(line)] == []


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_link_to_a_heading_finds_it(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text(encoding="utf-8"))
    pages = [(path.parent / name if name else path, heading) for name, heading in links]
    assert not [(page.name, heading) for page, heading in pages if heading not in _headings(page)]


def _headings(page: Path) -> set[str]:
    """The addresses of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_contributing_begins_with_a_first_change_and_ends_with_the_licences() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.M)
    assert (headings[0], headings[-1]) == ("Your first change", "Dependencies and licenses")


def test_the_table_of_perturbations_is_that_of_the_code() -> None:
    found = [
        (
            kind.title,
            name,
            kind.dial,
            ", ".join(f"{dial:g}" for dial in matched_dials()[name]) if kind.has_dial else "on",
            ", ".join(f"{dial:.3g}" for dial in kind.severities),
        )
        for name, kind in PERTURBATIONS.items()
    ]
    assert table("perturbation") == found
