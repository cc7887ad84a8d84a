"""A unified diff as `git apply` takes it."""
import difflib
import os

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_NO_NEWLINE = "\n\\ No newline at end of file\n"


def relative_name(path, folder):
    """The path from the folder on, links resolved; None outside it."""
    path, folder = os.path.realpath(path), os.path.realpath(folder)
    name = os.path.relpath(path, folder)
    return None if name == os.pardir or name.startswith(os.pardir + os.sep) else name


def unified(name, before, after):
    """The diff of one file's text; lines end at \\n alone, as git sees them."""
    old, new = _lines(before), _lines(after)
    head = ["--- %s\n" % _quoted("a/" + name), "+++ %s\n" % _quoted("b/" + name)]
    body = list(difflib.unified_diff(old, new, n=3))[2:]
    return "".join(head + [line if line.endswith("\n") else line + _NO_NEWLINE for line in body])


def _lines(text):
    pieces = text.split("\n")
    return [piece + "\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def _quoted(name):
    """In quotes where git needs them; a tab ends a name with spaces."""
    if any(c in _ESCAPES or ord(c) < 32 for c in name):
        return '"%s"' % "".join(
            _ESCAPES.get(c) or (c if ord(c) >= 32 else "\\%03o" % ord(c)) for c in name)
    return name + "\t" if " " in name else name
