"""One film read by one classifier: the models, the finding list, each session's films, the samples."""
