"""What an ACP agent's turn came to, from how it answered, refused or died: pure."""

from typing import Any

from holdfast.agents.acp_wire import AUTH_REQUIRED, RpcError
from holdfast.agents.interface import Outcome
from holdfast.agents.process import AgentProcess
from holdfast.agents.stderr import plain
from holdfast.agents.values import as_object, as_objects, as_text, as_texts
from holdfast.ends import StopReason

_STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "success",
    "max_tokens": "max_tokens",
    "max_turn_requests": "error_max_turns",
    "refusal": "refusal",
    "cancelled": "cancelled",
}

# What a user can do about an end that the agent calls an answer.
_ADVICE = {
    "max_tokens": "The model's answer was cut off at its longest. Ask it to go on, or for less at a time.",
    "max_turn_requests": "The agent reached its own limit of requests to the model. Resume to let it go on.",
    "refusal": "The model refused the request. Put the task differently, or choose another model.",
}


def answered(answer: dict[str, Any]) -> Outcome:
    """The agent answered its prompt, which does not yet mean that all went well."""
    word = str(answer.get("stopReason"))
    reason = _STOP_REASONS.get(word)
    usage = answer.get("usage")
    if usage is None:
        usage = as_object(answer.get("_meta")).get("quota")  # where gemini puts it
    if reason is None:
        return Outcome(
            stop_reason="error_during_execution",
            agent_stop_reason=word,
            error_type="unknown_stop_reason",
            message=f"the agent ended its turn with the unknown stop reason {word!r}",
            usage=usage,
        )
    return Outcome(stop_reason=reason, agent_stop_reason=word, usage=usage, message=_ADVICE.get(word))


def refused(method: str, error: RpcError, *, at_start: bool, login: str | None) -> Outcome:
    """The agent answered one of our requests with an error. `login` says how one logs in, as far as it is known."""
    text = plain(error.message) or "no message"
    told = f"{method}: {text} (code {error.code})"
    if error.code == AUTH_REQUIRED or method == "authenticate":
        message = told if login is None else f"{told}; {login}"
        return Outcome(stop_reason="auth_failed", error_type="auth_failed", message=message)
    if at_start:
        return start_failed(f"the agent refused {told}")
    return Outcome(stop_reason="error_during_execution", error_type="agent_error", message=text)


def login_of(methods: Any) -> str | None:
    """How one logs in to an agent, in its own words (`authMethods`); None if it has none."""
    ways = [_way(method) for method in as_objects(methods)]
    return f"ways to log in: {'; '.join(ways)}" if ways else None


def _way(method: dict[str, Any]) -> str:
    id_ = as_text(method.get("id")) or ""
    way = as_text(method.get("name")) or id_
    if id_ and id_ != way:
        way += f" ({id_})"
    description = as_text(method.get("description"))
    variables = [name for variable in as_objects(method.get("vars")) if (name := as_text(variable.get("name")))]
    if variables:
        return f"{way}: set {', '.join(variables)}"
    if method.get("type") == "terminal":
        return f"{way}: run the agent in a terminal, with `{' '.join(as_texts(method.get('args')))}`"
    return f"{way}: {description}" if description and description != way else way


def start_failed(message: str) -> Outcome:
    return Outcome(stop_reason="start_failed", error_type="start_failed", message=message, by="daemon")


def protocol_error(message: str) -> Outcome:
    return Outcome(stop_reason="error_during_execution", error_type="protocol_error", message=message, by="daemon")


def gone(process: AgentProcess) -> Outcome:
    """The conversation broke off before the prompt was answered."""
    exit_ = process.exit
    if exit_ is None:
        pipe = "output" if process.stdout_closed.is_set() else "input"
        return protocol_error(f"the agent closed its {pipe} but did not exit")
    return Outcome(
        stop_reason="process_exit",
        error_type="process_exit",
        message=f"agent exited with status: {exit_}",
        exit_code=exit_.code,
        signal=exit_.signal,
    )
