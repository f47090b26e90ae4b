"""Two servers on one machine have nothing to do with each other, whatever their projects are called."""

from tests.processes import eventually, marked


def test_the_end_of_a_run_leaves_another_servers_run_of_the_same_project_alone(make_server):
    first, second = make_server().start(), make_server().start()
    with first.client() as one, second.client() as other:
        working = one.run_task("slow 60 tools 60", project_id="shop")
        one.until(working, "tool_complete")
        ended = other.run_task("tools 1", project_id="shop")
        assert ended == working  # an id is made of the project's name alone
        other.until(ended, "agent_complete")
        # The other server clears up after the end; the marks of its own processes are then gone.
        eventually(lambda: not list((second.data / "runs").iterdir()), 15, "the other run is cleared up")
        assert one.record(working)["status"] == "running"
        assert marked(f"HOLDFAST_RUN={working}-1")
