"""Values after names: what separates the two, and where the value ends."""
