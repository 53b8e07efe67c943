"""Read plan text in every explain mode: `PlanText` is the entry.

Texts become trees of operators with their printed fields (`nodes`), expressions become values (`expressions`). Nothing
is resolved here: what an operator does with its inputs belongs in `operators`.
"""
