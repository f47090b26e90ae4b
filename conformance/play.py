"""One round of one case: a proxy, a client behind it, and the steps one after the other."""

import asyncio
import itertools
import signal
import time
from random import Random
from typing import Any

import msgspec

from conformance import awaited, checks, wire
from conformance.case import Case
from conformance.checks import Failed
from conformance.damage import Faults
from conformance.driver import Driver, Follower, Refused
from conformance.faults import Proxy
from conformance.logs import Logs
from conformance.names import Names
from conformance.reference import Reference
from conformance.servers import OwnServer, Server
from conformance.stand_in import SESSION, StandIn
from conformance.steps import End as EndStep
from conformance.steps import Expect, Follow, History, Named, Record, Request, Run, Started, Stream, Tell, Until, Why

# Every wait ends: no step takes a fraction of this, but the machine may be busy.
PATIENCE_S = 300.0
# A client under test waits no longer between two attempts: the faults are many, and the rounds too.
DELAY_MS = 15
ACTIVE = ("pending", "running", "waiting")
_clients = itertools.count(1)


class Play:
    """`happened` is told what the proxy does, for whoever looks for a mistake."""

    def __init__(
        self, case: Case, driver: Driver, server: Server | None, seed: int, logs: Logs, happened: list[str]
    ) -> None:
        self._case = case
        self._driver = driver
        self._server = server
        self._random = Random(f"{seed} {case.name}")  # noqa: S311 - faults, no secrets
        self._logs = logs
        self._happened = happened
        self._client = f"c{next(_clients)}"
        self._names = Names(f"{self._random.getrandbits(40):010x}{time.time_ns():x}")
        self._sessions = self._names.sessions
        self._past: Reference | None = None
        self._last_request = ""
        self._followers: dict[str, Follower] = {}
        self._proxy: Proxy | None = None
        self._stand_in: StandIn | None = None

    @property
    def _reference(self) -> Reference:
        """The server, past the client and the proxy."""
        assert self._past is not None, "where a stand-in answers there is no log"
        return self._past

    async def run(self) -> None:
        """Raises Failed, Refused or DriverFailed, which say what went wrong and at which step."""
        url, token = await self._set_the_stage()
        options = {"delay_ms": DELAY_MS, "quiet_s": self._case.quiet_s}
        self._past = Reference(self._server) if self._server else None
        try:
            await self._driver.ask("open", client=self._client, url=url, token=token, **options)
            for number, step in enumerate(self._case.steps, 1):
                name, said = step.said
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        await getattr(self, f"step_{name}")(said)
                except TimeoutError:
                    raise Failed(f"step {number} ({name}): nothing happened for {PATIENCE_S:.0f} s") from None
                except (Failed, Refused) as cause:
                    raise Failed(f"step {number} ({name}): {cause}") from cause
        finally:
            await self._leave_the_stage()

    async def _set_the_stage(self) -> tuple[str, str]:
        if self._case.script is not None:
            self._stand_in = StandIn(self._case.script)
            self._sessions["s"] = SESSION
            return await self._stand_in.start(), "scripted"
        assert self._server is not None
        self._proxy = Proxy(self._server, self._random, self._case.faults, self._happened)
        await self._proxy.up()
        return self._proxy.url, self._server.token

    async def _leave_the_stage(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._driver.ask("close", client=self._client)
        finally:
            for follower in self._followers.values():
                self._driver.forget(follower)
            for part in (self._proxy, self._stand_in, self._past):
                if part is not None:
                    await part.close()

    # What is done

    async def step_run(self, step: Run) -> None:
        if step.reuse is not None:
            self._sessions[step.session] = await self._shared(step)
            return
        body = {"task": self._names.filled(step.task), "config": self._names.filled(step.config)}
        answer = await self._asked(step.refused, "run", body=body)
        if answer is None:
            return
        if step.same_as is not None:
            checks.has(answer["session_id"], self._sessions[step.same_as], "the session's id")
        self._sessions[step.session] = answer["session_id"]

    async def _shared(self, step: Run) -> str:
        """A session that others read too; made past the client and the faults."""
        reference = self._reference

        async def make() -> str:
            answer = await reference.post("/sessions/run", {"task": step.task, "config": step.config})
            session_id = answer["session_id"]
            if step.reuse == "over":
                await reference.log(session_id)
            return session_id

        async def is_good(session_id: str) -> bool:
            return step.reuse == "over" or (await reference.record(session_id))["status"] in ACTIVE

        return await self._logs.session(f"{reference.http.base_url} {step.reuse} {step.task}", make, is_good)

    async def step_tell(self, step: Tell) -> None:
        session_id = self._names.id_of(step.session)
        more: dict[str, Any] = {"body": self._names.filled(step.body)}
        if step.do == "answer":
            waiting = (await self._reference.get("/permissions"))["permissions"]
            asked = [entry["request"]["request_id"] for entry in waiting if entry["session_id"] == session_id]
            # One that has its answer waits no longer; a second answer is for the same.
            self._last_request = asked[-1] if asked else self._last_request
            more["request_id"] = self._last_request
        if step.directly:
            answer = await self._reference.tell(step.do, session_id, **more)
        else:
            answer = await self._asked(step.refused, step.do, session_id=session_id, **more)
        if answer is not None:
            checks.has(answer, step.record, "the record")

    async def step_follow(self, step: Follow) -> None:
        session_id = None if step.session is None else self._names.id_of(step.session)
        after: int | None
        if step.after == "now":
            after = None
        elif step.after == "anywhere":
            assert session_id is not None
            after = self._random.randint(0, (await self._reference.record(session_id))["head"] - 1)
        elif isinstance(step.after, str):
            place = "sequence" if session_id else "position"
            after = self._followers[step.after].events[-1][place]
        else:
            after = step.after
        self._followers[step.name] = await self._driver.follow(
            self._client, session_id, after, partials=step.partials, hold=step.hold
        )

    async def step_leave(self, step: Named) -> None:
        follower = self._followers[step.follow]
        await self._driver.ask("leave", client=self._client, follow=follower.number)
        await follower.until(lambda: False)

    async def step_release(self, step: Named) -> None:
        await self._driver.ask("release", client=self._client, follow=self._followers[step.follow].number)

    async def step_faults(self, step: Faults) -> None:
        assert self._proxy is not None
        self._proxy.set(step)

    async def step_cut(self, step: str) -> None:
        assert self._proxy is not None
        self._proxy.cut(step)

    async def step_network(self, step: str) -> None:
        assert self._proxy is not None
        await (self._proxy.up() if step == "up" else self._proxy.down())

    async def step_server(self, step: str) -> None:
        assert isinstance(self._server, OwnServer)
        match step:
            case "start":
                await self._server.start()
            case "kill":
                await self._server.end(signal.SIGKILL)
            case _:
                await self._server.end(signal.SIGTERM)

    # What is waited for

    async def step_until(self, step: Until) -> None:
        follower = self._followers[step.follow]
        heads = await self._heads() if step.caught_up else {}

        def has_come() -> bool:
            return awaited.has_come(step, follower, heads)

        await follower.until(has_come)
        if not has_come():
            raise Failed(f"the stream ended before that: {follower.error or 'without an error'}")

    async def _heads(self) -> dict[str, int]:
        return {one: (await self._reference.record(one))["head"] for one in self._sessions.values()}

    async def step_end(self, step: EndStep) -> None:
        follower = self._followers[step.follow]
        await follower.until(lambda: False)
        code = follower.error.code if follower.error else None
        if code != step.error:
            raise Failed(f"the stream ended with {follower.error or 'no error'}, not with {step.error or 'none'}")

    async def step_dropped(self, step: str) -> None:
        while any(map(checks.is_partial, await self._reference.log(self._names.id_of(step)))):  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    # What is expected

    async def step_expect(self, step: Expect) -> None:
        follower = self._followers[step.follow]
        resets = sum(notice.get("resume") == "reset" for notice in follower.notices)
        place = "position" if follower.session_id is None else "sequence"
        checks.each_once(follower.events, place, resets=resets)
        checks.received(step, follower.events, follower.notices)
        if step.opened is not None and follower.states.count("streaming") < step.opened:
            raise Failed(f"the stream was opened {follower.states.count('streaming')} times, not {step.opened}")
        if step.asked is not None:
            assert self._stand_in is not None
            checks.has(self._stand_in.asked, step.asked, "what the client asked for")
            if self._stand_in.unasked or self._stand_in.left:
                left = f"{self._stand_in.left} answers are left, and {self._stand_in.unasked} had none"
                raise Failed(f"the client did not ask as the script expects: {left}")
        if step.whole is not None:
            await self._whole(follower, partials=step.whole == "all", resets=resets)

    async def _whole(self, follower: Follower, *, partials: bool, resets: int) -> None:
        for session_id in [follower.session_id] if follower.session_id else list(self._sessions.values()):
            log = await self._reference.log(session_id, 0 if resets or not follower.session_id else follower.after)
            came = [event for event in follower.events if event.get("session_id", session_id) == session_id]
            own = [{name: event[name] for name in ("type", "data", "timestamp", "sequence")} for event in came]
            if not partials:
                log, own = ([event for event in one if not checks.is_partial(event)] for one in (log, own))
            checks.same(own, log, f"the events of {session_id}")

    async def step_why(self, step: Why) -> None:
        end = await self._driver.ask("end", client=self._client, session_id=self._names.id_of(step.session))
        checks.has(end, step.ends, "the end")

    async def step_record(self, step: Record) -> None:
        record = await self._driver.ask("record", client=self._client, session_id=self._names.id_of(step.session))
        checks.has(record, self._names.filled(step.has), "the record")

    async def step_history(self, step: History) -> None:
        session_id = self._names.id_of(step.session)
        found = await self._driver.ask("history", client=self._client, session_id=session_id)
        log = await self._reference.log(session_id)
        checks.same(found["events"], [event for event in log if not checks.is_partial(event)], "the history")

    async def step_started(self, step: Started) -> None:
        found = (await self._reference.get("/sessions", q=self._names.filled(step.task)))["sessions"]
        runs = sum(record["runs"] for record in found)
        checks.has((len(found), runs), (step.times, step.times), f"sessions and runs of {step.task!r}")

    async def step_request(self, step: Request) -> None:
        body = step.text.encode() if step.text is not None else None
        if step.json is not msgspec.UNSET:
            body = self._names.filled(step.json)
        await wire.request(step, self._reference, self._names.filled(step.path), body)

    async def step_stream(self, step: Stream) -> None:
        session_id = self._names.id_of(step.session)
        log = None if step.after is None else await self._reference.log(session_id, step.after)
        if (given := step.last_event_id) is not None:
            step = msgspec.structs.replace(step, last_event_id=await self._with_head(given, step.session))
        path = await self._with_head(self._names.filled(step.path), step.session)
        await wire.stream(step, self._reference, path, log)

    # What cases leave open

    async def _with_head(self, text: str, session: str) -> str:
        """`<head>` stands for the last sequence of the session."""
        if "<head>" not in text:
            return text
        return text.replace("<head>", str((await self._reference.record(self._names.id_of(session)))["head"]))

    async def _asked(self, refused: str | None, do: str, **fields: Any) -> dict[str, Any] | None:
        """What the client answered; None if it refused as it should."""
        try:
            answer = await self._driver.ask(do, client=self._client, **fields)
        except Refused as cause:
            if cause.code != refused:
                raise
            return None
        if refused is not None:
            raise Failed(f"it was not refused with {refused}: {checks.shown(answer)}")
        return answer
