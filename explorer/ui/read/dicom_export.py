"""The call of Read's Save as DICOM, offered only with --dicom-export."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.analysis.exports.film_report import film_report
from explorer.runtime.fair_queue import QueueFull
from explorer.ui.read.handlers import OpenedFilm, ReadHandlers
from explorer.ui.read.payload import DicomPayload
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import string_field, value_in
from models.cards.card import UnusableModel
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.analysis.exports.dicom.shown_map import ShownMap

NOT_CONFIRMED = Refusal("Nothing was saved", "Confirm what will be written, then save.")


class DicomExport:
    """Makes the two DICOM files of a film that was read."""

    def __init__(self, reading: ReadHandlers) -> None:
        self._reading = reading

    def dicom(self, sent: object) -> DicomPayload | RefusedPayload | None:
        """The film behind `token` as DICOM, with the map of `finding` if one is shown, in the page's `window`.

        `patient` and `study` are the visitor's entries, possibly empty; without `confirmed` nothing is written. None if
        the film is gone or was not read.
        """
        # highdicom takes most of a second to import, and few visitors need it.
        from explorer.analysis.exports.dicom.files import dicom_zip
        from explorer.analysis.exports.dicom.identity import WrongIdentity, export_identity
        from explorer.analysis.exports.dicom.plate import Window

        token, shown = string_field(sent, "token"), value_in(sent, "window")
        opened = self._reading.opened(token)
        if opened is None or opened.reading is None:
            return None
        reading = opened.reading
        if not (reading.verdict.readable or opened.anyway):
            return None
        if value_in(sent, "confirmed") is not True:
            return refusal_payload(NOT_CONFIRMED, "wrong")
        window = Window.of(value_in(shown, "width"), value_in(shown, "level"), value_in(shown, "inverted"))
        try:
            ids = export_identity(string_field(sent, "patient"), string_field(sent, "study"))
            heat = self._map(token, opened, string_field(sent, "finding"))
        except WrongIdentity as refusal:
            return refusal_payload(refusal, "wrong")
        except (UnusableModel, QueueFull) as refusal:
            return refusal_payload(refusal, "unscored")
        made = film_report(
            reading.card, reading.device, opened.film.unpacked().radiograph, reading.rows, reading.verdict
        )
        made = replace(made, stability=opened.stability)
        return {"zip": b64encode(dicom_zip(made, ids, window, heat)).decode("ascii")}

    def _map(self, token: str, opened: OpenedFilm, finding: str) -> ShownMap | None:
        from explorer.analysis.exports.dicom.shown_map import shown_map

        if opened.reading is None or finding not in opened.reading.card.findings:
            return None
        mapped = self._reading.reader(opened).heat(opened.film.unpacked().radiograph, [finding], name=token)
        return shown_map(finding, mapped.heat.maps[0], mapped.heat.box, opened.reading.card)
