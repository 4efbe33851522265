"""Writes scores and thresholds as a structured report: TID 1500 (PS3.16) in an unverified Comprehensive SR.

Score, threshold and units use DICOM, SNOMED CT and UCUM codes. Findings are free text from the model card: no
diagnosis is coded.
"""

from __future__ import annotations

import highdicom as hd
from highdicom.sr import CodedConcept, TextContentItem
from pydicom.dataset import Dataset
from pydicom.sr.codedict import codes

from explorer.analysis.exports.dicom.identity import ExportIdentity, new_uid
from explorer.analysis.exports.dicom.plate import WARNING
from explorer.analysis.exports.dicom.secondary_capture import common_attributes, printable, series_words, stamp_file
from explorer.analysis.exports.film_report import STATE_WORDS, FilmReport
from explorer.core.figures import significant
from explorer.core.version import version
from explorer.reading.finding_list import FindingRow
from explorer.reading.stability import FindingStability, finding_stability
from models.films.dicom_film import OWN_MANUFACTURER
from models.radiograph import Radiograph

SCORE_CODE = CodedConcept("246262008", "SCT", "Score (attribute)")
THRESHOLD_CODE = CodedConcept("122411", "DCM", "Threshold Value")
NO_UNITS_CODE = CodedConcept("1", "UCUM", "no units")


def scores_report(record: FilmReport, picture: Dataset, identity: ExportIdentity) -> Dataset:
    """Return the report on a film; it is in the same study as `picture`, the film's secondary capture.

    Each finding, in the model's order, is one measurement group with its score and, if it has one, its threshold.
    """
    observer = hd.sr.ObserverContext(
        observer_type=codes.DCM.Device,
        observer_identifying_attributes=hd.sr.DeviceObserverIdentifyingAttributes(
            uid=new_uid(),
            name=OWN_MANUFACTURER,
            manufacturer_name=OWN_MANUFACTURER,
            model_name=f"{OWN_MANUFACTURER} {version()}",
        ),
    )
    stable = finding_stability(record.stability, record.rows) if record.stability else ()
    stability = {each.finding: stability_line(each) for each in stable}
    content = hd.sr.MeasurementReport(
        observation_context=hd.sr.ObservationContext(observer_device_context=observer),
        procedure_reported=codes.SCT.ImagingProcedure,
        imaging_measurements=[_group(record, row, picture, stability.get(row.finding)) for row in record.rows],
    )
    content[0].ContentSequence.extend(
        _comment(words) for words in [*report_words(record), *decoding_notes(record.radiograph)]
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
        **{
            name: value
            for name, value in common_attributes(identity, record.made).items()
            if name not in EVIDENCE_ATTRIBUTES
        },
    )
    stamp_file(report, identity, record.made)
    return report


# highdicom copies these from the picture.
EVIDENCE_ATTRIBUTES = ("study_instance_uid", "patient_id", "study_date", "study_time")


def report_words(record: FilmReport) -> list[str]:
    """Return the cautions that come before any number."""
    film, verdict = record.radiograph, record.verdict
    return [
        WARNING,
        *(["SIMULATED: this is not a patient's film."] if film.simulated else []),
        *([] if verdict.readable else [f"Read anyway, although the model should not read it. {verdict.reason}"]),
        *verdict.cautions,
        "One model's scores, not a diagnosis. A score is not a probability.",
        *([" ".join(["Not stated by the model, so assumed:", *record.card.guessed])] if record.card.guessed else []),
    ]


def decoding_notes(film: Radiograph) -> list[str]:
    """Return the film's decoding notes, except those with digits, which may come from the header."""
    return [note for note in film.notes if not any(each.isdigit() for each in note)]


def row_words(row: FindingRow) -> str:
    """Describe a score relative to its threshold."""
    if row.above is None or not row.judged:
        return STATE_WORDS[row.state]
    side = "above threshold" if row.above else "not above threshold"
    band = (
        f", unsure from {significant(row.band.low, 3)} to {significant(row.band.high, 3)}"
        if row.band and row.state == "unsure"
        else ""
    )
    return side + band


def stability_line(found: FindingStability) -> str:
    """Return a finding's scores after small changes of the film: the band, and how often it is above its threshold."""
    low, high = (significant(each, 3) for each in (found.low, found.high))
    counted = f"{found.words}; " if found.words else ""
    return f"After {found.changes} small changes of this film: {counted}scores {low} to {high}."


def _group(
    record: FilmReport, row: FindingRow, picture: Dataset, stability: str | None
) -> hd.sr.MeasurementsAndQualitativeEvaluations:
    card = record.card
    weights = card.sha256 or "not known"
    algorithm = hd.sr.AlgorithmIdentification(
        name=card.name,
        version=weights[:12],
        parameters=[f"weights sha256: {weights}", *([f"threshold: {row.rule}"] if row.rule else [])],
    )
    measured = [hd.sr.Measurement(name=SCORE_CODE, value=_decimal(row.score), unit=NO_UNITS_CODE)]
    if row.threshold is not None:
        measured.append(hd.sr.Measurement(name=THRESHOLD_CODE, value=_decimal(row.threshold), unit=NO_UNITS_CODE))
    group = hd.sr.MeasurementsAndQualitativeEvaluations(
        tracking_identifier=hd.sr.TrackingIdentifier(uid=new_uid(), identifier=printable(row.finding)),
        algorithm_id=algorithm,
        measurements=measured,
        source_images=[hd.sr.SourceImageForMeasurementGroup.from_source_image(picture)],
    )
    related = [f"{row.finding} is {row.relation_words}."] if row.relations else []
    comments = [row_words(row), *([stability] if stability else []), *([row.warning] if row.warning else []), *related]
    group[0].ContentSequence.extend(_comment(words) for words in comments)
    return group


def _comment(words: str) -> TextContentItem:
    return TextContentItem(name=codes.DCM.Comment, value=printable(words), relationship_type="CONTAINS")


def _decimal(number: float) -> float:
    """Round a number to fit a decimal string (16 characters, PS3.5, 6.2)."""
    return float(f"{number:.8g}")
