"""From needs to candidates: eliminate what cannot work and say why, then rank what can, per role (handbook §6).

`options` lists what could be bought, `elimination` removes by facts, `layouts` finds how a model runs on it, `search` puts the plan together,
`roles` weighs, `recommend` picks the lowest configuration that meets the need, one cheaper and one safer.
"""

from app.domain.selection.plan import Candidate, Eliminated, Layout, Plan, Recommendation, Role
from app.domain.selection.search import make_plan

__all__ = ["Candidate", "Eliminated", "Layout", "Plan", "Recommendation", "Role", "make_plan"]
