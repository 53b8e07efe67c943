"""Assemble events to executions, applications and the state of a log.

Memory is bounded by compact records of executions. Nothing here parses JSON or plan text.
"""
