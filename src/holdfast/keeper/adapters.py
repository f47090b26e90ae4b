"""Which adapter speaks a task's agent's language; imported only when it is needed, since a keeper is small."""

from holdfast.agents.interface import Adapter, Means, Task


def adapter_for(task: Task, means: Means) -> Adapter:
    if task.kind == "claude":
        # The SDK costs 60 MB, which the keeper of another agent need not carry.
        from holdfast.agents.claude import ClaudeAdapter

        return ClaudeAdapter(task, means)
    from holdfast.agents.acp import AcpAdapter

    return AcpAdapter(task, means)
