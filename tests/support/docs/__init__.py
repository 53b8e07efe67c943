"""Reading the documentation: its blocks of commands, recipes, the README and the notebook."""
