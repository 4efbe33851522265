"""A model's reading of a film as DICOM files for an archive: a secondary capture and a structured report."""
