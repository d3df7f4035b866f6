"""The project form."""

from typing import Annotated

from pydantic import BaseModel, Field

from app.domain.money import Currency
from app.services.accounts import NAME_LENGTH as USER_NAME_LENGTH
from app.services.projects import NAME_LENGTH, ProjectRow, SaveProject


class ProjectForm(BaseModel):
    """What a person fills in about a project."""

    name: Annotated[str, Field(max_length=NAME_LENGTH)]
    currency: Currency
    row_version: int | None = None

    def command(self) -> SaveProject:
        """For the service."""
        return SaveProject(name=self.name, currency=self.currency, row_version=self.row_version)


class MemberForm(BaseModel):
    """A user by name."""

    member: Annotated[str, Field(max_length=USER_NAME_LENGTH)]


def stored(project: ProjectRow) -> dict[str, str]:
    """The form's text for a stored project."""
    return {"name": project.name, "currency": project.currency.value, "row_version": str(project.row_version)}
