"""All findings by name, in the order in which they are drawn: lungs, pleura, mediastinum, bones, walls, devices."""

from __future__ import annotations

from explorer.phantom.findings.airways import AIRWAYS
from explorer.phantom.findings.alveolar import ALVEOLAR
from explorer.phantom.findings.aorta import AORTA
from explorer.phantom.findings.atelectasis import ATELECTASIS
from explorer.phantom.findings.bulla import BULLA
from explorer.phantom.findings.calcified import CALCIFIED
from explorer.phantom.findings.catheter import CATHETER
from explorer.phantom.findings.devices import DEVICES
from explorer.phantom.findings.diaphragm import DIAPHRAGM
from explorer.phantom.findings.effusion import EFFUSION
from explorer.phantom.findings.emphysema import EMPHYSEMA
from explorer.phantom.findings.finding import DrawnFinding
from explorer.phantom.findings.focal import FOCAL
from explorer.phantom.findings.fracture import FRACTURE
from explorer.phantom.findings.goiter import GOITER
from explorer.phantom.findings.heart import HEART
from explorer.phantom.findings.hila import HILA
from explorer.phantom.findings.infarction import INFARCTION
from explorer.phantom.findings.interstitium import INTERSTITIUM
from explorer.phantom.findings.midline import MIDLINE
from explorer.phantom.findings.osteopenia import OSTEOPENIA
from explorer.phantom.findings.pneumothorax import PNEUMOTHORAX
from explorer.phantom.findings.spine import SPINE
from explorer.phantom.findings.sternotomy import STERNOTOMY
from explorer.phantom.findings.thickening import THICKENING
from explorer.phantom.findings.volume import VOLUME
from explorer.phantom.findings.wallgas import WALLGAS

FINDINGS: dict[str, DrawnFinding] = {
    **VOLUME,
    **INTERSTITIUM,
    **EMPHYSEMA,
    **BULLA,
    **AIRWAYS,
    **ALVEOLAR,
    **ATELECTASIS,
    **INFARCTION,
    **FOCAL,
    **CALCIFIED,
    **THICKENING,
    **EFFUSION,
    **PNEUMOTHORAX,
    **DIAPHRAGM,
    **GOITER,
    **HILA,
    **HEART,
    **AORTA,
    **MIDLINE,
    **SPINE,
    **OSTEOPENIA,
    **FRACTURE,
    **WALLGAS,
    **STERNOTOMY,
    **DEVICES,
    **CATHETER,
}
