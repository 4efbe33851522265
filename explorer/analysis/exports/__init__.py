"""What a user takes away: slices, lists of cases, film reports, submissions, tables of results, DICOM."""
