"""The sheet as Markdown: for a wiki, a ticket or a repository."""

from collections.abc import Sequence

from app.export.issue import Issue
from app.export.pdf import issue_line, revision_rows
from app.export.sections import Section, sections
from app.export.texts import said
from app.text.render import render

MARKS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#~"} | {"\n": " ", "\r": " "})


def write_markdown(issue: Issue, locale: str) -> bytes:
    """UTF-8 with the tables of GitHub's dialect; what people typed is shown, never read as markup."""
    sheet = issue.sheet
    parts = [f"# {escaped(sheet.project)}", escaped(issue_line(issue, locale)), escaped(said("sheet.legend", locale))]
    for section in sections(sheet, locale):
        parts += _section(section)
    parts += [
        f"## {said('sheet.section.revisions', locale)}",
        *(f"- {escaped(name)}: `{value}`" for name, value in revision_rows(issue, locale)),
    ]
    heads = [said(f"sheet.head.{key}", locale) for key in ("role", "name", "signature", "date")]
    parts += [
        f"## {said('sheet.section.sign_off', locale)}",
        _table(heads, [(render(role, locale), "", "", "") for role in sheet.sign_off], ()),
    ]
    return ("\n\n".join(parts) + "\n").encode()


def escaped(text: str) -> str:
    """Text in which no sign is markup, in one line."""
    return text.translate(MARKS)


def _section(section: Section) -> list[str]:
    sentences = [escaped(sentence) for sentence in section.sentences]
    table = [_table(section.columns, section.rows, section.right)] if section.rows else []
    return [f"## {escaped(section.title)}", *sentences, *table]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int]) -> str:
    rule = ["---:" if index in right else "---" for index in range(len(heads))]
    lines = [[escaped(head) for head in heads], rule, *([escaped(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
