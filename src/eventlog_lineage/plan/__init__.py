"""Read plan text in every explain mode: `PlanText` is the entry.

Texts are parsed to trees of operators with their printed fields (`tree`), expressions to values (`grammar`).
Nothing is resolved here: the rules of operators are in `operators`.
"""
