"""One film read by one classifier: the models, the finding list, the films of the sessions, the samples."""
