"""Where models fail: tables by finding and center, confusions, nearest cases, a film compared with its cohort."""
