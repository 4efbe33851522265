"""Downloads of public datasets, small: the same tables, columns and folders, and films of noise.

CheXpert, PadChest, VinDr-CXR (Kaggle) and RSNA are as the torchxrayvision wheel has their real tables; the others as
their documentation and published loaders describe them.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, generate_uid

from tests.explorer.ingest.brought import film, rows, written

CHEXPERT_LABELS = (
    "No Finding,Enlarged Cardiomediastinum,Cardiomegaly,Lung Opacity,Lung Lesion,Edema,Consolidation,Pneumonia,"
    "Atelectasis,Pneumothorax,Pleural Effusion,Pleural Other,Fracture,Support Devices"
).split(",")
STUDY = "20536686640136348236148679891455886468"
PADCHEST = "PADCHEST_chest_x_ray_images_labels_160K_01.02.19.csv"
REVEAL_LABELS = (
    "Airspace opacity,Aneurysm,Cardiomegaly,COPD,Hiatal hernia,Interstitial opacity,Lung mass,Lung nodule,"
    "Lymphadenopathy,Pleural effusion,Pleural thickening,Pneumothorax"
).split(",")


def dicom(seed: int, *, width: int = 64, height: int = 32, **elements: str) -> bytes:
    """A radiograph of noise with these elements in its header."""
    data = Dataset()
    data.SOPClassUID, data.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.1", generate_uid(entropy_srcs=[str(seed)])
    data.Modality, data.PhotometricInterpretation = "CR", "MONOCHROME2"
    data.SamplesPerPixel, data.BitsAllocated, data.BitsStored, data.HighBit = 1, 16, 12, 11
    data.PixelRepresentation, data.Rows, data.Columns = 0, height, width
    for name, value in elements.items():
        setattr(data, name, value)
    data.PixelData = np.random.default_rng(seed).integers(0, 4096, (height, width), np.uint16).tobytes()
    data.file_meta = FileMetaDataset()
    data.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    file = io.BytesIO()
    data.save_as(file, enforce_file_format=True)
    return file.getvalue()


def chexpert(root: Path) -> None:
    header = ("Path", "Sex", "Age", "Frontal/Lateral", "AP/PA", *CHEXPERT_LABELS)
    begin, one = "CheXpert-v1.0-small", "train/patient00001/study1"
    healthy = ["1.0", *[""] * 8, "0.0", *[""] * 3, "1.0"]
    sick = ["", "", "-1.0", "1.0", "", "-1.0", "-1.0", "", "-1.0", "", "-1.0", "", "1.0", ""]
    table = rows(
        header,
        (f"{begin}/{one}/view1_frontal.jpg", "Female", "68", "Frontal", "AP", *healthy),
        (f"{begin}/{one}/view2_lateral.jpg", "Female", "68", "Lateral", "", *healthy),
        (f"{begin}/train/patient00002/study2/view1_frontal.jpg", "Unknown", "0", "Frontal", "PA", *sick),
    )
    written(root / "train.csv", table)
    valid = [*["0.0"] * 2, "1.0", *["0.0"] * 11]
    film_path = "valid/patient64541/study1/view1_frontal.jpg"
    written(root / "valid.csv", rows(header, (f"{begin}/{film_path}", "Male", "73", "Frontal", "AP", *valid)))
    names = (f"{one}/view1_frontal", f"{one}/view2_lateral", "train/patient00002/study2/view1_frontal", film_path[:-4])
    for seed, name in enumerate(names):
        written(root / f"{name}.jpg", film(seed))


def padchest_table() -> str:
    header = (
        "",
        *("ImageID", "ImageDir", "StudyDate_DICOM", "StudyID", "PatientID", "PatientBirth", "PatientSex_DICOM"),
        *("Projection", "Rows_DICOM", "Columns_DICOM", "Report", "MethodLabel", "Labels"),
    )
    films = (
        ("a.png", "0", "PA", "Physician", "['pulmonary fibrosis', 'kyphosis', 'ground glass pattern', 'unchanged']"),
        ("b.png", "0", "L", "Physician", "['pulmonary fibrosis', 'kyphosis', 'ground glass pattern', 'unchanged']"),
        ("c.png", "17", "AP_horizontal", "RNN_model", "['normal']"),
        ("d.png", "17", "COSTAL", "RNN_model", "['unchanged']"),
        ("e.png", "54", "PA", "RNN_model", "nan"),
        ("f.png", "54", "PA", "RNN_model", "['cardiomegaly', ' normal']"),
    )
    return rows(
        header,
        *(
            (
                *(place, f"{STUDY[:-1]}{place}_{name}", folder, "20140915", f"{STUDY[:-1]}{place}", f"83{place}"),
                *("1930.0", "F", view, "3296", "3236", "corazon grande\n sin cambios .", method, words),
            )
            for place, (name, folder, view, method, words) in enumerate(films)
        ),
    )


def padchest(root: Path) -> None:
    written(root / PADCHEST, padchest_table())
    for place, name in enumerate(("0/{}0_a", "0/{}1_b", "17/{}2_c", "17/{}3_d", "54/{}4_e", "54/{}5_f")):
        written(root / f"{name.format(STUDY[:-1])}.png", film(place))


def mimic(root: Path) -> None:
    meta = (
        *("dicom_id", "subject_id", "study_id", "PerformedProcedureStepDescription", "ViewPosition", "Rows", "Columns"),
        *("StudyDate", "StudyTime", "ProcedureCodeSequence_CodeMeaning", "ViewCodeSequence_CodeMeaning"),
        "PatientOrientationCodeSequence_CodeMeaning",
    )
    films = (("aa-1", "10000032", "50414267", "PA"), ("aa-2", "10000032", "50414267", "LATERAL"))
    films += (("bb-1", "10000764", "57375967", "AP"), ("cc-1", "10000898", "50771383", ""))
    table = rows(
        meta,
        *((name, who, study, "CHEST (PA AND LAT)", view, 3056, 2544, *[""] * 5) for name, who, study, view in films),
    )
    written(root / "mimic-cxr-2.0.0-metadata.csv.gz", gzip.compress(table.encode()))
    splits = rows(
        ("dicom_id", "study_id", "subject_id", "split"),
        *((name, study, who, "test" if name[0] == "b" else "train") for name, who, study, _ in films),
    )
    written(root / "mimic-cxr-2.0.0-split.csv.gz", gzip.compress(splits.encode()))
    names = ("subject_id", "study_id", *sorted(CHEXPERT_LABELS))
    healthy = ["1.0" if name == "No Finding" else "" for name in names[2:]]
    sick = [{"Edema": "1.0", "Pneumonia": "-1.0", "Fracture": "0.0"}.get(name, "") for name in names[2:]]
    for labeler in ("chexpert", "negbio"):
        labels = rows(names, ("10000032", "50414267", *healthy), ("10000764", "57375967", *sick))
        written(root / f"mimic-cxr-2.0.0-{labeler}.csv.gz", gzip.compress(labels.encode()))
    for seed, (name, who, study, _) in enumerate(films):
        written(root / "files" / f"p{who[:2]}" / f"p{who}" / f"s{study}" / f"{name}.jpg", film(seed))


def cxrlt_mimic(release: Path, year: int, task: int = 1) -> None:
    """The label files of a release, for films of `mimic`; tasks 2 and 3 of 2024 have no training films."""
    path = "files/p10/p10000032/s50414267/aa-1.jpg"
    ids = ("dicom_id", "subject_id", "study_id", "ViewPosition", "ViewCodeSequence_CodeMeaning", "fpath")
    first, second = ("aa-1", "10000032", "50414267", "PA", "postero-anterior", path), ("bb-1", "10000764", "57375967")
    other = (*second, "AP", "antero-posterior", "files/p10/p10000764/s57375967/bb-1.jpg")
    if year == 2023:
        names = ("Atelectasis", "Calcification of the Aorta", "Tortuous Aorta", "No Finding")
        parts = ("train.csv", "development.csv")
    elif task > 1:
        names = (
            ("Atelectasis", "Mass", "Hernia", "Normal") if task == 2 else ("Bulla", "Hilum", "Osteopenia", "Scoliosis")
        )
        parts = (f"test_labeled_task{task}.csv", f"development_labeled_task{task}.csv")
    else:
        names = ("Adenopathy", "Tuberculosis", "Round(ed) Atelectasis", "Normal")
        parts = ("train_labeled.csv", "development_labeled_task1.csv")
    written(release / parts[0], rows((*ids, *names), (*first, "0", "1", "1", "0")))
    written(release / parts[1], rows((*ids, *names), (*other, "0", "0", "1", "0")))


def cxrlt2026(root: Path) -> None:
    names = ("Normal", "aortic elongation", "central venous catheter", "Support Devices")
    films = [f"{STUDY[:-1]}{place}_{name}.png" for place, name in ((0, "a"), (0, "b"), (1, "c"))]
    table = rows(
        ("ImageID", "StudyDate_DICOM", "PatientID", *names),
        (films[0], "20140915", "3.24E+38", "0", "1", "0", "1"),
        (films[1], "20140915", "3.24E+38", "0", "1", "0", "1"),
        (films[2], "20140915", "8.40E+35", "1", "0", "0", "0"),
    )
    written(root / "CXRLT_2026_training.csv", table)
    for seed, name in enumerate(films):
        written(root / "images" / name, film(seed))


def vindr(root: Path) -> None:
    readers = (
        ("f1", "R9", {"Cardiomegaly", "Aortic enlargement"}),
        ("f1", "R10", {"Cardiomegaly", "Pneumothorax"}),
        ("f1", "R8", {"No finding"}),
        *(("f2", reader, {"No finding"}) for reader in ("R1", "R2", "R3")),
    )
    names = ("Aortic enlargement", "Cardiomegaly", "Pneumothorax", "COPD", "Other diseases", "No finding")
    train = [(image, by, *(int(name in said) for name in names)) for image, by, said in readers]
    written(root / "annotations" / "image_labels_train.csv", rows(("image_id", "rad_ID", *names), *train))
    boxes = rows(
        ("image_id", "rad_ID", "class_name", "x_min", "y_min", "x_max", "y_max"),
        ("f1", "R9", "Cardiomegaly", "16", "8", "48", "24"),
        ("f1", "R10", "Cardiomegaly", "16", "8", "90", "24"),
        ("f1", "R9", "Aortic enlargement", "0", "0", "1", "1"),
        ("f1", "R8", "No finding", "", "", "", ""),
    )
    written(root / "annotations" / "annotations_train.csv", boxes)
    test = rows(("image_id", *names[:-2], "Other disease", "No finding"), ("t1", 0, 0, 1, 0, 0, 0))
    written(root / "annotations" / "image_labels_test.csv", test)
    written(
        root / "annotations" / "annotations_test.csv",
        rows(("image_id", "class_name", "x_min", "y_min", "x_max", "y_max"), ("t1", "Pneumothorax", 0, 0, 32, 32)),
    )
    for seed, name in enumerate(("train/f1", "train/f2", "test/t1")):
        written(root / f"{name}.dicom", dicom(seed, PatientSex="M", PatientAge="041Y"))


def rsna(root: Path) -> None:
    table = rows(
        ("patientId", "x", "y", "width", "height", "Target"),
        ("p-1", "", "", "", "", "0"),
        ("p-2", "264.0", "152.0", "213.0", "379.0", "1"),
        ("p-2", "562.0", "152.0", "256.0", "453.0", "1"),
        ("p-3", "", "", "", "", "0"),
    )
    written(root / "stage_2_train_labels.csv", table)
    kinds = (("p-1", "Normal"), ("p-2", "Lung Opacity"), ("p-2", "Lung Opacity"))
    written(
        root / "stage_2_detailed_class_info.csv",
        rows(("patientId", "class"), *kinds, ("p-3", "No Lung Opacity / Not Normal")),
    )
    for seed, name in enumerate(("p-1", "p-2", "p-3")):
        data = dicom(seed, ViewPosition="PA", PatientSex="F", PatientAge="058Y")
        written(root / "stage_2_train_images" / f"{name}.dcm", data)


def siim(root: Path) -> None:
    """Two masks on one film, none on the others."""
    table = rows(
        ("ImageId", " EncodedPixels"),
        ("1.2.1", " -1"),
        ("1.2.2", f"{1024 * 3 + 10} 5 1019 6 1018 5"),
        ("1.2.2", f"{1024 * 9 + 1000} 30"),
        ("1.2.3", "-1"),
    )
    written(root / "train-rle.csv", table)
    for seed, name in enumerate(("1.2.1", "1.2.2", "1.2.3")):
        data = dicom(seed, ViewPosition="AP", PatientSex="M", PatientAge="041Y")
        written(root / "dicom-images-train" / f"study {seed}" / "series" / f"{name}.dcm", data)


def padchest_gr(root: Path) -> None:
    studies = [
        {
            "StudyID": "111",
            "ImageID": "111_a.png",
            "findings": [
                {"sentence_en": "Normal heart.", "abnormal": False},
                {
                    "sentence_en": "Pleural effusion.",
                    "abnormal": True,
                    "boxes": [[0.25, 0.5, 0.5, 0.75], [0.5, 0.5, 1.5, 0.75]],
                    "extra_boxes": [[0, 0, 1, 1]],
                    "labels": ["Pleural effusion", "costophrenic angle blunting"],
                },
                {"abnormal": True, "boxes": [[0.0, 0.0, 0.5, 0.5]], "labels": ["COPD signs"]},
            ],
        },
        {"StudyID": "222", "ImageID": "222_b.png", "findings": [{"sentence_en": "Normal.", "abnormal": False}]},
        {"StudyID": "333", "ImageID": "333_c.png", "findings": []},
    ]
    written(root / "grounded_reports_20240819.json", json.dumps(studies))
    master = rows(
        ("StudyID", "ImageID", "PatientID", "PatientSex_DICOM", "split", "label", "label_group"),
        ("111", "111_a.png", "9", "F", "train", "Pleural effusion", "Pleural effusion"),
        ("111", "111_a.png", "9", "F", "train", "COPD signs", "COPD signs"),
        ("222", "222_b.png", "8", "M", "test", "Normal", "Normal"),
    )
    written(root / "master_table.csv", master)
    for seed, name in enumerate(("111_a", "222_b", "333_c")):
        written(root / "PadChest_GR" / f"{name}.png", film(seed))


def reveal(root: Path) -> None:
    ones = {"study-1": {"Cardiomegaly", "COPD"}, "study-2": set(), "study-3": {"Pneumothorax"}}
    table = rows(
        ("AccessionNumber", *REVEAL_LABELS),
        *((name, *(int(label in there) for label in REVEAL_LABELS)) for name, there in ones.items()),
    )
    written(root / "labels.csv", table)
    written(root / "dicom" / "one.dcm", dicom(1, AccessionNumber="study-1", ViewPosition="PA", PatientAge="061Y"))
    written(root / "dicom" / "two.dcm", dicom(2, AccessionNumber="study-1", ViewPosition="LL"))
    written(root / "dicom" / "study-2" / "x.dcm", dicom(3))
    written(root / "dicom" / "else.dcm", dicom(4, AccessionNumber="study-9"))


SAMPLES: Mapping[str, Callable[[Path], None]] = {
    "chexpert": chexpert,
    "padchest": padchest,
    "mimic": mimic,
    "cxrlt2026": cxrlt2026,
    "vindr": vindr,
    "rsna": rsna,
    "siim": siim,
    "padchest-gr": padchest_gr,
    "reveal": reveal,
}
