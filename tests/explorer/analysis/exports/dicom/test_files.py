"""The two files: read back by pydicom, whole by the standard's tables, and as the record has it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from highdicom import _standard_utils as standard  # the module tables of PS3.3, which highdicom carries
from highdicom.sr import srread
from pydicom.dataset import Dataset
from pydicom.sr.codedict import codes

from explorer.analysis.exports.dicom.files import dicom_zip, plate_of
from explorer.analysis.exports.dicom.identity import export_identity
from explorer.analysis.exports.dicom.plate import Window
from explorer.analysis.exports.dicom.scores_report import NO_UNITS_CODE, SCORE_CODE, THRESHOLD_CODE
from explorer.core.version import version
from explorer.reading.stability import FilmStability
from models.cards.finding_relations import StatedRelation
from models.gate.judgment import judge
from models.radiograph import Radiograph, read_radiograph
from tests.explorer.analysis.exports.dicom.made_up import CARD, Word, heat, made, read_back, some_film
from tests.support.cards import card_of
from tests.support.wording import Wording

pytestmark = pytest.mark.slow

# Of type 1 or 1C where the condition holds: must be there, and not empty.
NEVER_EMPTY = (
    "SOPClassUID SOPInstanceUID StudyInstanceUID SeriesInstanceUID Modality Manufacturer DeviceSerialNumber "
    "SoftwareVersions PatientID PatientIdentityRemoved DeidentificationMethod SeriesDescription SpecificCharacterSet"
).split()
OF_PICTURE = (
    "ConversionType ImageType SamplesPerPixel PhotometricInterpretation Rows Columns BitsAllocated BitsStored HighBit "
    "PixelData BurnedInAnnotation DerivationDescription PlanarConfiguration InstanceNumber"
).split()
OF_REPORT = (
    "CompletionFlag VerificationFlag ContentDate ContentTime ValueType ConceptNameCodeSequence ContinuityOfContent "
    "ContentTemplateSequence CurrentRequestedProcedureEvidenceSequence ContentSequence InstanceNumber"
).split()


@pytest.fixture(scope="module")
def files() -> tuple[Dataset, Dataset]:
    return read_back(made(), shown=heat())


@pytest.mark.parametrize(("place", "own"), [(0, OF_PICTURE), (1, OF_REPORT)], ids=["picture", "report"])
def test_every_module_of_the_standard_has_what_it_requires(
    files: tuple[Dataset, Dataset], place: int, own: list[str]
) -> None:
    dataset = files[place]
    modules = standard.get_iod_module_map()[standard.get_sop_class_iod_map()[dataset.SOPClassUID]]
    mandatory = [module["key"] for module in modules if module["usage"] == "M"]
    assert len(mandatory) >= 7
    for module in mandatory:
        if module != "sr-document-content":  # the table requires of every item what only an image or a number needs
            standard.check_required_attributes(dataset, module)
    assert not [keyword for keyword in [*NEVER_EMPTY, *own] if dataset.get(keyword) in (None, "")]
    with pytest.raises(AttributeError, match="required attribute"):
        standard.check_required_attributes(Dataset(), "general-study")


def test_the_picture_is_a_derived_annotated_capture(files: tuple[Dataset, Dataset], wording: Wording) -> None:
    picture, _ = files
    assert picture.SOPClassUID.name == "Secondary Capture Image Storage"
    assert (picture.Modality, picture.ConversionType, picture.BurnedInAnnotation) == ("OT", "WSD", "YES")
    assert list(picture.ImageType) == ["DERIVED", "SECONDARY", "OTHER"]
    assert (picture.BitsAllocated, picture.PhotometricInterpretation) == (8, "RGB")
    wording(picture.SeriesDescription, "NOT FOR MEDICAL USE", "Mass")
    assert "PixelSpacing" not in picture, "nothing is to be measured on it"
    words = picture.DerivationDescription
    assert words.startswith("NOT FOR MEDICAL USE.") and f"Map: {heat().scale_words}." in words
    assert f"Model phantom, weights {CARD.sha256[:12]}, Tailscope {version()}, " in words
    assert (picture.Manufacturer, picture.SoftwareVersions) == ("Tailscope", version())


@pytest.mark.parametrize("width", [127, 128, 700])
def test_pixels_are_those_that_were_drawn(width: int) -> None:
    record, window = made(some_film(131, width)), Window(0.5, 0.4)
    picture, _ = read_back(record, shown=heat(), window=window)
    assert np.array_equal(picture.pixel_array, plate_of(record, window, heat()).pixels)


def test_both_are_of_one_study_and_one_patient_and_each_of_its_own_series(files: tuple[Dataset, Dataset]) -> None:
    picture, report = files
    for shared in ("StudyInstanceUID", "PatientID", "StudyDate", "StudyTime"):
        assert picture[shared].value == report[shared].value
    for own in ("SeriesInstanceUID", "SOPInstanceUID", "SeriesNumber"):
        assert picture[own].value != report[own].value
    (study,) = report.CurrentRequestedProcedureEvidenceSequence
    assert study.ReferencedSeriesSequence[0].ReferencedSOPSequence[0].ReferencedSOPInstanceUID == picture.SOPInstanceUID


def test_what_was_typed_is_all_that_links_them_to_a_patient() -> None:
    for dataset in read_back(made(), export_identity("4711", "1.2.3")):
        assert (dataset.PatientID, dataset.StudyInstanceUID) == ("4711", "1.2.3")
        assert dataset.PatientIdentityRemoved == "NO" and "DeidentificationMethod" not in dataset
        assert not dataset.StudyDate, "the archive knows the date of its study"
        assert not dataset.PatientName and not dataset.PatientBirthDate and not dataset.PatientSex


def groups(report: Dataset) -> list[Dataset]:
    (measurements,) = (item for item in report.ContentSequence if named(item) == "Imaging Measurements")
    return list(measurements.ContentSequence)


def named(item: Dataset) -> str:
    return str(item.ConceptNameCodeSequence[0].CodeMeaning)


def items(group: Dataset, name: str) -> list[Dataset]:
    return [item for item in group.ContentSequence if named(item) == name]


def number(item: Dataset) -> float:
    (value,) = item.MeasuredValueSequence
    unit = value.MeasurementUnitsCodeSequence[0]
    assert (unit.CodeValue, unit.CodingSchemeDesignator, unit.CodeMeaning) == ("1", "UCUM", "no units")
    return float(value.NumericValue)


def every_item(items_: Iterable[Dataset]) -> Iterator[Dataset]:
    for item in items_:
        yield item
        yield from every_item(item.get("ContentSequence", ()))


def test_every_item_of_the_report_has_its_value(files: tuple[Dataset, Dataset]) -> None:
    """PS3.3, table C.17-5: what the type of an item asks for, and a relationship for each."""
    value = {
        "TEXT": "TextValue",
        "CODE": "ConceptCodeSequence",
        "NUM": "MeasuredValueSequence",
        "UIDREF": "UID",
        "IMAGE": "ReferencedSOPSequence",
        "CONTAINER": "ContinuityOfContent",
    }
    seen = set()
    for item in every_item(files[1].ContentSequence):
        assert item.RelationshipType and item[value[item.ValueType]].value
        assert item.ValueType == "IMAGE" or item.ConceptNameCodeSequence[0].CodeMeaning
        seen.add(item.ValueType)
    assert seen == set(value)


def test_the_report_has_every_score_and_threshold(files: tuple[Dataset, Dataset]) -> None:
    _, report = files
    record, said = made(), set()
    for row, group in zip(record.rows, groups(report), strict=True):
        assert items(group, "Tracking Identifier")[0].TextValue == row.finding
        (score,) = items(group, "Score (attribute)")
        assert number(score) == pytest.approx(row.score, rel=1e-6)
        thresholds = [number(item) for item in items(group, "Threshold Value")]
        assert thresholds == ([] if row.threshold is None else [pytest.approx(row.threshold, rel=1e-6)])
        (comment, *_) = (item.TextValue for item in items(group, "Comment"))
        if row.judged:
            assert row.threshold is not None
            assert comment.startswith("above threshold" if row.score >= row.threshold else "not above threshold")
        said.add(comment.split(",")[0])
        assert items(group, "Algorithm Name")[0].TextValue == "phantom"
        hashes = [item.TextValue for item in items(group, "Algorithm Parameters")]
        assert f"weights sha256: {CARD.sha256}" in hashes
        assert not items(group, "Finding"), "no diagnosis is coded"
    assert said == {"above threshold", "not above threshold", "this model cannot judge it"}


def test_its_codes_are_in_the_dictionary_of_the_standard() -> None:
    assert (codes.SCT.Score, codes.DCM.ThresholdValue, codes.UCUM.NoUnits) == (
        SCORE_CODE,
        THRESHOLD_CODE,
        NO_UNITS_CODE,
    )


def test_the_report_is_unverified_and_says_what_it_is_not_for(files: tuple[Dataset, Dataset]) -> None:
    _, report = files
    assert (report.VerificationFlag, report.PreliminaryFlag, report.Modality) == ("UNVERIFIED", "PRELIMINARY", "SR")
    words = [item.TextValue for item in report.ContentSequence if named(item) == "Comment"]
    assert words[0] == "NOT FOR MEDICAL USE" and any("not a diagnosis" in each for each in words)
    devices = [item.TextValue for item in report.ContentSequence if named(item) == "Device Observer Model Name"]
    assert devices == [f"Tailscope {version()}"]


def test_highdicom_reads_it_as_a_measurement_report(tmp_path_factory: pytest.TempPathFactory) -> None:
    _, report = read_back(made())
    path = tmp_path_factory.mktemp("report") / "report.dcm"
    report.save_as(path)
    content = srread(path).content
    assert len(content.get_image_measurement_groups()) == len(CARD.findings)


def test_the_scores_after_small_changes_stand_beside_the_score() -> None:
    scores = np.linspace(0.2, 0.43, 24, dtype=np.float32)[:, None].repeat(2, 1)
    stability = FilmStability(("change",) * 24, ("Mass", "Cyst"), scores, 0.0, 0.0, 0.0)
    record = replace(made(card=card_of(("Mass", "Cyst"), {"Mass": 0.305})), stability=stability)
    mass, cyst = groups(read_back(record)[1])
    said = "After 24 small changes of this film: {}scores 0.22 to 0.41."  # without the two lowest and the two highest
    for group, counted in ((mass, "above its threshold in 13 of 24 small changes; "), (cyst, "")):  # 0.31 to 0.43
        assert said.format(counted) in [item.TextValue for item in items(group, "Comment")]


def test_a_finding_without_threshold_has_a_score_alone() -> None:
    cavity_name = "Lung <b>\x1b[2J\\cavity"
    stated = (StatedRelation(cavity_name, "related to", "Mass"),)
    card = card_of(("Mass", cavity_name), {"Mass": 0.3}, relations=stated)
    _, report = read_back(made(card=card))
    mass, cavity = groups(report)
    assert items(mass, "Threshold Value") and not items(cavity, "Threshold Value")
    assert [item.TextValue for item in items(cavity, "Comment")] == [
        "no threshold",
        "Lung <b>?[2J\\cavity is related to Mass, as the model's card states.",
    ]
    assert items(cavity, "Tracking Identifier")[0].TextValue == "Lung <b>?[2J\\cavity"


def test_a_name_with_a_backslash_does_not_end_a_description(wording: Wording) -> None:
    card = card_of(("Lung\\cavity",), {})
    picture, _ = read_back(made(card=card), shown=heat("Lung\\cavity", card))
    wording(picture.SeriesDescription, "NOT FOR MEDICAL USE", "Lung/cavity")


def test_a_simulated_film_and_one_read_anyway_say_so_in_both() -> None:
    film = Radiograph.from_pixels(some_film().pixels, simulated=True)
    picture, report = read_back(made(film, verdict=Word(readable=False, reason="It is a leg.")))
    comments = " ".join(item.TextValue for item in report.ContentSequence if named(item) == "Comment")
    for words in (picture.DerivationDescription, comments):
        assert "SIMULATED" in words and "Read anyway" in words and "It is a leg." in words


def test_sides_that_the_file_does_not_state_are_not_claimed() -> None:
    picture, _ = read_back(made())
    assert not picture.PatientOrientation
    stated, _ = read_back(made(replace(some_film(), sides="stated")))
    assert list(stated.PatientOrientation) == ["L", "F"]


class Unasked:
    """A model that nobody asks: the gate refuses before that."""

    def __init__(self) -> None:
        self.card = CARD

    def features(self, radiographs: object) -> np.ndarray:
        raise AssertionError


@pytest.mark.parametrize("with_map", [True, False])
def test_our_reader_reads_the_picture_and_the_gate_refuses_it(with_map: bool) -> None:
    record = made(some_film(400, 320))
    with zipfile.ZipFile(
        io.BytesIO(dicom_zip(record, export_identity(), Window(), heat() if with_map else None))
    ) as packed:
        picture, report = (packed.read(name) for name in packed.namelist())
    film = read_radiograph(picture)
    assert film.original_size == plate_of(record, Window(), heat() if with_map else None).pixels.shape[:2]
    verdict = judge(replace(film, simulated=True), Unasked())
    assert not verdict.readable and verdict.details.check == "own capture"
    assert "Tailscope saved" in verdict.reason
    with pytest.raises(Exception, match="structured report"):
        read_radiograph(report)
