"""A sheet as titled tables of text: what the PDF sets and what the JSON says in words."""

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.errors import Message
from app.domain.sheet import ConfigurationSheet, CostColumn, Row
from app.domain.sheet.cost import NAMED_OPTIONS
from app.export.texts import (
    limit_text,
    quantity_text,
    rule_text,
    said,
    source_text,
    step_texts,
    value_text,
)
from app.text.fields import assumed_text, field_text, step_label
from app.text.formats import money, significant
from app.text.render import render


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, sentences, and a table. `widths` are relative; `right` are the columns with numbers; `strong` the rows that are sums."""

    key: str
    title: str
    sentences: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    widths: tuple[float, ...] = ()
    right: tuple[int, ...] = ()
    strong: tuple[int, ...] = ()


def sections(sheet: ConfigurationSheet, locale: str) -> tuple[Section, ...]:
    """All sections in reading order, without those that are empty."""
    made = (maker(sheet, locale) for maker in _MAKERS)
    return tuple(section for section in made if section.rows or section.sentences)


def option_name(column: CostColumn, locale: str) -> str:
    """The heading of an option."""
    return said(f"sheet.column.{column.name}", locale) if column.name in NAMED_OPTIONS else column.name


def _heads(locale: str, *keys: str) -> tuple[str, ...]:
    return tuple(said(f"sheet.head.{key}", locale) for key in keys)


def _title(key: str, locale: str) -> str:
    return said(f"sheet.section.{key}", locale)


def _decision(sheet: ConfigurationSheet, locale: str) -> Section:
    sentences = (render(sheet.decision, locale), *(render(verdict, locale) for verdict in sheet.cost.verdicts))
    return Section(key="decision", title=_title("decision", locale), sentences=sentences)


def _labelled(key: str, rows: tuple[Row, ...], locale: str) -> Section:
    return Section(
        key=key,
        title=_title(key, locale),
        columns=_heads(locale, "item", "value", "source"),
        rows=tuple(
            (
                render(row.label, locale),
                " · ".join(part for part in (value_text(row.value, locale), render(row.note, locale) if row.note else "") if part),
                source_text(row.source, locale) or (step_label(row.step.key, locale) if row.step else ""),
            )
            for row in rows
        ),
        widths=(3, 5, 4),
    )


def _need(sheet: ConfigurationSheet, locale: str) -> Section:
    return _labelled("need", sheet.need, locale)


def _configuration(sheet: ConfigurationSheet, locale: str) -> Section:
    return _labelled("configuration", sheet.configuration, locale)


def _bill(sheet: ConfigurationSheet, locale: str) -> Section:
    rows = [
        (
            render(line.item, locale),
            _text(line.description, locale),
            significant(line.quantity, locale),
            money(line.unit_price, locale) if line.unit_price else "–",
            money(line.total, locale) if line.total else "–",
        )
        for line in sheet.bill
    ]
    if sheet.bill_total is not None:
        rows.append((said("sheet.total_priced", locale), "", "", "", money(sheet.bill_total, locale)))
    return Section(
        key="bill",
        title=_title("bill", locale),
        columns=_heads(locale, "item", "description", "quantity", "unit_price", "total"),
        rows=tuple(rows),
        widths=(3, 5, 1.6, 3, 3),
        right=(2, 3, 4),
        strong=(len(rows) - 1,) if sheet.bill_total is not None else (),
    )


def _estimate(sheet: ConfigurationSheet, locale: str) -> Section:
    return _labelled("estimate", sheet.estimate, locale)


def _acceptance(sheet: ConfigurationSheet, locale: str) -> Section:
    return Section(
        key="acceptance",
        title=_title("acceptance", locale),
        columns=_heads(locale, "criterion", "expected", "limit", "how", "command"),
        rows=tuple(
            (
                f"{render(criterion.name, locale)} ({criterion.rule})",
                quantity_text(criterion.expected, locale) if criterion.expected else "–",
                limit_text(criterion, locale),
                render(criterion.how, locale),
                criterion.command,
            )
            for criterion in sheet.acceptance
        ),
        widths=(2.4, 2.2, 2, 3.2, 4.2),
    )


def _hosting(sheet: ConfigurationSheet, locale: str) -> Section:
    return Section(
        key="hosting",
        title=_title("hosting", locale),
        columns=_heads(locale, "item", "asked", "evidence", "confirmed"),
        rows=tuple((render(row.topic, locale), render(row.asked, locale), render(row.evidence, locale), "") for row in sheet.hosting),
        widths=(2, 5, 4, 2),
    )


def _cost(sheet: ConfigurationSheet, locale: str) -> Section:
    cost = sheet.cost
    rows = [(render(row.line, locale), *(money(cell.amount, locale) if cell else "–" for cell in row.cells)) for row in cost.rows]
    sums: tuple[tuple[str, Callable[[CostColumn], str]], ...] = (
        ("capex", lambda column: money(column.capex, locale)),
        ("opex", lambda column: money(column.opex, locale)),
        ("total", lambda column: money(column.total, locale)),
        ("total_elsewhere", lambda column: money(column.total_elsewhere, locale) if column.total_elsewhere else "–"),
        ("range", lambda column: f"{money(column.low, locale, cents=False)} – {money(column.high, locale, cents=False)}"),
        ("npv", lambda column: money(column.npv, locale)),
        ("tax", lambda column: money(column.tax.total, locale) if column.tax else "–"),
        ("tax_kept", lambda column: money(column.tax.kept, locale) if column.tax else "–"),
        ("per_gpu_hour", lambda column: money(column.per_gpu_hour, locale) if column.per_gpu_hour else "–"),
        ("per_effective_gpu_hour", lambda column: money(column.per_effective_gpu_hour, locale) if column.per_effective_gpu_hour else "–"),
        ("energy", lambda column: f"{significant(round(column.energy_kwh), locale)} kWh" if column.energy_kwh else "–"),
    )
    strong = tuple(range(len(rows), len(rows) + 3))
    rows += [(said(f"sheet.{key}", locale), *(shown(column) for column in cost.columns)) for key, shown in sums]
    changed = (said("sheet.overrides", locale, keys=", ".join(cost.overrides)),) if cost.overrides else ()
    return Section(
        key="cost",
        title=_title("cost", locale),
        sentences=(*(render(text, locale) for text in cost.basis), *changed),
        columns=(*_heads(locale, "line"), *(option_name(column, locale) for column in cost.columns)),
        rows=tuple(rows),
        widths=(4, *(3 for _ in cost.columns)),
        right=tuple(range(1, len(cost.columns) + 1)),
        strong=strong,
    )


def _elsewhere(sheet: ConfigurationSheet, locale: str) -> Section:
    """The lines again in the other currency."""
    cost = sheet.cost
    amounts = [(row.line, [cell.elsewhere if cell else None for cell in row.cells]) for row in cost.rows]
    is_known = any(amount is not None for _, row in amounts for amount in row)
    rows = [(render(line, locale), *(money(amount, locale) if amount else "–" for amount in row)) for line, row in amounts]
    totals = [column.total_elsewhere for column in cost.columns]
    rows.append((said("sheet.total", locale), *(money(total, locale) if total else "–" for total in totals)))
    return Section(
        key="cost_elsewhere",
        title=_title("cost_elsewhere", locale),
        columns=(*_heads(locale, "line"), *(option_name(column, locale) for column in cost.columns)),
        rows=tuple(rows) if is_known else (),
        widths=(4, *(3 for _ in cost.columns)),
        right=tuple(range(1, len(cost.columns) + 1)),
        strong=(len(rows) - 1,),
    )


def _books(sheet: ConfigurationSheet, locale: str) -> Section:
    """What the books say of machines that are bought: by line, with the interest on what they hold."""
    columns = [column for column in sheet.cost.columns if column.books is not None]
    labels: dict[str, dict[str, str]] = {}
    for column in columns:
        assert column.books is not None
        lines = [(render(line, locale), amount) for line, amount in column.books.lines]
        sums = (("depreciation", column.books.depreciation), ("interest", column.books.interest))
        for label, amount in (*lines, *((said(f"sheet.{key}", locale), amount) for key, amount in sums)):
            labels.setdefault(label, {})[column.name] = money(amount, locale)
    return Section(
        key="books",
        title=_title("books", locale),
        sentences=(said("sheet.books_note", locale),),
        columns=(*_heads(locale, "line"), *(option_name(column, locale) for column in columns)),
        rows=tuple((label, *(cells.get(column.name, "–") for column in columns)) for label, cells in labels.items()),
        widths=(4, *(3 for _ in columns)),
        right=tuple(range(1, len(columns) + 1)),
        strong=(len(labels) - 2,),
    )


def _eliminated(sheet: ConfigurationSheet, locale: str) -> Section:
    return Section(
        key="eliminated",
        title=_title("eliminated", locale),
        sentences=(said("sheet.searched", locale, searched=sheet.searched_count),),
        columns=_heads(locale, "rule", "reason", "count", "short_by", "example"),
        rows=tuple(
            (
                rule_text(row.rule),
                render(row.reason, locale),
                significant(float(row.count), locale),
                render(row.short_by, locale) if row.short_by else "–",
                row.example,
            )
            for row in sheet.eliminated
        ),
        widths=(1.4, 5, 1.3, 2.4, 3.4),
        right=(2,),
    )


def _assumptions(sheet: ConfigurationSheet, locale: str) -> Section:
    return Section(
        key="assumptions",
        title=_title("assumptions", locale),
        columns=_heads(locale, "field", "value", "why", "owner"),
        rows=tuple(
            (field_text(row.field, locale), assumed_text(row.value, locale), render(row.why, locale), render(row.owner, locale))
            for row in sheet.assumptions
        ),
        widths=(3, 1.8, 6, 2),
    )


def _risks(sheet: ConfigurationSheet, locale: str) -> Section:
    return Section(
        key="risks",
        title=_title("risks", locale),
        columns=_heads(locale, "severity", "text", "rule"),
        rows=tuple(
            (
                said(f"sheet.severity.{row.severity}", locale),
                " ".join(part for part in (render(row.text, locale), render(row.evidence, locale) if row.evidence else "") if part),
                row.rule,
            )
            for row in sheet.risks
        ),
        widths=(1.4, 8, 1.2),
    )


def _sources(sheet: ConfigurationSheet, locale: str) -> Section:
    return Section(
        key="sources",
        title=_title("sources", locale),
        columns=_heads(locale, "source", "date", "address"),
        rows=tuple((row.title, row.on, row.url or "–") for row in sheet.sources),
        widths=(4, 1.3, 6),
    )


def _derivation(sheet: ConfigurationSheet, locale: str) -> Section:
    steps = [*sheet.derivation, *(step for row in sheet.cost.rows for cell in row.cells if cell for step in cell.derivation)]
    rows = []
    for step in steps:
        formula, values, inputs, result = step_texts(step, locale)
        rows.append((step_label(step.key, locale), formula, f"{values} = {result}", inputs))
    return Section(
        key="derivation",
        title=_title("derivation", locale),
        columns=_heads(locale, "item", "formula", "result", "inputs"),
        rows=tuple(rows),
        widths=(2, 3, 4, 5),
    )


def _text(text: Message | str, locale: str) -> str:
    return render(text, locale) if isinstance(text, Message) else text


_MAKERS: tuple[Callable[[ConfigurationSheet, str], Section], ...] = (
    _decision,
    _need,
    _configuration,
    _bill,
    _estimate,
    _acceptance,
    _hosting,
    _cost,
    _elsewhere,
    _books,
    _eliminated,
    _assumptions,
    _risks,
    _sources,
    _derivation,
)
