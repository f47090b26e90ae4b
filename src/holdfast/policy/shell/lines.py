"""Reads what stands between words: blanks, comments, keywords, redirections, here-documents at the end of a line."""

import re

import msgspec

from holdfast.policy.shell.commands import Arg, Command, Redirect, Scope
from holdfast.policy.shell.text import Unclear, plain
from holdfast.policy.shell.words import Word, WordReader

_KEYWORD = re.compile(r"(?:\{|\}|!|\[\[|[a-z]+)(?=[\s;&|()<>]|$)")
_BLANKS = re.compile(r"(?:[ \t]|\\\n)*")
_COMMENT = re.compile(r"#[^\n]*")
_REDIRECT = re.compile(r"(?:\d+|\{\w+\})?(<<<|<<-|<<|<>|<&|>>|>&|>\||>|<)|(&>>|&>)")
_DELIMITER = re.compile(r"'([^']*)'|\"([^\"$`\\]*)\"|\\?([\w.!%+,:@-]+)")


class Heredoc(msgspec.Struct):
    redirect: Redirect
    delimiter: str
    is_quoted: bool


class LineReader(WordReader):
    def __init__(self, text: str, scope: Scope) -> None:
        super().__init__(text, scope)
        self._heredocs: list[Heredoc] = []

    def skip_blanks(self) -> None:
        found = _BLANKS.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def skip_lines(self, *, comments: bool = True) -> None:
        """Blanks, comments and ends of lines."""
        while True:
            self.skip_blanks()
            if comments and (found := _COMMENT.match(self.text, self.at)):
                self.at = found.end()
            if self.peek() != "\n":
                return
            self.at += 1
            self._read_heredocs()

    def keyword(self) -> str:
        """The word here, if it could be one that the grammar knows; it is not taken."""
        found = _KEYWORD.match(self.text, self.at)
        return found[0] if found else ""

    def take(self, keyword: str) -> None:
        self.at += len(keyword)

    def needed_word(self) -> Word:
        word = self.word()
        if word is None:
            raise Unclear(f"a word is missing in it before `{self.peek() or 'the end'}`")
        return word

    def words(self) -> list[Arg]:
        """All up to the end of the line or a sign that is no word."""
        found: list[Arg] = []
        while True:
            self.skip_blanks()
            word = None if self.peek() == "#" else self.word()
            if word is None:
                return found
            found += word.args()

    def array(self) -> list[Arg]:
        self.at += 1
        found: list[Arg] = []
        while True:
            self.skip_lines()
            if self.peek() == ")":
                self.at += 1
                return found
            found += self.needed_word().args()

    def redirect(self) -> Redirect | None:
        self.skip_blanks()
        found = _REDIRECT.match(self.text, self.at)
        if found is None:
            return None
        operator = found[1] or found[2]
        if operator in ("<", ">") and self.text.startswith("(", found.end()):
            return None  # a process substitution, which is a word
        begin, self.at = self.at, found.end()
        self.skip_blanks()
        word = self.needed_word()
        if operator in ("<<", "<<-"):
            return self._heredoc(operator, word)
        text = " ".join(arg.text for arg in word.args())
        target = Arg(text, word.source, word.inside)
        body = Arg(text) if operator == "<<<" else None
        return Redirect(operator, target, self.text[begin : self.at], body)

    def _heredoc(self, operator: str, word: Word) -> Redirect:
        delimiter = _DELIMITER.fullmatch(word.source)
        if delimiter is None:
            raise Unclear("a here-document in it has a strange end")
        redirect = Redirect(operator, Arg(word.source, word.source), operator + word.source)
        text = next(group for group in delimiter.groups() if group is not None)
        self._heredocs.append(Heredoc(redirect, text, word.is_quoted))
        return redirect

    def _read_heredocs(self) -> None:
        waiting, self._heredocs = self._heredocs, []
        for heredoc in waiting:
            strips = heredoc.redirect.operator == "<<-"
            lines: list[str] = []
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line, self.at = self.text[self.at : end], end + 1
                line = line.lstrip("\t") if strips else line
                if line == heredoc.delimiter:
                    break
                if line.startswith(f"{heredoc.delimiter})"):
                    raise Unclear("a here-document in it may end in two places")
                lines.append(line)
            body = Arg("".join(f"{line}\n" for line in lines))
            if not heredoc.is_quoted:
                here, (self.text, self.at) = (self.text, self.at), (body.text, 0)
                inside: list[Command] = []
                body = Arg(plain(self.expanded(inside, "")), inside=inside)
                self.text, self.at = here
            heredoc.redirect.body = body
