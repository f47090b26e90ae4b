"""What an ACP agent's session lets its user choose: modes, models, and options of its own.

Agents tell it in their answers to session/new, load, resume and fork. A choice that an agent does not offer is refused
here, with what it does offer: agents themselves ignore such a one, or fail without a word about it.
"""

from collections.abc import Sequence
from typing import Any

from holdfast.agents.acp_calls import Calls, CannotStart
from holdfast.agents.interface import Task
from holdfast.agents.values import as_object, as_objects, as_text, bounded
from holdfast.events import Choice


class Choices:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._options: list[dict[str, Any]] = []
        self._has_modes = False
        self.mode: str | None = None
        self.modes: list[Choice] = []
        self.model: str | None = None
        self.models: list[Choice] = []

    @property
    def options(self) -> Any:
        """The agent's own options as it tells them; None if it has none."""
        return bounded(self._options) or None

    def learn(self, session: dict[str, Any]) -> None:
        """What the agent's answer tells of the session that it opened."""
        modes, models = as_object(session.get("modes")), as_object(session.get("models"))
        self._has_modes = bool(modes)
        self.mode = as_text(modes.get("currentModeId"))
        self.modes = _choices(modes.get("availableModes"), "id")
        self.model = as_text(models.get("currentModelId"))
        self.models = _choices(models.get("availableModels"), "modelId")
        self._learn_options(session)

    def _learn_options(self, answer: dict[str, Any]) -> None:
        if not isinstance(answer.get("configOptions"), list):
            return
        self._options = as_objects(answer["configOptions"])
        model, mode = self._of_category("model"), self._of_category("mode")
        if model is not None:  # the newer way, which an agent that has both prefers
            self.model, self.models = as_text(model.get("currentValue")), _values(model)
        if mode is not None and not self._has_modes:
            self.mode, self.modes = as_text(mode.get("currentValue")), _values(mode)

    def _of_category(self, category: str) -> dict[str, Any] | None:
        return next((option for option in self._options if option.get("category") == category), None)

    async def choose(self, session_id: str, task: Task) -> None:
        """Raises CannotStart for what the agent does not offer. The model comes first: options may depend on it."""
        if task.model is not None:
            await self._choose_model(session_id, task.model)
        if task.mode is not None:
            await self._choose_mode(session_id, task.mode)
        for id_, value in task.options.items():
            await self._choose_option(session_id, id_, value)

    async def _choose_model(self, session_id: str, model: str) -> None:
        _expect("model", model, self.models)
        if model == self.model:
            return
        option = self._of_category("model")
        if option is not None:
            await self._set(session_id, option, model)
        else:
            await self._calls.call("session/set_model", {"sessionId": session_id, "modelId": model})
        self.model = model

    async def _choose_mode(self, session_id: str, mode: str) -> None:
        _expect("mode", mode, self.modes)
        if mode == self.mode:
            return
        option = self._of_category("mode")
        if option is not None and not self._has_modes:
            await self._set(session_id, option, mode)
        else:
            await self._calls.call("session/set_mode", {"sessionId": session_id, "modeId": mode})
        self.mode = mode

    async def _choose_option(self, session_id: str, id_: str, value: str | bool) -> None:
        option = next((option for option in self._options if option.get("id") == id_), None)
        if option is None:
            raise _unknown("option", id_, [str(option.get("id")) for option in self._options])
        if (option.get("type") == "boolean") != isinstance(value, bool):
            wanted = "true or false" if option.get("type") == "boolean" else "one of its values"
            raise CannotStart(f"the agent's option {id_!r} takes {wanted}, not {value!r}")
        if isinstance(value, str):
            _expect(f"value for its option {id_!r}:", value, _values(option))
        if value != option.get("currentValue"):
            await self._set(session_id, option, value)

    async def _set(self, session_id: str, option: dict[str, Any], value: str | bool) -> None:
        params: dict[str, Any] = {"sessionId": session_id, "configId": option.get("id"), "value": value}
        if isinstance(value, bool):
            params["type"] = "boolean"
        # The answer has all options anew: one choice may change what else there is to choose.
        self._learn_options(await self._calls.call("session/set_config_option", params))


def _choices(found: Any, id_field: str) -> list[Choice]:
    return [
        Choice(id=id_, name=as_text(item.get("name")) or id_, description=as_text(item.get("description")))
        for item in as_objects(found)
        if isinstance(id_ := item.get(id_field), str)
    ]


def _values(option: dict[str, Any]) -> list[Choice]:
    """The values of a select option, whether they come in groups or not."""
    found: list[Choice] = []
    for item in as_objects(option.get("options")):
        found += _choices(item.get("options") if "group" in item else [item], "value")
    return found


def _expect(what: str, wanted: str, offered: Sequence[Choice]) -> None:
    if all(choice.id != wanted for choice in offered):
        raise _unknown(what, wanted, [choice.id for choice in offered])


def _unknown(what: str, wanted: str, offered: Sequence[str]) -> CannotStart:
    there_is = f"it has {', '.join(offered)}" if offered else "it has none to choose from"
    return CannotStart(f"the agent has no {what} {wanted!r}; {there_is}")
