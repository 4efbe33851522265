"""The command line, `python -m explorer`: one command per file, one format per file."""
