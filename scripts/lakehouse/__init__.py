"""Workloads of table formats: SQL files with their truth, functions for what SQL cannot express, and what runs them."""
