"""Export, import and usage: what of a session outlasts its server, and what it has cost."""

import json
import stat

from holdfast.cli import exits


def test_what_was_exported_is_imported_as_the_same_history(command, agents, tmp_path):
    session_id = agents.run_task("tools 2")
    agents.end_of(session_id)
    assert f"{len(agents.history(session_id))} events" in command("export", session_id[:8], "-o", "kept.jsonl").stderr
    kept = tmp_path / "kept.jsonl"
    lines = command("export", session_id).stdout.splitlines()[1:]
    assert kept.read_text().splitlines()[1:] == lines
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    copy = command("import", "kept.jsonl").stdout.strip()
    assert copy != session_id
    assert agents.history(copy)[:-1] == agents.history(session_id)
    again = command("import", "-", "--json", stdin=kept.read_bytes())
    assert json.loads(again.stdout)["status"] == "complete"


def test_a_file_that_is_none_is_refused_and_one_that_cannot_be_read_or_written_is_named(command, agents, tmp_path):
    (tmp_path / "bad.jsonl").write_text("hello\n")
    refused = command("import", "bad.jsonl")
    assert refused.exit_code == exits.FAILURE
    assert "line 1" in refused.stderr.lower()
    missing = command("import", "nowhere.jsonl")
    assert (missing.exit_code, "'nowhere.jsonl'" in missing.stderr) == (exits.USAGE, True)
    session_id = agents.run_task("flood 1")
    agents.end_of(session_id)
    unwritable = command("export", session_id, "-o", "no/such/folder.jsonl")
    assert (unwritable.exit_code, "no/such/folder.jsonl" in unwritable.stderr) == (exits.USAGE, True)
    assert list(tmp_path.iterdir()) == [tmp_path / "bad.jsonl"]


def test_who_exports_a_run_under_way_is_told_that_it_cannot_be_imported(command, agents):
    session_id = agents.run_task("hang")
    agents.until(session_id, "agent_start")
    done = command("export", session_id, "-o", "half.jsonl")
    assert done.exit_code == 0
    assert "cannot be imported" in done.stderr
    agents.post(f"/sessions/{session_id}/cancel")


def test_usage_adds_up_by_whatever_is_asked_and_since_when(command, agents):
    session_id = agents.run_task("tools 2", project_id="usage of the cli")
    agents.end_of(session_id)
    table = command("usage", "--by", "project", "--since", "1h")
    assert table.exit_code == 0, table.stderr
    assert table.stdout.splitlines()[0].split()[:3] == ["project", "runs", "turns"]
    (line,) = [line for line in table.stdout.splitlines() if line.startswith("usage of the cli")]
    assert line.split()[4] == "1"
    assert table.stdout.splitlines()[-1].startswith("total")
    report = json.loads(command("usage", "--by", "agent", "--json").stdout)
    assert {part["name"] for part in report["parts"]} >= {"demo"}
    assert json.loads(command("usage", "--since", "2099-01-01", "--json").stdout)["total"]["runs"] == 0
    wrong = command("usage", "--until", "soon")
    assert (wrong.exit_code, "'soon'" in wrong.stderr) == (exits.USAGE, True)
