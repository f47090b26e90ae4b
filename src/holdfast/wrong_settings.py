"""How a setting that is wrong is told: what it must be, what it is, and what may have been meant."""

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def describe(wanted: Any) -> str:
    """The description in the annotation; Token | None hides it in the first part of the union."""
    metas: tuple[Any, ...] = getattr(wanted, "__metadata__", ()) or wanted.__args__[0].__metadata__
    return metas[0].description


def shown(raw: object) -> str:
    """The value as it was given, without a password in a URL."""
    text = repr(str(raw) if isinstance(raw, Path) else raw)
    return re.sub(r"(://[^:/@\s]*):[^@\s]*@", r"\1:…@", text)


def unknown(where: str, name: str, known: Iterable[str]) -> str:
    hint = suggestion(name, known)
    return f"{where} has the unknown setting {name!r}{f'{hint}?' if hint else '.'}"


def suggestion(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}" if near else ""
