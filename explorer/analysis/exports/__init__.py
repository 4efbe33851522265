"""Files for download: slices, case lists, film reports, submissions, result tables, DICOM."""
