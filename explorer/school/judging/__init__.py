"""Answers judged against a film's truth, counted, and the results of a class."""
