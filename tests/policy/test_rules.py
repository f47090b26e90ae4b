"""Rules: which texts are rules, and which calls they mean."""

import pytest

from holdfast.policy import Call, Rule, call_of, parse, rule_for
from holdfast.policy.rules import covers, touches
from holdfast.policy.shell import take_apart

HERE = "/srv/workspace"


def bash(command: str) -> Call:
    return call_of("Bash", {"command": command}, HERE)


def fetch(url: str) -> Call:
    return call_of("WebFetch", {"url": url}, HERE)


def allows(call: Call, *rules: str) -> bool:
    line = take_apart(call.command, call.workspace) if call.command is not None else None
    return covers([parse(rule) for rule in rules], call, line) is not None


def forbids(call: Call, rule: str) -> bool | None:
    line = take_apart(call.command, call.workspace) if call.command is not None else None
    return touches(parse(rule), call, line)


def test_a_rule_is_a_tool_or_a_tool_with_a_pattern() -> None:
    assert parse("Read") == Rule("Read")
    assert parse("mcp__github__*") == Rule("mcp__github__*")
    assert parse("Bash(git *)") == Rule("Bash", "git *")
    assert parse("Bash(echo (a) \\* )") == Rule("Bash", "echo (a) \\* ")
    assert parse("Edit(src/**/*.{ts,tsx})") == Rule("Edit", "src/**/*.{ts,tsx}")
    assert parse("WebFetch(domain:example.com)") == Rule("WebFetch", "domain:example.com")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Read ",
        " Read",
        "Read Write",
        "Bash(",
        "Bash(git",
        "Bash()",
        "Bash( )",
        "Bash)",
        "(git *)",
        "Bash(git *)x",
        "Bash(git \\)",
        "Read\\",
        "TodoWrite(x)",
        "WebSearch(x)",
        "mcp__x__*(y)",
        "*(x)",
        "Edit(*/../x)",
        "Edit(~bob/x)",
        "Edit({a,})",
        "Edit(" + "{a,b}" * 30 + ")",
        "WebFetch(example.com)",
        "WebFetch(domain:)",
        "WebFetch(domain:*.example.com)",
        "WebFetch(ftp://x/*)",
    ],
)
def test_what_is_no_rule_is_refused_in_one_sentence_that_names_it(text: str) -> None:
    with pytest.raises(ValueError) as refusal:
        parse(text)
    message = str(refusal.value)
    assert message.startswith(f"{text!r} is no rule: ")
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("command", "rules"),
    [
        ("git status", ["Bash"]),
        ("git status", ["*"]),
        ("git status", ["Bash(git status)"]),
        ("git status", ["Bash(git *)"]),
        ("git", ["Bash(git *)"]),
        ("git  status", ["Bash(git status)"]),
        ('git "status"', ["Bash(git status)"]),
        ("git commit -m 'a b'", ["Bash(git commit -m *)"]),
        ("npm run test", ["Bash(npm run test:*)"]),
        ("npm run test --watch", ["Bash(npm run test:*)"]),
        ("npm run test:unit", ["Bash(npm run test:*)"]),
        ("a && b | c; d", ["Bash(a)", "Bash(b)", "Bash(c)", "Bash(d)"]),
        ("a $(b)", ["Bash(a *)", "Bash(b)"]),
        ("git log 2>&1 >/dev/null", ["Bash(git *)"]),
        ("git $x", ["Bash(git *)"]),
        ("timeout 5 git status", ["Bash(git *)"]),
        ("bash -lc 'git status'", ["Bash(git *)"]),
        ("if a; then b; fi", ["Bash(a)", "Bash(b)"]),
        ("sort < x", ["Bash(sort *)"]),
        ("echo a > x", ["Bash(echo a > x)"]),
        ("find . | xargs grep x", ["Bash(find *)", "Bash(grep *)"]),
        ("echo '", ["Bash(echo ')"]),
        ("uv run pytest -q", ["Bash(uv run pytest *)"]),
    ],
)
def test_rules_that_mean_every_part_allow_a_command(command: str, rules: list[str]) -> None:
    assert allows(bash(command), *rules)


@pytest.mark.parametrize(
    ("command", "rules"),
    [
        ("git status", []),
        ("git status", ["Read"]),
        ("gitx", ["Bash(git *)"]),
        ("git status; rm x", ["Bash(git *)"]),
        ("git status\nrm x", ["Bash(git *)"]),
        ("git status & rm x", ["Bash(git *)"]),
        ("git log | sh", ["Bash(git *)"]),
        ("git $(rm x)", ["Bash(git *)"]),
        ("git `rm x`", ["Bash(git *)"]),
        ('git "$(rm x)"', ["Bash(git *)"]),
        ("git <(rm x)", ["Bash(git *)"]),
        ("git <<E\n$(rm x)\nE", ["Bash(git *)"]),
        ("git log > x", ["Bash(git *)"]),
        ("git log >> x", ["Bash(git * >> x)"]),
        ("PATH=x git log", ["Bash(git *)"]),
        ("PATH=x timeout 5 git log", ["Bash(git *)"]),
        ("timeout 5 git log > x", ["Bash(git *)"]),
        ("git $x", ["Bash(git ?)"]),
        ("PATH=x; git log", ["Bash(git *)"]),
        ("env PATH=x git log", ["Bash(git *)"]),
        ("/tmp/git log", ["Bash(git *)"]),
        ("$x", ["Bash(*)"]),
        ("$x git", ["Bash(git *)"]),
        ("g$x log", ["Bash(g*)"]),
        ('bash -c "$x"', ["Bash(bash *)"]),
        ("bash -c 'rm x'", ["Bash(bash *)"]),
        ("timeout 5 rm x", ["Bash(timeout *)"]),
        ("xargs rm", ["Bash(xargs *)"]),
        ("xargs git", ["Bash(git)"]),
        ("find . -exec rm {} +", ["Bash(find *)"]),
        ("sh < x", ["Bash(sh)"]),
        ("git 'x", ["Bash(git *)"]),
        ("git !(x)", ["Bash(git *)"]),
        ("# git", ["Bash(git *)"]),
        ("eval git $x", ["Bash(eval *)", "Bash(git *)"]),
    ],
)
def test_rules_that_leave_a_part_out_do_not_allow_a_command(command: str, rules: list[str]) -> None:
    assert not allows(bash(command), *rules)


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("git push", "Bash(git push *)"),
        ("git push -f", "Bash(git push:*)"),
        ("ls; git push", "Bash(git push)"),
        ("ls | git push", "Bash(git push)"),
        ("echo $(git push)", "Bash(git push)"),
        ('"git" pu\\sh', "Bash(git push)"),
        ("/usr/bin/git push", "Bash(git push)"),
        ("X=1 git push", "Bash(git push)"),
        ("env X=1 git push", "Bash(git push)"),
        ("timeout 5 git push", "Bash(git push)"),
        ("bash -c 'git push'", "Bash(git push)"),
        ("git push > x", "Bash(git push)"),
        ("git push > x", "Bash(* > x)"),
        ("a; b", "Bash(a; b)"),
        ("x=git; $x push", "Bash(git push)"),
        ("npm exec -- git push", "Bash(git push)"),
        ("git push 'x", "Bash(git push *)"),
    ],
)
def test_a_rule_that_means_a_part_forbids_the_whole_line(command: str, rule: str) -> None:
    assert forbids(bash(command), rule) is True


def test_what_may_be_meant_by_a_rule_that_forbids_is_not_taken_for_harmless() -> None:
    assert forbids(bash("git $x"), "Bash(git push)") is None
    assert forbids(bash("$x push"), "Bash(git push)") is None
    assert forbids(bash('bash -c "$x"'), "Bash(git push)") is None
    assert forbids(bash("ls '"), "Bash(git push)") is None
    assert forbids(bash("ls $x"), "Bash(git push)") is False
    assert forbids(bash("git pull"), "Bash(git push)") is False
    assert forbids(call_of("Bash", {}, HERE), "Bash(git push)") is None
    assert forbids(call_of("Bash", {}, HERE), "Bash") is True


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("domain:example.com", "https://example.com"),
        ("domain:example.com", "http://EXAMPLE.com:8080/x?y#z"),
        ("domain:example.com", "https://a.b.example.com/x"),
        ("domain:localhost", "http://localhost:3000/"),
        ("https://example.com", "https://example.com/x"),
        ("https://example.com/docs/*", "https://example.com/docs/a/b?c=d"),
        ("https://*.example.com/*", "https://a.example.com/x"),
        ("*://example.com/*", "http://example.com/x"),
        ("http://localhost:*/*", "http://localhost:3000/x"),
    ],
)
def test_an_address_is_allowed_by_its_domain_or_by_a_glob(pattern: str, url: str) -> None:
    assert allows(fetch(url), f"WebFetch({pattern})")


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("domain:example.com", "https://example.com.bad.org/"),
        ("domain:example.com", "https://badexample.com/"),
        ("domain:example.com", "https://example.com@bad.org/"),
        ("domain:example.com", "https://bad.org/example.com"),
        ("domain:example.com", "https://bad.org\\@example.com/"),
        ("domain:example.com", "https://bad.org\t.example.com/"),
        ("domain:example.com", "https://bad.org%2f.example.com/"),
        ("domain:example.com", "https://bad.org#@example.com/"),
        ("domain:example.com", "file:///example.com/x"),
        ("domain:example.com", "example.com"),
        ("https://*.example.com/*", "https://bad.org/x.example.com/"),
        ("https://example.com/*", "http://example.com/x"),
        ("https://example.com/*", "https://example.com:8443/x"),
        ("https://example.com/docs/*", "https://example.com/docs/../admin"),
        ("https://example.com/docs/*", "https://example.com/docs/%2e%2E/admin"),
        ("https://example.com/docs/*", "https://example.com/admin?/docs/x"),
    ],
)
def test_another_or_a_crooked_address_is_not_allowed(pattern: str, url: str) -> None:
    assert not allows(fetch(url), f"WebFetch({pattern})")
    assert allows(fetch(url), "WebFetch")


def test_an_address_that_nobody_can_read_may_be_a_forbidden_one() -> None:
    assert forbids(fetch("https://a.bad.org/x"), "WebFetch(domain:bad.org)") is True
    assert forbids(fetch("https://bad.org:443/x"), "WebFetch(https://bad.org/*)") is True
    assert forbids(fetch("https://good.org/x"), "WebFetch(domain:bad.org)") is False
    assert forbids(fetch("https://good.org\\@bad.org/"), "WebFetch(domain:bad.org)") is None
    assert forbids(fetch("https://x.org/a/../b"), "WebFetch(https://x.org/b)") is None
    assert forbids(call_of("WebFetch", {}, HERE), "WebFetch(domain:bad.org)") is None


def test_tool_names_may_have_stars() -> None:
    call = call_of("mcp__github__list_issues", {}, HERE)
    assert allows(call, "mcp__github__*")
    assert allows(call, "*")
    assert not allows(call, "mcp__gitlab__*")
    assert not allows(call, "mcp__github__list")
    assert forbids(call, "mcp__*") is True


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (bash(" ls *.py "), "Bash(ls \\*.py)"),
        (bash("echo \\?"), "Bash(echo \\\\\\?)"),
        (call_of("Bash", {}, HERE), "Bash"),
        (call_of("Edit", {"file_path": f"{HERE}/a/b.py"}, HERE), "Edit(./a/b.py)"),
        (call_of("Edit", {"file_path": "a*{b}"}, HERE), "Edit(./a\\*\\{b\\})"),
        (call_of("Write", {"file_path": "/opt/x"}, HERE), "Write(/opt/x)"),
        (call_of("Grep", {"pattern": "x"}, HERE), "Grep(.)"),
        (call_of("mv", {"source": "a", "destination": "/b"}, HERE, kind="move"), "Move({./a,/b})"),
        (fetch("https://a.example.com/x"), "WebFetch(domain:a.example.com)"),
        (fetch("https://a\\b"), "WebFetch"),
        (call_of("WebSearch", {"query": "x"}, HERE), "WebSearch"),
        (call_of("do it (now)", {}, HERE), "do\\ it\\ \\(now\\)"),
    ],
)
def test_the_rule_for_a_call_is_the_narrowest_that_means_it(call: Call, rule: str) -> None:
    assert rule_for(call) == rule
    assert allows(call, rule)
