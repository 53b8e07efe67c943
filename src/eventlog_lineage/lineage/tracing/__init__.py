"""From the plan texts of a statement to its flow: what each output is derived from."""
