"""Sentences about cost."""

from app.text.words import _

WORDS = {
    "cost.years_out_of_range": _("must be between one month and {most} years."),
    "cost.no_options": _("holds no option: give at least one."),
    "cost.same_name": _("is used twice: “{name}”. Options are told apart by their names."),
    "cost.month_outside": _("must lie between 0 and {most}, the months of the plan."),
    "cost.same_at_any_use": _("Both cost the same whatever the use."),
    "cost.never_breaks_even": _("{name} is cheaper at every utilisation up to 100 %."),
    "cost.no_investment": _("Neither takes more cash at the start, so nothing has to be paid back."),
    "cost.not_paid_back": _("What {name} saves against {other} does not pay back its start within the plan."),
    "cost.irr_none": _("No rate makes the difference of cash worth nothing."),
    "cost.irr_several": _("The difference of cash changes its sign more than once, so several rates would fit."),
    "cost.no_price": _("Nobody has quoted a purchase price for the {gpu}."),
    "cost.no_rent": _("Nobody has quoted a rent for the {gpu} ({commitment})."),
    "cost.no_board_power": _("The board power of the {gpu} is unknown, so its electricity cannot be counted."),
    "cost.no_factor": _("The cost factor {key} has no typical value."),
    "cost.from_factor": _("Not stated; taken from a sourced factor ({unit}): {source}."),
    "cost.residual_assumed": _("Share of the price of the cards that is left at the end: {source}."),
    "cost.not_priced": _("Storage systems, data-centre building work and software licences are not priced: add your quotes."),
    "cost.no_tax": _("Prices are taken without tax: VAT and duty are not included."),
    "cost.rent_assumed": _("Weighted median of {count} dated price rows."),
}
