"""Scores and thresholds as a structured report: TID 1500 (PS3.16) in a Comprehensive SR document, unverified.

Codes are those of DICOM and SNOMED CT for what has one: score, threshold value, no units. A finding is its name in
words, as the model's card has it: no diagnosis is coded.
"""

from __future__ import annotations

import highdicom as hd
from highdicom.sr import CodedConcept, TextContentItem
from pydicom.dataset import Dataset
from pydicom.sr.codedict import codes

from explorer.analysis.exports.dicom.identity import Identity, new_uid
from explorer.analysis.exports.dicom.plate import WARNING
from explorer.analysis.exports.dicom.secondary_capture import common, mark, printable, series_words
from explorer.analysis.exports.film_report import STATES, Record
from explorer.core.figures import significant
from explorer.core.version import version
from explorer.reading.finding_list import FindingRow
from models.films.dicom_film import OWN_MAKER
from models.radiograph import Radiograph

SCORE = CodedConcept("246262008", "SCT", "Score (attribute)")
THRESHOLD = CodedConcept("122411", "DCM", "Threshold Value")
NO_UNITS = CodedConcept("1", "UCUM", "no units")


def scores_report(record: Record, picture: Dataset, identity: Identity) -> Dataset:
    """The data set of a report on a film, whose secondary capture is `picture`, in the same study.

    One measurement group a finding, in the order of the model's list: its score and, where there is one, its threshold.
    """
    observer = hd.sr.ObserverContext(
        observer_type=codes.DCM.Device,
        observer_identifying_attributes=hd.sr.DeviceObserverIdentifyingAttributes(
            uid=new_uid(), name=OWN_MAKER, manufacturer_name=OWN_MAKER, model_name=f"{OWN_MAKER} {version()}"
        ),
    )
    content = hd.sr.MeasurementReport(
        observation_context=hd.sr.ObservationContext(observer_device_context=observer),
        procedure_reported=codes.SCT.ImagingProcedure,
        imaging_measurements=[_group(record, row, picture) for row in record.rows],
    )
    content[0].ContentSequence.extend(
        _comment(words) for words in [*report_words(record), *notes_of(record.radiograph)]
    )
    report = hd.sr.ComprehensiveSR(
        evidence=[picture],
        content=content,
        series_instance_uid=new_uid(),
        series_number=2,
        series_description=series_words(f"scores of {record.card.name}"),
        sop_instance_uid=new_uid(),
        instance_number=1,
        is_complete=True,
        is_final=False,
        is_verified=False,
        **{name: value for name, value in common(identity, record.made).items() if name not in OF_EVIDENCE},
    )
    mark(report, identity, record.made)
    return report


# highdicom copies these from the picture.
OF_EVIDENCE = ("study_instance_uid", "patient_id", "study_date", "study_time")


def report_words(record: Record) -> list[str]:
    """What a reader has to know before any number."""
    film, verdict = record.radiograph, record.verdict
    return [
        WARNING,
        *(["SIMULATED: this is not a patient's film."] if film.simulated else []),
        *([] if verdict.readable else [f"Read anyway, although the model should not read it. {verdict.reason}"]),
        *verdict.cautions,
        "One model's scores, not a diagnosis. A score is no probability.",
        *([" ".join(["Nobody said of the model, so taken:", *record.card.guessed])] if record.card.guessed else []),
    ]


def notes_of(film: Radiograph) -> list[str]:
    """What was done to a film as it was decoded, but for what has a number in it: that may be one of its header."""
    return [note for note in film.notes if not any(each.isdigit() for each in note)]


def row_words(row: FindingRow) -> str:
    """Where a score lies, in words."""
    if row.above is None or not row.judged:
        return STATES[row.state]
    side = "above threshold" if row.above else "not above threshold"
    band = (
        f", unsure from {significant(row.band.low, 3)} to {significant(row.band.high, 3)}"
        if row.band and row.state == "unsure"
        else ""
    )
    return side + band


def _group(record: Record, row: FindingRow, picture: Dataset) -> hd.sr.MeasurementsAndQualitativeEvaluations:
    card = record.card
    weights = card.sha256 or "not known"
    algorithm = hd.sr.AlgorithmIdentification(
        name=card.name,
        version=weights[:12],
        parameters=[f"weights sha256: {weights}", *([f"threshold: {row.rule}"] if row.rule else [])],
    )
    measured = [hd.sr.Measurement(name=SCORE, value=_decimal(row.score), unit=NO_UNITS)]
    if row.threshold is not None:
        measured.append(hd.sr.Measurement(name=THRESHOLD, value=_decimal(row.threshold), unit=NO_UNITS))
    group = hd.sr.MeasurementsAndQualitativeEvaluations(
        tracking_identifier=hd.sr.TrackingIdentifier(uid=new_uid(), identifier=printable(row.finding)),
        algorithm_id=algorithm,
        measurements=measured,
        source_images=[hd.sr.SourceImageForMeasurementGroup.from_source_image(picture)],
    )
    related = [f"{row.finding} is {row.relation_words}."] if row.relations else []
    said = [row_words(row), *([row.warning] if row.warning else []), *related]
    group[0].ContentSequence.extend(_comment(words) for words in said)
    return group


def _comment(words: str) -> TextContentItem:
    return TextContentItem(name=codes.DCM.Comment, value=printable(words), relationship_type="CONTAINS")


def _decimal(number: float) -> float:
    """A number that a decimal string holds (16 characters, PS3.5, 6.2)."""
    return float(f"{number:.8g}")
