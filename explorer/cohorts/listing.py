"""Checks that a cohort's files are exactly those that its manifests list.

While a model scores a cohort, its new shards are not in a manifest yet. Each is recorded in a journal before it gets
its final name, so a run can stop at any moment: every shard is listed, either in the manifest or in the journal.
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
from explorer.cohorts.manifest import FileFacts, Files, manifest_name, read_manifest, read_model_manifest
from explorer.cohorts.typed import typed
from models.cards.known_file import sha256_of

JOURNAL_NAME = ".written.jsonl"  # in the folder of the shards
REMEDY = "Import or score the cohort again, or restore a copy."


def file_facts(path: Path) -> FileFacts:
    """Return the facts of a Parquet file as it is now. Raises OSError and pyarrow's exceptions."""
    return FileFacts(pq.read_metadata(path).num_rows, sha256_of(path))


def existing_file_facts(place: Path, paths: Iterable[Path]) -> Files:
    """Return the facts of those files that exist, by path below `place`, for a manifest."""
    return {_name(place, path): file_facts(path) for path in paths if path.is_file()}


def listed_cohort(folder: Folder) -> Files:
    """Return the facts of a cohort's own files as they are now."""
    return existing_file_facts(folder.path, folder.own)


def listed_scores(folder: Folder, model: str) -> Files:
    """Return the facts of all files of a model as they are now; `folder` is the one that gets its manifest."""
    shards = [*shards_in(folder.predictions(model)), *shards_in(folder.embeddings(model))]
    return existing_file_facts(folder.path, [folder.operating_points(model), *shards])


def shards_in(folder: Path) -> list[Path]:
    """Return the shards of a folder, sorted."""
    return sorted(folder.glob("part-*.parquet"))


def check_cohort(folder: Folder) -> None:
    """Check a cohort's own files. Raises DamagedCohort, NoCohort if the manifest cannot be read."""
    files = read_manifest(folder.manifest).files
    if files is not None:
        _check(folder.path, folder.manifest, folder.own, files, {})


def check_scores(folder: Folder, model: str) -> None:
    """Check a model's score shards and operating points. Raises DamagedCohort; NoCohort without a readable manifest."""
    _check_model(folder, model, folder.predictions(model), [folder.operating_points(model)])


def check_features(folder: Folder, model: str) -> None:
    """Check the shards of a model's features; raises the same errors as `check_scores`."""
    _check_model(folder, model, folder.embeddings(model), [])


def journal_of(folder: Folder, model: str) -> Path:
    return folder.predictions(model) / JOURNAL_NAME


def journal_facts(journal: Path) -> dict[str, FileFacts]:
    """Return a journal's entries, the last one per file; a torn line is ignored: its file never got its final name."""
    found: dict[str, FileFacts] = {}
    with suppress(OSError):
        for line in journal.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError, TypeError, RecursionError):
                found |= {name: typed(FileFacts, facts) for name, facts in dict(json.loads(line)).items()}
    return found


def add_to_journal(journal: Path, name: str, facts: FileFacts) -> None:
    """Append an entry; it is on disk when this returns."""
    with journal.open("a", encoding="utf-8") as file:
        file.write(f"\n{json.dumps({name: asdict(facts)})}\n")  # line break first: the previous line may be torn
        file.flush()
        os.fsync(file.fileno())


def _check_model(folder: Folder, model: str, shards: Path, others: list[Path]) -> None:
    """Check files, then journal, then manifest, in this order, so that a shard written meanwhile is not missed."""
    existing = [*others, *shards_in(shards)]
    fresh, manifest = journal_facts(journal_of(folder, model)), folder.model(model)
    files = read_model_manifest(manifest).files
    if files is not None:
        place = manifest.parent.parent
        wanted = {_name(place, path) for path in (*others, shards)}
        known = {name: facts for name, facts in files.items() if not wanted.isdisjoint((name, name.rpartition("/")[0]))}
        _check(place, manifest, [*existing, *(place / name for name in known)], known, fresh)


def _check(place: Path, manifest: Path, paths: Sequence[Path], files: Files, fresh: Mapping[str, FileFacts]) -> None:
    for path in dict.fromkeys(paths):
        name = _name(place, path)
        wanted = [facts.sha256 for facts in _listed_facts(name, files, fresh)]
        title = f"{place.name}: {name}"
        try:
            found = sha256_of(path)
        except FileNotFoundError as error:
            if name in files:
                raise DamagedCohort(f"{title} is missing", f"{manifest_name(manifest)} lists it. {REMEDY}") from error
            continue
        except OSError as error:
            raise DamagedCohort(f"{title} cannot be read", f"{error.strerror}. {REMEDY}") from error
        if not wanted:
            raise DamagedCohort(
                f"{title} is not one of the cohort's files",
                f"{manifest_name(manifest)} does not list it. Remove the file.",
            )
        if found not in wanted:
            raise DamagedCohort(
                f"{title} cannot be read",
                f"It is damaged, or not the file that {manifest_name(manifest)} lists. {REMEDY}",
            )


def _listed_facts(name: str, *lists: Mapping[str, FileFacts]) -> Iterator[FileFacts]:
    return (files[name] for files in lists if name in files)


def _name(place: Path, path: Path) -> str:
    return path.relative_to(place).as_posix()
