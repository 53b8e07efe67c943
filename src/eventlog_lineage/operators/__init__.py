"""What an operator means for columns: one file per operator."""
