"""Whether the files of a cohort are those that its manifests list: none missing, none more, none other.

While a model scores a cohort, its new shards are in no manifest yet. Each is noted in a journal beside them before it
has its name, so that a run may end at any moment: what has its name is listed, by the manifest or by the journal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import pyarrow.parquet as pq

from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.manifest import FileFacts, Files, called, read_manifest, read_model_manifest
from explorer.cohorts.typed import typed
from models.cards.known_file import sha256_of

JOURNAL = ".written.jsonl"  # in the folder of the shards
REMEDY = "Ingest or score the cohort again, or put back a copy."


def facts_of(path: Path) -> FileFacts:
    """Of a Parquet file as it is now. Raises OSError and pyarrow's exceptions."""
    return FileFacts(pq.read_metadata(path).num_rows, sha256_of(path))


def facts_of_all(place: Path, paths: Iterable[Path]) -> Files:
    """What a manifest says of the files below `place`; of those that are not there, nothing."""
    return {_name(place, path): facts_of(path) for path in paths if path.is_file()}


def listed_cohort(folder: Folder) -> Files:
    """A cohort's own files as they are now."""
    return facts_of_all(folder.path, folder.own)


def listed_scores(folder: Folder, model: str) -> Files:
    """Everything of a model as it is now; `folder` is the one that its manifest goes to."""
    shards = [*parts(folder.predictions(model)), *parts(folder.embeddings(model))]
    return facts_of_all(folder.path, [folder.operating_points(model), *shards])


def parts(folder: Path) -> list[Path]:
    """The shards of a folder, in their order."""
    return sorted(folder.glob("part-*.parquet"))


def check_cohort(folder: Folder) -> None:
    """A cohort's own files. Raises DamagedCohort, NoCohort where the manifest cannot be read."""
    files = read_manifest(folder.manifest).files
    if files is not None:
        _check(folder.path, folder.manifest, folder.own, files, {})


def check_scores(folder: Folder, model: str) -> None:
    """Shards and operating points of a model. Raises DamagedCohort, NoCohort where its manifest cannot be read."""
    _check_model(folder, model, folder.predictions(model), [folder.operating_points(model)])


def check_features(folder: Folder, model: str) -> None:
    """Shards of a model's features; raises as `check_scores`."""
    _check_model(folder, model, folder.embeddings(model), [])


def journal_of(folder: Folder, model: str) -> Path:
    return folder.predictions(model) / JOURNAL


def noted(journal: Path) -> dict[str, FileFacts]:
    """What a journal says, the last of each file; a line that was torn is of a file that never got its name."""
    found: dict[str, FileFacts] = {}
    with suppress(OSError):
        for line in journal.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError, TypeError, RecursionError):
                found |= {name: typed(FileFacts, facts) for name, facts in dict(json.loads(line)).items()}
    return found


def note(journal: Path, name: str, facts: FileFacts) -> None:
    """Add a line, which is on the disk when this returns."""
    with journal.open("a", encoding="utf-8") as file:
        file.write(f"\n{json.dumps({name: asdict(facts)})}\n")  # the break first: a line before may be torn
        file.flush()
        os.fsync(file.fileno())


def _check_model(folder: Folder, model: str, shards: Path, others: list[Path]) -> None:
    """What is there is looked at first, then the journal, then the manifest: what comes meanwhile is not missed."""
    there = [*others, *parts(shards)]
    fresh, manifest = noted(journal_of(folder, model)), folder.model(model)
    files = read_model_manifest(manifest).files
    if files is not None:
        place = manifest.parent.parent
        asked = {_name(place, path) for path in (*others, shards)}
        known = {name: facts for name, facts in files.items() if not asked.isdisjoint((name, name.rpartition("/")[0]))}
        _check(place, manifest, [*there, *(place / name for name in known)], known, fresh)


def _check(place: Path, manifest: Path, paths: Sequence[Path], files: Files, fresh: Mapping[str, FileFacts]) -> None:
    for path in dict.fromkeys(paths):
        name = _name(place, path)
        wanted = [facts.sha256 for facts in _of(name, files, fresh)]
        title = f"{place.name}: {name}"
        try:
            found = sha256_of(path)
        except FileNotFoundError as error:
            if name in files:
                raise DamagedCohort(f"{title} is missing", f"{called(manifest)} lists it. {REMEDY}") from error
            continue
        except OSError as error:
            raise DamagedCohort(f"{title} cannot be read", f"{error.strerror}. {REMEDY}") from error
        if not wanted:
            raise DamagedCohort(
                f"{title} is not one of the cohort's files", f"{called(manifest)} does not list it. Remove the file."
            )
        if found not in wanted:
            raise DamagedCohort(
                f"{title} cannot be read",
                f"It is damaged, or not the file that {called(manifest)} lists. {REMEDY}",
            )


def _of(name: str, *lists: Mapping[str, FileFacts]) -> Iterator[FileFacts]:
    return (files[name] for files in lists if name in files)


def _name(place: Path, path: Path) -> str:
    return path.relative_to(place).as_posix()
