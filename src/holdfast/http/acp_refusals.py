"""What the ACP transport over HTTP refuses by a status of its own."""

from starlette.requests import Request

from holdfast.errors import BadRequest


class NotAcceptable(BadRequest):
    code = "not_acceptable"
    status = 406
    title = "Not acceptable"


class WrongMediaType(BadRequest):
    code = "wrong_media_type"
    status = 415
    title = "Wrong media type"


class NoBatches(BadRequest):
    code = "no_batches"
    status = 501
    title = "Batches are not taken"


def check_accept(request: Request, wanted: str) -> None:
    """Who says nothing takes anything."""
    given = request.headers.get("accept")
    if given is None:
        return
    main = wanted.partition("/")[0]
    for part in given.split(","):
        if part.partition(";")[0].strip().lower() in ("*/*", f"{main}/*", wanted):
            return
    raise NotAcceptable(f"The answer is {wanted}, and Accept says {given!r}")


def check_content_type(request: Request) -> None:
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip().lower() != "application/json":
        raise WrongMediaType(f"The body must be application/json, not {given!r}")
