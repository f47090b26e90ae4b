"""Half a character in JSON (one of a surrogate pair alone), as JavaScript lets through and most readers do not, is
replaced: a request with one in it must be answered like any other."""

import json
import re

# The first half of a pair without the second, or the second without the first.
_HALF = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


def whole(line: bytes) -> bytes:
    """The line with U+FFFD in place of half characters; as it is if there are none, or if it is no JSON."""
    if b"\\u" not in line or _HALF.search(line) is None:
        return line
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
