"""Sentences about requests that cannot be answered, and what forms say about a field."""

from app.text.words import _

WORDS = {
    "request.cross_site": _("This request came from another site, so it was not carried out. Open the page here and try again."),
    "request.too_large": _("This is more than {limit_bytes}, the most that is accepted here. Nothing was stored."),
    "request.not_json": _("The body is not JSON."),
    "request.not_json_type": _("This address reads JSON. Send it with the header “Content-Type: application/json”."),
    "request.invalid": _("The request does not have the expected form."),
    "request.not_found": _("There is nothing at this address."),
    "request.method": _("This address cannot be used that way."),
    "request.failed": _("Something went wrong on our side. What was stored before this request is unchanged."),
    "database.unstorable": _("The input contains a character or a number that cannot be stored."),
    "form.missing": _("Fill this in."),
    "form.unreadable": _("This contains a character that cannot be stored."),
    "form.not_a_number": _("Write a number."),
    "form.not_whole": _("Write a whole number."),
    "form.unknown_value": _("“{typed}” is not known here."),
    "form.not_a_choice": _("Choose one of the listed values."),
    "form.not_a_date": _("Write a date as 2026-11-30."),
    "form.not_yes_or_no": _("Choose yes or no."),
    "form.not_finite": _("Write a finite number."),
    "form.at_least": _("The smallest possible value is {limit}."),
    "form.more_than": _("The value must be greater than {limit}."),
    "form.at_most": _("The largest possible value is {limit}."),
    "form.less_than": _("The value must be less than {limit}."),
    "form.too_short": _("Write at least {limit} characters."),
    "form.too_long": _("Write at most {limit} characters."),
    "form.wrong_pattern": _("This is not written as expected."),
    "form.unknown_field": _("This field is not known here."),
}
