"""Concurrency and memory of the running program: queues, background work, helper processes, caches."""
