"""A film beside its cohort as plain JSON values, for the script of Read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from explorer.analysis.cohort_context import Alike, Behind, InGroup, Join, Wrong
from explorer.cohorts.images import Images
from explorer.cohorts.manifest import Manifest
from explorer.cohorts.public_ids import opaque
from explorer.core.rates import Rate
from explorer.reading.finding_json import rate_payload
from explorer.ui.routes import thumbnail_address

Json = dict[str, Any]


def join_payload(join: Join, cohorts: Sequence[Manifest], images: Images) -> Json:
    """The cohort, what it says of each finding, the cases most alike, and the cohorts to choose from."""
    name = join.cohort.name
    return {
        "stage": "join",
        "cohorts": [{"id": opaque(each.name), "name": each.name} for each in cohorts],
        "cohort": {
            "id": opaque(name),
            "name": name,
            "title": join.cohort.title,
            "version": join.cohort.version,
            "simulated": join.cohort.simulated,
        },
        "model": {"id": opaque(name, "model", join.model.model), "split": join.model.split},
        "thresholds": join.model.thresholds,
        "findings": {finding: _behind(behind) for finding, behind in join.findings.items()},
        "alike": [_alike(name, each, images) for each in join.alike],
        "far": join.far,
        "copy": join.copy,
    }


def _behind(behind: Behind) -> Json:
    return {
        "overall": _wrong(behind.overall),
        "centers": [{"name": at.name, "origin": at.origin, **_wrong(at.wrong)} for at in behind.centers],
        "group": behind.group and _group(behind.group),
    }


def _group(group: InGroup) -> Json:
    return {
        "name": group.group.group.value,
        "source": group.group.source,
        "findings": list(group.findings),
        **_wrong(group.wrong),
    }


def _wrong(wrong: Wrong) -> Json:
    return {"missed": rate_payload(wrong.missed), "called": rate_payload(wrong.called)}


def _alike(cohort: str, alike: Alike, images: Images) -> Json:
    line = alike.line
    there = images.film(line.root, line.file) is not None
    return {
        "id": line.id,
        "thumb": thumbnail_address(cohort, line.case) if there else None,
        "file": line.file,
        "center": line.center,
        "view": line.view,
        "sex": line.sex,
        "age": line.age,
        "present": list(line.present),
        "distance": alike.near.distance,
        "nearer": _nearer(alike.near.closer),
        "scored": {
            finding: {"score": each.score, "label": each.label, "outcome": each.outcome}
            for finding, each in alike.scored.items()
        },
    }


def _nearer(closer: Rate) -> Json | None:
    """The distance's percentile: % of the `n` films asked that are nearer to their own nearest of another patient."""
    return None if closer.value is None else {"percent": 100 * (1 - closer.value), "n": closer.n}
