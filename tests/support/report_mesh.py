"""The Indiana University reports of the torchxrayvision wheel, and what their MeSH terms say of each finding.

Two annotators gave each report terms for what it finds, such as `Pleural Effusion/left/small` (Demner-Fushman et al.,
JAMIA 2016). Absent findings have no terms. No text of these reports is in this repository.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from tests.explorer.ingest.brought import wheel

# Each finding and the MeSH terms that are its own; the mapping is ours. A finding that the terms do not tell from
# others (Sternotomy: its wires are `Surgical Instruments`) or never name (Adenopathy) is not here.
TERMS = {
    "Normal": r"normal$",
    "Aortic Elongation": r"Aorta.*/tortuous",
    "Cardiomegaly": r"Cardiomegaly|Cardiac Shadow/enlarged|Heart/enlarged",
    "Pleural Effusion": r"Pleural Effusion|Costophrenic Angle.*/blunted|Hemothorax",
    "Nodule": r"Nodule",
    "Atelectasis": r"Pulmonary Atelectasis|Volume Loss",
    "Pleural Thickening": r"Thickening.*/pleura|Cicatrix.*/pleura|Pleura/thick",
    "Aortic Atheromatosis": r"Atherosclerosis|Calcinosis/aorta(?! valve)|Calcinosis/blood vessels",
    "Support Devices": r"(Implanted |)Medical Device|Tube, Inserted|Stents|Breast Implants|Catheters, Indw",
    "Alveolar Pattern": r"Airspace Disease|Consolidation|Infiltrate|Pneumonia",
    "Vascular Hilar Enlargement": r"(Pulmonary Artery|Lung/hilum)/(enlarged|prominent)|Hypertension, Pul",
    "Vertebral Degenerative Changes": r"(Spine|.*[Vv]ertebrae)/degenerative|Osteophyte|Spondylosis|Hyperostosis",
    "Hyperinflated Lung": r"Lung/hyperdistention|Diaphragm.*/flattened",
    "Interstitial Pattern": r"Lung Diseases, Interstitial|(Markings|Opacity).*/interstitial|Markings/bronchovascular",
    "Fracture": r"Fractures, Bone",
    "Hernia": r"Hernia",
    "Kyphosis": r"Kyphosis",
    "Mass": r"Mass$|Mass/",
    "Central Venous Catheter": r"Catheters, Indwelling",
    "Hypoexpansion": r"Lung/hypoinflation",
    "Bronchiectasis": r"Bronchiectasis",
    "Hemidiaphragm Elevation": r"Diaphragm.*/elevated|Diaphragmatic Eventration",
    "Calcified Densities": r"Calcified Granuloma|Granulomatous|Calcinosis(?!/(aorta|blood|coronary|heart))",
    "Emphysema": r"Emphysema|Pulmonary Emphysema|Bullous Emphysema",
    "Azygos Lobe": r"Lung/azygos",
    "Hydropneumothorax": r"Hydropneumothorax|Hemopneumothorax",
    "Pneumothorax": r"Pneumothorax",
    "Subcutaneous Emphysema": r"Subcutaneous +Emphysema",
    "Pneumoperitoneum": r"Pneumoperitoneum",
    "Bulla": r"Blister|Bullous Emphysema",
    "Osteopenia": r"Bone Diseases, Metabolic|Osteoporosis",
    "Scoliosis": r"Scoliosis",
    "Consolidation": r"Consolidation",
    "Edema": r"Pulmonary Edema|Pulmonary Congestion|Heart Failure",
    "Fibrosis": r"Cicatrix(?!.*/pleura)|Pulmonary Fibrosis|Fibrosis",
    "Infiltration": r"Infiltrate",
    "Pneumonia": r"Pneumonia",
}
_SECTIONS = ("INDICATION", "COMPARISON", "FINDINGS", "IMPRESSION")


class IndianaReport(NamedTuple):
    """A report in one text, with its headers, and the findings that its MeSH terms name."""

    name: str
    text: str
    findings: frozenset[str]


def indiana_reports() -> Iterator[IndianaReport]:
    """Yield the reports with terms and text; those that were not indexed have no reference."""
    patterns = {finding: re.compile(pattern) for finding, pattern in TERMS.items()}
    with tarfile.open(wheel("NLMCXR_reports.tgz")) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith(".xml") else None
            if file is None:
                continue
            root = ElementTree.parse(file).getroot()
            terms = [each.text or "" for each in root.findall(".//MeSH/major")]
            parts = {each.get("Label"): each.text or "" for each in root.findall(".//AbstractText")}
            text = "\n\n".join(f"{name}: {parts[name]}" for name in _SECTIONS if parts.get(name))
            if terms and "No Indexing" not in terms and (parts.get("FINDINGS") or parts.get("IMPRESSION")):
                found = {each for each, pattern in patterns.items() if any(map(pattern.match, terms))}
                yield IndianaReport(member.name, text, frozenset(found))
