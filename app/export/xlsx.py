"""The sheet as a workbook: numbers as numbers with their units, totals as live formulas with the engine's results beside them."""

from datetime import datetime
from io import BytesIO

import xlsxwriter

from app.domain.errors import Message
from app.domain.money import Money
from app.domain.sheet import ConfigurationSheet, Quantity, Row
from app.export.issue import Issue
from app.export.pdf import issue_line, revision_rows
from app.export.sections import Section, sections
from app.export.texts import said, source_text, value_text
from app.export.workbook import Sheet, Styles, amount_format
from app.export.workbook_cost import write_cost
from app.export.workbook_model import Calculated, write_model
from app.text.figures import scale_of
from app.text.render import render

TEXT_ONLY = ("books", "acceptance", "hosting", "eliminated", "assumptions", "risks", "sources", "derivation")
NAME_LENGTH = 31  # that a worksheet's name may have


def write_xlsx(issue: Issue, locale: str) -> bytes:
    """The bytes of the workbook."""
    buffer = BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet = issue.sheet
        book.set_properties({"title": f"{said('sheet.title', locale)} {sheet.project}", "author": "GPU Plan", "created": _created(issue)})
        styles = Styles(book)
        _front(Sheet(book, _name("sheet.title", locale), styles, (38, 16, 16, 16, 14, 60)), issue, locale)
        _bill(Sheet(book, _name("sheet.section.bill", locale), styles, (26, 50, 12, 18, 18, 60)), sheet, locale)
        cost = Sheet(book, _name("sheet.section.cost", locale), styles, (40, *(18 for _ in range(12))))
        calculated: tuple[Calculated, ...] = ()
        if sheet.cost.figures is not None:
            model = Sheet(book, _name("sheet.section.model", locale), styles, (60, 20, 18, 18, *(16 for _ in range(12))))
            calculated = write_model(model, sheet, sheet.cost.figures, locale)
        write_cost(cost, sheet, calculated, locale)
        texts = {section.key: section for section in sections(sheet, locale)}
        for key in TEXT_ONLY:
            if key in texts:
                _table(Sheet(book, texts[key].title[:NAME_LENGTH], styles, tuple(width * 12 for width in texts[key].widths)), texts[key])
    return buffer.getvalue()


def _created(issue: Issue) -> datetime:
    return datetime.fromisoformat(issue.sheet.issued_at).replace(tzinfo=None)


def _name(code: str, locale: str) -> str:
    return said(code, locale)[:NAME_LENGTH]


def _front(page: Sheet, issue: Issue, locale: str) -> None:
    """Decision, need, configuration and estimate, with low, typical and high in their own columns."""
    sheet = issue.sheet
    page.line(sheet.project, style=page.styles.title)
    page.line(issue_line(issue, locale), style=page.styles.soft)
    page.line(render(sheet.decision, locale), style=page.styles.strong)
    for verdict in sheet.cost.verdicts:
        page.line(render(verdict, locale))
    page.skip()
    for key, rows in (("need", sheet.need), ("configuration", sheet.configuration), ("estimate", sheet.estimate)):
        page.line(said(f"sheet.section.{key}", locale), style=page.styles.heading)
        page.row(
            [said(f"sheet.head.{head}", locale) for head in ("item", "low", "typical", "high", "unit", "source")], style=page.styles.head
        )
        for row in rows:
            page.row(_cells(row, locale))
        page.skip()
    page.line(said("sheet.section.revisions", locale), style=page.styles.heading)
    for name, value in revision_rows(issue, locale):
        page.row([name, value])
    page.skip()
    page.line(said("sheet.section.sign_off", locale), style=page.styles.heading)
    page.row([said(f"sheet.head.{head}", locale) for head in ("role", "name", "signature", "date")], style=page.styles.head)
    for role in sheet.sign_off:
        page.row([render(role, locale)])


def _cells(row: Row, locale: str) -> list[str | float | None]:
    label, source = render(row.label, locale), source_text(row.source, locale)
    note = render(row.note, locale) if row.note else ""
    if isinstance(row.value, Quantity):
        estimate = row.value.estimate
        scale = scale_of(estimate.typical, row.value.unit)
        low, typical, high = (scale.convert(part) for part in (estimate.low, estimate.typical, estimate.high))
        return [label, low, typical, high, scale.unit, "; ".join(filter(None, (note, source)))]
    return [label, None, value_text(row.value, locale), None, None, "; ".join(filter(None, (note, source)))]


def _bill(page: Sheet, sheet: ConfigurationSheet, locale: str) -> None:
    """Quantity × unit price, and their sum, as formulas."""
    heads = ("item", "description", "quantity", "unit_price", "total", "source")
    page.row([said(f"sheet.head.{head}", locale) for head in heads], style=page.styles.head)
    first = page.at
    for line in sheet.bill:
        described = render(line.description, locale) if isinstance(line.description, Message) else line.description
        money = amount_format(page.styles, line.unit_price)
        at = page.at
        page.row([render(line.item, locale), described, line.quantity], advance=False)
        if line.unit_price is not None and line.total is not None:
            page.number(at, 3, float(line.unit_price.amount), money)
            page.formula(at, 4, f"=C{at + 1}*D{at + 1}", line.total, money)
        page.text(at, 5, source_text(line.source, locale))
        page.at += 1
    if sheet.bill_total is not None:
        page.text(page.at, 0, said("sheet.total_priced", locale), page.styles.strong)
        total: Money = sheet.bill_total
        page.formula(page.at, 4, f"=SUM(E{first + 1}:E{page.at})", total, amount_format(page.styles, total, strong=True))
        page.at += 1
    page.freeze()


def _table(page: Sheet, section: Section) -> None:
    for sentence in section.sentences:
        page.line(sentence)
    page.row(section.columns, style=page.styles.head)
    for row in section.rows:
        page.row(row, style=page.styles.wrapped)
    page.freeze(len(section.sentences) + 1)
