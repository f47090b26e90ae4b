"""A command line taken apart: which simple commands it runs, and what is not understood."""

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.policy.globs import UNKNOWN
from holdfast.policy.shell import take_apart

HERE = "/srv/workspace"


def commands(line: str) -> list[list[str]]:
    """The words of each simple command, in the order in which they are found."""
    apart = take_apart(line, HERE)
    assert apart.trouble is None, apart.trouble
    return [command.words for command in apart.seen if command.args]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a", [["a"]]),
        ("  a  b\tc ", [["a", "b", "c"]]),
        ("a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("a\nb", [["a"], ["b"]]),
        ("a \\\n b", [["a", "b"]]),
        ("a |& b", [["a"], ["b"]]),
        ("a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]),
        ("a 'b\"c' \"d'e\"", [["a", 'b"c', "d'e"]]),
        ("a $'b\\tc\\x41'", [["a", "b\tcA"]]),
        ("a ''", [["a", ""]]),
        ("a ';' '&&' \\|", [["a", ";", "&&", "|"]]),
        ("a # b; c", [["a"]]),
        ("a b#c", [["a", "b#c"]]),
        ("a > f 2>&1 < g", [["a"]]),
        ("a {b,c}d", [["a", "bd", "cd"]]),
        ("a {b} {c", [["a", "{b}", "{c"]]),
        ("a $x", [["a", UNKNOWN]]),
        ("x=b; a $x", [["a", "b"]]),
        ("x='b c'; a $x \"$x\"", [["a", "b", "c", "b c"]]),
        ("x=b; x=c; a $x", [["a", UNKNOWN]]),
        ("x='{b,c} ~'; a $x", [["a", "{b,c}", "~"]]),
        ("x=(b 'c d'); a \"${x[@]}\"", [["a", "b", "c d"]]),
        ("a ${x:-b}", [["a", f"b{UNKNOWN}"]]),
        ("a $(b)", [["b"], ["a", UNKNOWN]]),
        ("a `b`", [["b"], ["a", UNKNOWN]]),
        ("a $(echo b c)", [["echo", "b", "c"], ["a", "b", "c"]]),
        ("a $((1 + 2))", [["a", UNKNOWN]]),
        ("a <(b) >(c)", [["b"], ["c"], ["a", UNKNOWN, UNKNOWN]]),
        ("(a; b)", [["a"], ["b"]]),
        ("{ a; b; } > f", [["a"], ["b"]]),
        ("! a", [["a"]]),
        ("time -p a", [["a"]]),
        ("if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("while a; do b; done", [["a"], ["b"]]),
        ("for x in b c; do a $x; done", [["a", "b"], ["a", "c"]]),
        ("for ((i = 0; i < 3; i++)); do a; done", [["a"]]),
        ("case $x in b|c) a;; (d) e;& *) f;; esac", [["a"], ["e"], ["f"]]),
        ("f() { a; }; f", [["a"], ["f"]]),
        ("[[ $x == (a|b) && -n $(c) ]] && d", [["c"], ["d"]]),
        ("(( x > 3 )) && a", [["a"]]),
        ("a $(( $(b 'c)') << 2 )) $((d); (e))", [["b", "c)"], ["d"], ["e"], ["a", UNKNOWN, UNKNOWN]]),
        ("a <<E b\n$(c) 'd\nE\ne", [["a", "b"], ["c"], ["e"]]),
        ("a <<'E'\n$(c) 'd\nE\ne", [["a"], ["e"]]),
        ("a <<-E\n\tb\n\tE\nc", [["a"], ["c"]]),
        ('a "$(b <<E\nc)"\nE\n)"', [["b"], ["a", UNKNOWN]]),
        ("", []),
        ("# nothing", []),
    ],
)
def test_a_line_is_taken_apart(line: str, expected: list[list[str]]) -> None:
    assert commands(line) == expected


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("timeout -k 1 5 a b", ["a", "b"]),
        ("env -u X Y=1 a", ["a"]),
        ("nice -n 5 a", ["a"]),
        ("command a", ["a"]),
        ("xargs -n 1 a b", ["a", "b", UNKNOWN]),
        ("echo b c | xargs a", ["a", "b", "c"]),
        ("xargs -I% a x%", ["a", f"x{UNKNOWN}"]),
        ("find . -exec a {} \\;", ["a", f"./{UNKNOWN}"]),
        ("bash -c 'a b'", ["a", "b"]),
        ("bash -euo pipefail -c 'a b'", ["a", "b"]),
        ("bash -c 'a $1' x b", ["a", "b"]),
        ("eval a 'b c'", ["a", "b", "c"]),
        ("echo 'a b' | sh", ["a", "b"]),
        ("sh <<E\na b\nE", ["a", "b"]),
        ("trap 'a b' EXIT", ["a", "b"]),
        ("sudo -u x a", ["a"]),
        ("npx a b", ["a", "b"]),
        ("$x a b", ["a", "b"]),
    ],
)
def test_what_a_command_runs_is_found(line: str, inner: list[str]) -> None:
    assert commands(line)[-1] == inner


@pytest.mark.parametrize(
    "line",
    [
        "a 'b",
        'a "b',
        "a $(b",
        "a `b",
        "a ${b",
        "(a",
        "a)",
        "{ a;",
        "if a; then b",
        "for x in a; b; done",
        "case x in a) b",
        "[[ a",
        "a ;; b",
        "a (b)",
        "ls !(x)",
        "a | | b",
        "then a",
        "a <<$x\nx",
        # For bash the here-document, and the substitution, end at the first of these.
        "echo $(a <<E\nx\nE)\nsudo ls\nE\n)",
        "((rm -rf /))",
        "((sudo ls))",
        "function a b { sudo ls; }",
        "${ a; }",
        "a \0 b",
        'bash -c "echo \'x"',
        "$(" * 500,
        "{a,b}" * 50,
        "a;" * 6000,
        "a" * 300_000,
    ],
)
def test_what_cannot_be_taken_apart_is_said_so(line: str) -> None:
    assert take_apart(line, HERE).trouble is not None


@given(st.text(alphabet="ab $(){}[]<>|&;'\"`\\\n\t#=!~*?-x1@/é\0", max_size=60))
def test_no_text_breaks_the_reading(line: str) -> None:
    take_apart(line, HERE)


def test_a_folder_change_counts_where_it_reaches() -> None:
    def folders(line: str) -> tuple[str, ...]:
        return take_apart(line, HERE).seen[-1].scope.folders

    assert folders("a") == (HERE,)
    assert folders("cd /x; a") == ("/x",)
    assert folders("cd y && a") == (f"{HERE}/y",)
    assert folders("(cd /x); a") == (HERE,)
    assert folders("cd /x & a") == (HERE,)
    assert set(folders("b && cd /x; a")) == {HERE, "/x"}
    assert set(folders("if b; then cd /x; fi; a")) == {HERE, "/x"}
    assert folders("cd $x; a") == ()


# Words without anything that would run or that depends on the files here.
PIECES = st.one_of(
    st.text(alphabet="ab-=,.:/+1", min_size=1, max_size=4),
    st.text(alphabet='ab $`\\"#;&|*\n~{},', max_size=5).map(lambda text: f"'{text}'"),
    st.text(alphabet="ab '#;&|*\n~{},", max_size=5).map(lambda text: f'"{text}"'),
    st.sampled_from(list("ab'\"\\$ ;&|#*~{},")).map(lambda character: f"\\{character}"),
    st.sampled_from(
        ["$'a\\tb\\'c\\x41\\101'", '"\\$a\\`b\\"c\\d"', "{a,b}", "{a,{b,c}d}", "{a}", "${e:-{a,b}}", '"$x"', "$@"]
    ),
    st.sampled_from(
        ['"$@"', "${x}", "${e:-b c}", '"${e:-b  c}"', "${x:+y}", "${arr[@]}", '"${arr[@]}"', "$(echo a b)"]
    ),
    st.sampled_from(['"$(echo a  b)"', "`echo 'a b'`", "$(printf '%s-' a b)", "\\\n"]),
)


@pytest.mark.skipif(shutil.which("bash") is None, reason="compares with bash itself")
@given(st.lists(st.lists(PIECES, min_size=1, max_size=4).map("".join), max_size=4))
def test_words_are_read_as_bash_reads_them(words: list[str]) -> None:
    setup = "x='p  q'; e=; arr=(r 's t'); "
    line = f"{setup}printf '<%s>' - {' '.join(words)}"
    apart = take_apart(line, HERE)
    assert apart.trouble is None, line
    mine = apart.seen[-1].words[2:]
    bash = subprocess.run(["bash", "--norc", "-f", "-c", line], capture_output=True, text=True, check=True, timeout=20)
    assert "".join(f"<{word}>" for word in mine) == bash.stdout, line
