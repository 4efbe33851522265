"""The importer of each public dataset, by the name of its command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from explorer.ingest.datasets.catalog import (
    CHEXPERT,
    CXRLT2026,
    MIMIC,
    PADCHEST,
    PADCHEST_GR,
    REVEAL,
    RSNA,
    SIIM,
    VINDR,
    KnownDataset,
)
from explorer.ingest.datasets.chexpert import read_chexpert
from explorer.ingest.datasets.cxrlt2026 import read_cxrlt2026
from explorer.ingest.datasets.cxrlt_mimic import read_cxrlt_mimic
from explorer.ingest.datasets.mimic import read_mimic
from explorer.ingest.datasets.padchest import read_padchest
from explorer.ingest.datasets.padchest_gr import read_padchest_gr
from explorer.ingest.datasets.reveal import read_reveal
from explorer.ingest.datasets.rsna import read_rsna
from explorer.ingest.datasets.siim import read_siim
from explorer.ingest.datasets.vindr import read_vindr
from explorer.ingest.datasets.wanted import Wanted
from explorer.ingest.entries import ImportSource

Reader = Callable[[Path, Wanted], ImportSource]


def _mimic(root: Path, wanted: Wanted) -> ImportSource:
    if wanted.cxr_lt is not None:
        return read_cxrlt_mimic(root, wanted.cxr_lt)
    return read_mimic(root, wanted.blank, wanted.labeler)


READERS: Mapping[str, tuple[KnownDataset, Reader]] = MappingProxyType(
    {
        dataset.name: (dataset, read)
        for dataset, read in (
            (CHEXPERT, lambda root, wanted: read_chexpert(root, wanted.blank)),
            (PADCHEST, lambda root, wanted: read_padchest(root, wanted.words)),
            (MIMIC, _mimic),
            (CXRLT2026, lambda root, wanted: read_cxrlt2026(root)),
            (VINDR, lambda root, wanted: read_vindr(root, wanted.films(root))),
            (RSNA, lambda root, wanted: read_rsna(root, wanted.films(root))),
            (SIIM, lambda root, wanted: read_siim(root, wanted.films(root))),
            (PADCHEST_GR, lambda root, wanted: read_padchest_gr(root)),
            (REVEAL, lambda root, wanted: read_reveal(root, wanted.films(root))),
        )
    }
)
