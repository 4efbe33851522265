"""Concurrency and memory of the running program: queues, background work, helper processes, what is kept."""
