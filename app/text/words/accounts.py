"""Sentences about accounts."""

from app.text.words import _, _n

WORDS = {
    "account.name_missing": _("Give it a name."),
    "account.name_too_long": _("The name is too long: at most {limit} characters."),
    "account.name_alike": _("That looks like “{name}”, who is here already: choose a name that nobody takes for another."),
    "account.name_invisible": _("The name holds characters that nobody sees."),
    "account.name_taken": _("Somebody is already called “{name}”."),
    "account.no_user": _("Nobody is called “{name}”."),
    "account.no_token": _("There is no such token, or it was revoked before."),
    "account.unknown": _("There is no such user."),
    "account.deactivated": _("This user was deactivated. An administrator can let them in again."),
    "account.last_admin": _("This is the last administrator. Make somebody else one first."),
    "account.old_password_wrong": _("That is not the password so far."),
    "account.password_short": _("Too short: at least {limit} characters. A few random words are good."),
    "account.password_long": _("Too long: at most {limit} characters."),
    "account.password_easy": _("Too easy to guess: not the name, and more than three different characters."),
    "account.password_refused": _("Name and password do not fit together, or there is no such user."),
    "account.too_many_tries": _n(
        "Too many tries. Wait {minutes} minute, or ask an administrator for a sign-in link.",
        "Too many tries. Wait {minutes} minutes, or ask an administrator for a sign-in link.",
        "minutes",
    ),
    "account.company_refused": _(
        "The company’s sign-in refused, or its answer does not hold. Try again; if it stays, tell whoever runs this site."
    ),
    "account.company_again": _("This sign-in was not begun in this browser, or took too long. Begin again."),
    "account.company_unreachable": _("The company’s sign-in cannot be reached now. Try again later, or use another way."),
    "account.link_refused": _("This sign-in link was used before, has expired, or is not complete."),
    "account.sign_in_first": _("Sign in, or send a token: “Authorization: Bearer …”."),
    "access.needs_read": _("Only members of the project see this."),
    "access.needs_upload": _("Only requesters of the project add or remove evidence."),
    "access.needs_describe": _("Only requesters of the project change its workload and its options."),
    "access.needs_price": _("Only procurement changes the cost inputs of a project."),
    "access.needs_issue": _("Only members of the project issue its sheet."),
    "access.needs_manage": _("Only who made the project, or an administrator, does this."),
    "access.needs_admin": _("Only an administrator does this."),
    "access.needs_price_keeper": _("Only procurement and administrators do this."),
    "access.token_for_one_project": _("This token opens one project’s telemetry and answers, nothing else."),
    "member.maker_stays": _("Who made the project stays a member."),
    "account.token_refused": _("The token is unknown or was revoked."),
}
