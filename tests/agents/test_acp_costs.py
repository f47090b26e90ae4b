"""What a run of an ACP session has cost, though the agent tells only what the whole session has."""

import pytest

from tests.agents.earlier import play


def cost(amount):
    return f'update("usage_update", used=1, size=2, cost={{"amount": {amount}, "currency": "USD"}})'


@pytest.mark.requirement("R106")
@pytest.mark.parametrize(
    ("before", "during", "run"),
    [
        ([0.5], [0.5, 0.75], 0.25),
        ([0.1, 0.5], [0.7], 0.2),
        ([], [0.5, 0.75, 1.0], 0.5),
        ([], [0.5], None),
        ([0.5], [0.1, 0.3], 0.3),
        ([], [], None),
    ],
    ids=["told", "told twice", "first counts as before", "only one", "counted anew", "none"],
)
def test_a_session_that_is_taken_up_costs_what_this_run_has_added(stage, before, during, run):
    played = play(
        stage,
        f"""
initialized(sessionCapabilities={{"resume": {{}}}})
m = expect("session/resume")
{"; ".join(map(cost, before))}
reply(m, {{}})
prompt = expect("session/prompt")
{"; ".join(map(cost, during))}
end(prompt); stay()
""",
    )
    assert played.outcome["total_cost_usd"] == run
    told = [data.get("cost_usd") for data in played.data("usage")]
    assert len(told) == len(before + during)
    assert told[-1:] == ([run] if told else [])


@pytest.mark.requirement("R106")
def test_a_new_session_has_cost_nothing_before(stage):
    played = stage.play(f"prompt = prompted(); {cost(0.25)}; {cost(0.5)}; end(prompt); stay()")
    assert [data["cost_usd"] for data in played.data("usage")] == [0.25, 0.5]
    assert played.outcome["total_cost_usd"] == 0.5
