"""compile_together.py < sources: prints which sources of a target may be one translation unit, a group a line.

Most of a short file's compile time goes into headers and templates that its neighbours need too. Two files may share a
unit unless one mentions a name that the other keeps in its unnamed namespace or defines as a macro: then the name could
be defined twice, hide another, or make a call ambiguous. (Names of headers that a header includes are not looked at:
where one of them is hidden, the compiler says so, and the name in the file deserves to be a better one.)

In comes "<target> <absolute path>" for every source, out goes "<target> <path>;<path>..."; one that shares with nobody
is not printed.
"""
import functools
import pathlib
import re
import sys

HARNESS = pathlib.Path(__file__).resolve().parent.parent
MOST_FILES = 16
MOST_LINES = 2600  # more gains little, and a unit's memory grows with it

NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\[^\'\n]+|\\\'|[^\'\\\n])\'', re.DOTALL)
UNNAMED = re.compile(r"^namespace \{", re.MULTILINE)
DECLARED = re.compile(r"(?<![\w:])([A-Za-z_]\w*)(?=\s*(?:[({=;\[]|:(?!:)|final\b))")
USING = re.compile(r"^(using (?!namespace)(?:(\w+) = )?[^;]*?(\w+);|namespace (\w+) = [^;]+;)", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
MACRO = re.compile(r"^\s*#\s*define\s+(\w+)", re.MULTILINE)
WORD = re.compile(r"(?<![\w.>:])[A-Za-z_]\w*")  # not those behind "::", "." or "->"


def end_of_block(code, begin):
    depth = 1
    for brace in re.finditer(r"[{}]", code[begin:]):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return begin + brace.start()
    return len(code)


def declared_in(lines):
    names = set()
    for line in lines:
        if line[:1].strip() and not line.startswith(("#", "}", "using namespace", "TEST")):
            names.update(DECLARED.findall(line))
    return names


@functools.cache
def offered_by(header):
    """The names that a header of the project declares; what it includes in turn disturbs too seldom to count."""
    return declared_in(NOT_CODE.sub(" ", header.read_text(encoding="utf-8", errors="replace")).splitlines())


def included_by(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    candidates = [folder / name for name in INCLUDE.findall(text) for folder in (HARNESS, path.parent)]
    return [candidate for candidate in candidates if candidate.is_file()]


class Source:
    """What a file says, as far as it can disturb a neighbour."""

    def __init__(self, path):
        text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
        code = NOT_CODE.sub(" ", text)
        self.path = path
        self.lines = text.count("\n")
        self.words = set(WORD.findall(code))
        self.own = set(MACRO.findall(code))
        for begin in UNNAMED.finditer(code):
            self.own |= declared_in(code[begin.end():end_of_block(code, begin.end())].splitlines())
        self.using = {alias or last or space: whole for whole, alias, last, space in USING.findall(code)}
        self.own -= self.using.keys()
        for header in included_by(pathlib.Path(path)):
            self.words |= offered_by(header)

    def disturbs(self, other):
        return bool(self.own & other.words) or any(
            name in other.words and other.using.get(name) != whole for name, whole in self.using.items())


def groups_of(sources):
    groups = []
    for source in sources:
        for group in groups:
            if (len(group) < MOST_FILES and sum(member.lines for member in group) + source.lines <= MOST_LINES
                    and not any(source.disturbs(member) or member.disturbs(source) for member in group)):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def main():
    targets = {}
    for line in sys.stdin:
        target, path = line.rstrip("\n").split(" ", 1)
        targets.setdefault(target, []).append(Source(path))
    for target, sources in targets.items():
        for group in groups_of(sources):
            if len(group) > 1:
                print(target, ";".join(source.path for source in group))


main()
