"""What a command changes for those after it: the folder, and the variables."""

import os.path

import msgspec

from holdfast.policy.globs import UNKNOWN
from holdfast.policy.paths import home
from holdfast.policy.shell.commands import Command, Scope, Variable
from holdfast.policy.shell.text import Unclear

_SOMETHING = Variable((UNKNOWN,))
_VARIABLES = 200
_FOLDERS = 8


def beginning(workspace: str) -> Scope:
    """Before the first command. $@ and its like are empty there, which is good for hiding names (`s$@udo`)."""
    empty = {name: Variable(()) for name in "@*123456789"}
    known = {"HOME": Variable((home(),)), "SHELL": Variable(("bash",)), "BASH": Variable(("bash",))}
    variables = {**empty, **known, "0": Variable(("bash",)), "IFS": Variable((" ",))}
    return Scope(variables, (workspace,), (workspace,))


def called_with(scope: Scope, arguments: list[str]) -> Scope:
    """In a script: `$0` and the others."""
    numbered = {str(n): Variable((text,)) for n, text in enumerate(arguments[:10])}
    every = {"@": Variable(tuple(arguments[1:])), "*": Variable(tuple(arguments[1:]))}
    return msgspec.structs.replace(scope, variables={**scope.variables, **numbered, **every})


def setting(scope: Scope, name: str, new: Variable, *, is_more: bool = False) -> Scope:
    """A variable that is set twice may have either value: nobody has looked at what is true when."""
    old = scope.variables.get(name)
    if is_more:
        texts = (*old.texts[:-1], old.texts[-1] + new.texts[0]) if old and old.texts and new.texts else (UNKNOWN,)
        new = Variable(texts, (*(old.inside if old else ()), *new.inside))
    elif old is not None and old.texts != new.texts:
        new = Variable((UNKNOWN,), (*old.inside, *new.inside))
    if len(scope.variables) > _VARIABLES or sum(map(len, new.texts)) > 20_000:
        raise Unclear("it sets too many variables")
    return msgspec.structs.replace(scope, variables={**scope.variables, name: new})


def either(before: Scope, then: Scope) -> Scope:
    """After something that may or may not have run: a variable that it set may be that, or anything else."""
    if before is then:
        return then
    variables = {**before.variables, **then.variables}
    for name, known in variables.items():
        old, new = before.variables.get(name), then.variables.get(name)
        if old is not new and (old is None or new is None or old.texts != new.texts):
            text = " ".join(known.texts)
            text = text if text[:1] == UNKNOWN == text[-1:] else UNKNOWN + text + UNKNOWN
            variables[name] = Variable((text,), (*(old.inside if old else ()), *(new.inside if new else ())))
    folders = tuple(dict.fromkeys((*before.folders, *then.folders))) if before.folders and then.folders else ()
    return Scope(variables, folders, tuple(dict.fromkeys((*before.visited, *then.visited))))


def after(command: Command) -> Scope:
    scope, words = command.scope, command.words
    while words and words[0] in ("command", "builtin"):
        words = words[1:]
    match words:
        case ["cd" | "chdir" | "pushd" | "popd", *rest]:
            return moved(scope, words[0], [word for word in rest if word == "-" or word[:1] != "-"])
        case ["export" | "declare" | "typeset" | "local" | "readonly", *rest]:
            for arg in command.args[-len(rest) :] if rest else []:
                name, equals, text = arg.text.partition("=")
                if equals:
                    value = Variable((UNKNOWN if text.startswith("(") else text,), tuple(arg.inside))
                    scope = setting(scope, name.removesuffix("+"), value, is_more=name.endswith("+"))
        case ["read" | "mapfile" | "readarray" | "getopts" | "let", *rest]:
            for name in rest:
                scope = setting(scope, name.partition("=")[0], _SOMETHING)
        case ["printf", "-v", name, *_]:
            scope = setting(scope, name, _SOMETHING)
        case ["set", "--", *rest]:
            scope = called_with(scope, ["bash", *rest])
        case _:
            pass
    return scope


def moved(scope: Scope, how: str, targets: list[str]) -> Scope:
    """After `cd` and its like."""
    target = targets[0] if targets else home()
    if how == "popd" or target == "-" or (how == "pushd" and (not targets or target[:1] == "+")):
        new = scope.visited
    elif UNKNOWN in target:
        return msgspec.structs.replace(scope, folders=())
    else:
        # PTH118: a folder of the shell's, not one of ours
        new = tuple(os.path.normpath(os.path.join(folder, target)) for folder in scope.folders or ("",))  # noqa: PTH118
        new = tuple(folder for folder in new if folder.startswith("/"))
    visited = tuple(dict.fromkeys((*scope.visited, *new)))
    if len(visited) > _FOLDERS:
        return Scope(scope.variables, (), visited[:_FOLDERS])
    return Scope(scope.variables, new, visited)
