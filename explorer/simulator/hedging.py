"""Which findings a simulated report mentions with a hedged word such as "possible": subtle ones, and look-alikes.

A radiologist is unsure of a subtle finding, and unsure which of two similar findings it is, so that both get an
uncertain label (CheXpert: "atelectasis versus consolidation" gives both, Irvin et al., AAAI 2019, validation results).
"""

from __future__ import annotations

from explorer.simulator.cohort_sampling import SEEN_FINDINGS, SampledCase, training_labels
from explorer.simulator.draws import draws

# Each finding and the one that it is confused with when subtle; a choice of ours, by what both look like on a film.
LOOK_ALIKES = {
    "Alveolar Pattern": "Atelectasis",
    "Aortic Elongation": "Aortic Atheromatosis",
    "Atelectasis": "Alveolar Pattern",
    "Bronchiectasis": "Interstitial Pattern",
    "Calcified Densities": "Nodule",
    "Emphysema": "Hyperinflated Lung",
    "Hemidiaphragm Elevation": "Hypoexpansion",
    "Hernia": "Hemidiaphragm Elevation",
    "Hydropneumothorax": "Pleural Effusion",
    "Hyperinflated Lung": "Emphysema",
    "Hypoexpansion": "Atelectasis",
    "Interstitial Pattern": "Alveolar Pattern",
    "Kyphosis": "Vertebral Degenerative Changes",
    "Mass": "Nodule",
    "Nodule": "Mass",
    "Pleural Effusion": "Pleural Thickening",
    "Pleural Thickening": "Pleural Effusion",
    "Vascular Hilar Enlargement": "Mass",
    "Vertebral Degenerative Changes": "Kyphosis",
}


def hedged_findings(case: SampledCase) -> frozenset[str]:
    """Return the seen findings that the film's report mentions with doubt.

    A noted finding of severity s, from 0 (subtle) to 1 (obvious), is hedged with probability (1 - s)^2: a third of all,
    and four of five of the subtlest tenth. Its look-alike is then hedged, too, unless the film has it for certain.
    """
    noted = training_labels(case)
    severity = {each.finding: float(each.severity or 0) for each in case.film.requests}
    doubtful = {
        name
        for name in noted & severity.keys()
        if draws(case.film.seed, "hedge", name).uniform() < (1 - severity[name]) ** 2
    }
    beside = {LOOK_ALIKES[name] for name in doubtful if name in LOOK_ALIKES}
    return frozenset((doubtful | (beside - noted)).intersection(SEEN_FINDINGS))
