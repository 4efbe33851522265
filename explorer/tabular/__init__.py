"""Users' CSV files: read, checked cell by cell, problems listed with line and image."""
