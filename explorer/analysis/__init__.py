"""What goes wrong and where: tables by finding and center, confusions, nearest cases, a film beside its cohort."""
