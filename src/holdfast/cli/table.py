"""Rows as lines of text: of the terminal's width for a person, whole for a program."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

GAP = 2

Row = Mapping[str, str | Text]


def print_table(
    out: Console, columns: Sequence[str], rows: Sequence[Row], *, stretch: str, right: Collection[str] = ()
) -> None:
    for line in table(columns, rows, stretch=stretch, right=right, width=out.width if out.is_terminal else None):
        out.print(line, soft_wrap=True)


def table(
    columns: Sequence[str], rows: Sequence[Row], *, stretch: str, right: Collection[str], width: int | None
) -> Iterator[Text]:
    """A heading and the rows; where the width does not suffice, the column `stretch` is cut and nothing else."""
    # What no row has needs no column.
    shown = [name for name in columns if any(str(row.get(name, "")) for row in rows)]
    cells = [[_text(row.get(name, "")) for name in shown] for row in rows]
    cells.insert(0, [Text(name, "dim") for name in shown])
    widths = [max(row[place].cell_len for row in cells) for place in range(len(shown))]
    if width is not None and stretch in shown:
        place = shown.index(stretch)
        others = sum(widths) - widths[place] + GAP * (len(shown) - 1)
        widths[place] = max(len(stretch), min(widths[place], width - others))
    for row in cells:
        line = Text()
        for name, cell, cell_width in zip(shown, row, widths, strict=True):
            cell.truncate(cell_width, overflow="ellipsis")
            cell.align("right" if name in right else "left", cell_width)
            line.append_text(cell).append(" " * GAP)
        line.rstrip()
        yield line


def _text(cell: str | Text) -> Text:
    return cell.copy() if isinstance(cell, Text) else Text(cell)
