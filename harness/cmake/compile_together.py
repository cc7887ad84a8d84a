"""compile_together.py <folder> < sources: writes units into the folder that include several sources of a target each.

Most of a short file's compile time goes into headers and templates that its neighbours need too. Two files may share a
unit unless one mentions a name that the other keeps in its unnamed namespace or defines as a macro: then the name could
be defined twice, hide another, or make a call ambiguous. Most such names get another one for their file alone, by a
macro around it; where that could reach what the file does not own (a member, a header's word), the files stay apart.
(Names of headers that a header includes are not looked at: where one of them is hidden, the compiler says so, and the
name in the file deserves to be a better one.)

In comes "<target> <key of its folder> <absolute path>" for every source, out goes "<target> <unit> <path><tab><path>..."; one
that shares with nobody is not printed. Nor is one of two targets of a folder: CMake keeps one property for both.
"""
import collections
import functools
import os
import pathlib
import re
import sys

HARNESS = pathlib.Path(__file__).resolve().parent.parent
MOST_FILES = 20
MOST_LINES = 3500  # more gains little, and a unit's memory grows with it

NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\[^\'\n]+|\\\'|[^\'\\\n])\'', re.DOTALL)
UNNAMED = re.compile(r"^namespace \{", re.MULTILINE)
TYPE = re.compile(r"(?:template <.*?> )?(?:class|struct|union|enum(?: class)?) (?:\[\[\w+\]\] )?(\w+)")
DECLARED = re.compile(r"(?<![\w:])([A-Za-z_]\w*)(?=\s*(?:[({=;\[]|:(?!:)|final\b))")
CONSTANT = re.compile(r"(?<![\w.:])([A-Za-z_]\w*)(?= = |\{)")
KEYWORDS = set("alignas auto bool char const decltype double explicit false final float if int long namespace noexcept operator "
               "requires sizeof static_assert true typename unsigned using void".split())
USING = re.compile(r"^(using (?!namespace)(?:(\w+) = )?[^;]*?(\w+);|namespace (\w+) = [^;]+;)", re.MULTILINE)
INCLUDE = re.compile(r'^#include (?:"([^"]+)"|<[^>]+>)', re.MULTILINE)
LIBRARY = re.compile(r"^#include <(\w+)/[\w/]+\.hpp>", re.MULTILINE)  # CLI, nlohmann, valijson
MACRO = re.compile(r"^\s*#\s*define\s+(\w+)", re.MULTILINE)
WORD = re.compile(r"(?<![\w.>:])[A-Za-z_]\w*")  # not those after "::", "." or "->"
BEHIND_ANOTHER = re.compile(r"(?:\.|->|::)\s*([A-Za-z_]\w*)")
MACRO_CALL = re.compile(r"^[A-Z][A-Z_0-9]+\([^)]*", re.MULTILINE)  # TEST_F(Fixture, Case) makes names from its arguments


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
        if line[:1].strip() and not line.startswith(("#", "}", "using namespace", "TEST", "TORCH_MODULE")):
            kind = TYPE.match(line)  # a name after a type's name is not declared here
            names.update([kind.group(1)] if kind else [name for name in DECLARED.findall(line) if name not in KEYWORDS][:1])
            if line.startswith("const"):
                names.update(CONSTANT.findall(line))  # several may be declared
    return names


@functools.cache
def code_of(path):
    return NOT_CODE.sub(" ", path.read_text(encoding="utf-8", errors="replace"))


@functools.cache
def offered_by(header):
    """The names that a header of the project declares; its own includes clash too rarely to matter."""
    return declared_in(code_of(header).splitlines())


@functools.cache
def words_of(header):
    return set(re.findall(r"[A-Za-z_]\w*", code_of(header)))


def found(name, folder):
    """Where #include "name" leads to from a file in that folder; None outside of the project."""
    return next((place / name for place in (HARNESS, folder) if (place / name).is_file()), None)


class Source:
    """The parts of a file that can disturb a neighbour."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        text = self.path.read_text(encoding="utf-8", errors="replace")
        code = code_of(self.path)
        self.lines = text.count("\n")
        self.words = set(WORD.findall(code))
        self.macros = set(MACRO.findall(code))
        self.own = set(self.macros)
        for begin in UNNAMED.finditer(code):
            self.own |= declared_in(code[begin.end():end_of_block(code, begin.end())].splitlines())
        self.using = {alias or last or space: whole for whole, alias, last, space in USING.findall(code)}
        self.own -= self.using.keys()
        self.libraries = sorted(set(LIBRARY.findall(text)))
        self.includes = [(line.group(), found(line.group(1), self.path.parent) if line.group(1) else None)
                         for line in INCLUDE.finditer(text)]
        headers = [header for _, header in self.includes if header]
        for header in headers:
            self.words |= offered_by(header)
        # A macro would also rename these in other people's code.
        self.fixed = self.macros | set(BEHIND_ANOTHER.findall(code)) | set(re.findall(r"\w+", " ".join(MACRO_CALL.findall(code))))
        for header in headers:
            self.fixed |= words_of(header)
        if re.search(r"^#\s*if", text, re.MULTILINE):
            self.fixed |= self.own

    def may_rename(self, name):
        return name in self.own and name not in self.fixed

    def names_shared_with(self, other):
        """The file's own names that the other one mentions."""
        return (self.own & other.words) | {name for name, whole in self.using.items()
                                           if name in other.words and other.using.get(name) != whole}

    def disturbs(self, other):
        return not all(self.may_rename(name) or other.may_rename(name) for name in self.names_shared_with(other))


def groups_of(sources):
    groups = []
    # A header-only library is compiled into every unit that includes it (CLI11: a second): its users come first, into few
    # units that are twice as long.
    for source in sorted(sources, key=lambda source: (not source.libraries, source.libraries)):
        for group in groups:
            most = 2 if source.libraries and source.libraries == group[0].libraries else 1
            if (len(group) < most * MOST_FILES and sum(member.lines for member in group) + source.lines <= most * MOST_LINES
                    and not any(source.disturbs(member) or member.disturbs(source) for member in group)):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def unit_of(group, folder):
    """The text of a unit. Paths are relative to it, so that another clone has the same one."""
    def quoted(path):
        return '#include "' + os.path.relpath(os.path.realpath(path), os.path.realpath(folder)) + '"\n'

    text = "// Written by compile_together.py.\n"
    for source in group:
        renamed = sorted(name for name in source.own if source.may_rename(name)
                         and any(name in other.words for other in group if other is not source))
        if renamed:
            text += "".join(quoted(header) if header else line + "\n" for line, header in source.includes)
        text += "".join(f"#define {name} {name}_of_{source.path.stem}\n" for name in renamed)
        text += quoted(source.path)
        text += "".join(f"#undef {name}\n" for name in renamed)
    return text


def write(path, text):
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main(folder):
    lines = [line.rstrip("\n").split(" ", 2) for line in sys.stdin]
    uses = collections.Counter((key, path) for _, key, path in lines)
    targets = {}
    for target, key, path in lines:
        if uses[key, path] == 1:
            targets.setdefault(target, []).append(Source(path))
    folder.mkdir(parents=True, exist_ok=True)
    for target, sources in targets.items():
        together = [group for group in groups_of(sources) if len(group) > 1]
        for number, group in enumerate(together, 1):
            unit = folder / f"{target}_{number}.cpp"
            write(unit, unit_of(group, folder))
            print(target, unit.name, "\t".join(str(source.path) for source in group))


main(pathlib.Path(sys.argv[1]))
