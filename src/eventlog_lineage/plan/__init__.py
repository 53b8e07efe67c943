"""What the plan text says: outline, lexer, expressions, tree."""
