"""/v1/sessions: show, list, change, archive and delete."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from holdfast.dialects.managed_config import PLACE, PROJECT, WORKSPACE, checked, config_of
from holdfast.dialects.managed_ends import Totals
from holdfast.dialects.managed_shapes import STATUSES, VERSION, metadata_of, session_shape, status_of
from holdfast.entry import read
from holdfast.errors import BadRequest, SessionBusy
from holdfast.events import End
from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.managed_requests import CREATED, created, cursor, listed_of, one_of, parts_of_cursor, several
from holdfast.http.requests import NoBody, only, read_body, whole_number
from holdfast.log.ended import ends_of
from holdfast.log.managed import Listed, ManagedRow
from holdfast.sessions import policies
from holdfast.sessions.orders import checked_workspace
from holdfast.sessions.record import state_of
from holdfast.times import now_ms

_LIST = (
    *("agent_id", "agent_version", "deployment_id", "memory_store_id"),
    *("statuses", "statuses[]", "include_archived", "limit", "order", "page"),
)

Title = Annotated[str, Meta(max_length=1_000)]


class ForeignFields(msgspec.Struct, frozen=True, kw_only=True):
    """What sessions have there and not here: it is known, so that it can be refused by its name."""

    budget: Any = None
    vault_ids: list[Any] = []


class ChangeBody(ForeignFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: Title | UnsetType | None = UNSET
    metadata: dict[str, str | None] | None = None
    agent: Any = None


def refuse_foreign(body: ForeignFields) -> None:
    if body.budget is not None:
        raise BadRequest("budget is not for whole sessions here: metadata['holdfast.max_budget_usd'] limits each run")
    if body.vault_ids:
        raise BadRequest(f"There are no vaults here: vault_ids is {msgspec.json.encode(body.vault_ids).decode()}")


def checked_title(title: str | None) -> str | None:
    if title is not None and "\0" in title:
        raise BadRequest(f"The title {title!r} has a NUL in it")
    return title


async def show(request: Request) -> Response:
    only(request, "beta")
    listed = await listed_of(request)
    return json_response(session_shape(listed, await _usage(request, listed), now_ms()))


async def change(request: Request) -> Response:
    only(request, "beta")
    listed = await listed_of(request)
    body, _ = await read_body(request, ChangeBody)
    refuse_foreign(body)
    if body.agent is not None:
        raise BadRequest("agent cannot be changed here: agents bring their own tools and servers")
    settings = context_of(request).settings
    workspace = (body.metadata or {}).get(WORKSPACE)
    if workspace is not None:
        checked_workspace(workspace)  # here, since folders may be slow, and what follows keeps everybody's writes

    def changes(row: ManagedRow) -> dict[str, Any]:
        before = metadata_of(row)
        patch = body.metadata or {}
        kept = {key: value for key, value in before.items() if key not in patch}
        after = checked({**kept, **{key: value for key, value in patch.items() if value is not None}})
        policies.check(config_of(after), settings)
        for key in PLACE:
            if after.get(key) != before.get(key) and (listed.session is not None or key == PROJECT):
                raise BadRequest(f"metadata[{key!r}] cannot be changed any more")
        title = row.title if body.title is UNSET else checked_title(body.title)
        return {"title": title, "metadata": msgspec.json.encode(after).decode()}

    return await _changed(request, listed, changes)


async def archive(request: Request) -> Response:
    only(request, "beta")
    listed = await listed_of(request)
    await read_body(request, NoBody)
    _refuse_active(listed, "archived")
    return await _changed(request, listed, lambda row: {"archived_ms": row.archived_ms or now_ms()})


async def delete(request: Request) -> Response:
    """Takes the session out of this API. Its log stays: it is append-only, and not of this API alone."""
    only(request, "beta")
    listed = await listed_of(request)
    _refuse_active(listed, "deleted")
    await context_of(request).log.managed.change(_row_of(listed), lambda _: {"deleted_ms": now_ms()})
    return json_response({"id": listed.id, "type": "session_deleted"})


def _refuse_active(listed: Listed, what: str) -> None:
    if listed.session is not None and state_of(listed.session).is_active:
        raise SessionBusy(f"The session {listed.id} is at work and cannot be {what}; send a user.interrupt first")


async def _changed(request: Request, listed: Listed, changes: Callable[[ManagedRow], dict[str, Any]]) -> Response:
    now = now_ms()
    log = context_of(request).log
    await log.managed.change(_row_of(listed), lambda row: {**changes(row), "updated_ms": now})
    return json_response(await shape_of(request, listed.id))


def _row_of(listed: Listed) -> ManagedRow:
    """Its own, or what it would be for a session that was made elsewhere."""
    if listed.managed is not None:
        return listed.managed
    session = listed.session
    assert session is not None
    return ManagedRow(
        id=session.id,
        user_id=session.user_id,
        agent=session.agent,
        created_ms=session.created_ms,
        updated_ms=session.updated_ms,
    )


async def shape_of(request: Request, session_id: str) -> dict[str, Any]:
    """As it is now."""
    log = context_of(request).log
    session, managed = await log.read.session(session_id), await log.managed.one(session_id, user_of(request))
    assert managed is not None
    listed = Listed(id=session_id, created_ms=managed.created_ms, session=session, managed=managed)
    return session_shape(listed, await _usage(request, listed), now_ms())


async def _usage(request: Request, listed: Listed) -> dict[str, int]:
    totals, session = Totals(), listed.session
    if session is not None:
        for envelope in await context_of(request).log.read.ask(lambda connection: ends_of(connection, session.key)):
            end = read(envelope).data
            assert isinstance(end, End)
            totals.take(end)
    return totals.shown()


async def list_(request: Request) -> Response:
    only(request, "beta", *_LIST, *CREATED)
    query = request.query_params
    statuses = several(request, "statuses")
    for status in statuses:
        if status not in STATUSES:
            raise BadRequest(f"{status!r} is no status; there are: {', '.join(STATUSES)}")
    limit = whole_number(request, "limit", 20, least=1, most=100)
    ascending = one_of(request, "order", "desc", "asc") == "asc"
    archived = one_of(request, "include_archived", "false", "true") == "true"
    version = whole_number(request, "agent_version", VERSION, least=1, most=10**9)
    behind = parts_of_cursor(request)
    times = created(request)
    # Nothing here has those, and no agent another version.
    is_empty = "deployment_id" in query or "memory_store_id" in query or version != VERSION
    found: list[Listed] = []
    while not is_empty and len(found) <= limit:
        page = await context_of(request).log.managed.page(
            user_of(request),
            agent=query.get("agent_id"),
            created=times,
            archived=archived,
            ascending=ascending,
            behind=behind,
            limit=limit + 1,
        )
        found += [one for one in page if not statuses or _status(one) in statuses]
        if len(page) <= limit:
            break
        behind = page[-1].created_ms, page[-1].id
    shown = found[:limit]
    next_page = cursor(shown[-1].created_ms, shown[-1].id) if len(found) > limit else None
    now = now_ms()
    # What was used is not added up for whole pages; each session says its own.
    return json_response(
        {"data": [session_shape(one, {}, now) for one in shown], "next_page": next_page, "prev_page": None}
    )


def _status(listed: Listed) -> str:
    return status_of(None if listed.session is None else state_of(listed.session))
