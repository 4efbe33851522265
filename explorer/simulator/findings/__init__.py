"""All findings by name, in drawing order: lungs, pleura, mediastinum, bones, chest wall, devices."""

from __future__ import annotations

from explorer.simulator.findings.airways import AIRWAYS
from explorer.simulator.findings.alveolar import ALVEOLAR
from explorer.simulator.findings.aorta import AORTA
from explorer.simulator.findings.atelectasis import ATELECTASIS
from explorer.simulator.findings.bulla import BULLA
from explorer.simulator.findings.calcified import CALCIFIED
from explorer.simulator.findings.catheter import CATHETER
from explorer.simulator.findings.devices import DEVICES
from explorer.simulator.findings.diaphragm import DIAPHRAGM
from explorer.simulator.findings.effusion import EFFUSION
from explorer.simulator.findings.emphysema import EMPHYSEMA
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.focal import FOCAL
from explorer.simulator.findings.fracture import FRACTURE
from explorer.simulator.findings.goiter import GOITER
from explorer.simulator.findings.heart import HEART
from explorer.simulator.findings.hila import HILA
from explorer.simulator.findings.infarction import INFARCTION
from explorer.simulator.findings.interstitium import INTERSTITIUM
from explorer.simulator.findings.midline import MIDLINE
from explorer.simulator.findings.osteopenia import OSTEOPENIA
from explorer.simulator.findings.pneumothorax import PNEUMOTHORAX
from explorer.simulator.findings.spine import SPINE
from explorer.simulator.findings.sternotomy import STERNOTOMY
from explorer.simulator.findings.thickening import THICKENING
from explorer.simulator.findings.volume import VOLUME
from explorer.simulator.findings.wallgas import WALLGAS

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
