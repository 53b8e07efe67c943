"""The declaration of every table, and the DDL made from it."""
