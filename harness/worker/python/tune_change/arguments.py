"""A keyword argument of a call, set in its text."""
import ast
import json
import re
import tokenize

from . import ByHand
from .places import dotted, scope_of

_FILLING = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE)


def literal_of(node):
    """(True, value) of a constant."""
    try:
        return True, ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False, None


def code_of(value):
    """A value as it is written in a script."""
    return json.dumps(value) if isinstance(value, str) else repr(value)


def keyword_of(call, name):
    return next((k for k in call.keywords if k.arg == name), None)


def given_node(call, name, position=None):
    """The expression that a call passes for a parameter; None without one."""
    keyword = keyword_of(call, name)
    if keyword is not None:
        return keyword.value
    if position is None or any(isinstance(a, ast.Starred) for a in call.args[:position + 1]):
        return None
    return call.args[position] if position < len(call.args) else None


def set_value(source, node, text):
    """Puts another expression in the place of one; an equal constant stays as it is written."""
    is_constant, value = literal_of(node)
    if is_constant and code_of(value) == text:
        return
    begin, end = source.begin(node), source.end(node)
    if source.has_comment(begin, end):
        raise ByHand("there is a comment within what stands on line %d" % node.lineno, text)
    source.replace(begin, end, text)


class CallEdit:
    """What is changed in one call; new arguments are written together, by `finish`."""

    def __init__(self, source, call):
        self.source, self.call = source, call
        self.added = []  # (name, text)
        self._doubled = [k.value for k in call.keywords if k.arg is None]

    def set(self, name, value, position=None):
        """`position`: of the parameter, where it may be passed by position."""
        self.set_code(name, code_of(value), position)

    def set_code(self, name, text, position=None):
        old = given_node(self.call, name, position)
        if old is None and self._doubled:
            old = self._in_doubled(name)
        if old is not None:
            set_value(self.source, old, text)
            return
        self._check_for_new("%s=%s" % (name, text), position)
        self.added = [a for a in self.added if a[0] != name] + [(name, text)]

    def _in_doubled(self, name):
        """The value of a key in the dictionary behind the asterisks, where it may be changed."""
        inner = self._doubled[0]
        if isinstance(inner, ast.Name):
            return _only_entry(self.source, self.call, inner.id, name)
        return _entry_of(inner, name)

    def _check_for_new(self, text, position):
        call, line = self.call, self.call.lineno
        if len(self._doubled) > 1:
            raise ByHand("line %d has several **arguments" % line, text)
        if position is not None and any(isinstance(a, ast.Starred) for a in call.args):
            raise ByHand("line %d passes arguments as *" % line, text)
        if call.args and self.source.end(call.args[-1]) > self.source.end(call) - 1:
            raise ByHand("line %d passes a bare generator" % line, text)

    def finish(self):
        if self.added and self._doubled:
            # {**named, "name": value} holds the key once, whatever was in it.
            inner = self._doubled[0]
            entries = "".join(', "%s": %s' % entry for entry in self.added)
            self.source.insert(self.source.begin(inner), "{**")
            self.source.insert(self.source.end(inner), entries + "}")
        elif self.added:
            _add_keywords(self.source, self.call, ["%s=%s" % entry for entry in self.added])


def _entry_of(dictionary, name):
    if isinstance(dictionary, ast.Call) and dotted(dictionary.func) == "dict":
        keyword = keyword_of(dictionary, name)
        return keyword and keyword.value
    if isinstance(dictionary, ast.Dict):
        for key, value in zip(dictionary.keys, dictionary.values):
            if key is not None and literal_of(key) == (True, name):
                return value
    return None


def _only_entry(source, call, variable, name):
    """The value in the dictionary that this call alone uses; None where others might see it."""
    used = [n for n in ast.walk(source.tree) if isinstance(n, ast.Name) and n.id == variable]
    stored = [n for n in used if isinstance(n.ctx, ast.Store)]
    made = source.parent(stored[0]) if len(stored) == 1 and len(used) == 2 else None
    if not isinstance(made, ast.Assign) or scope_of(source, made) is not scope_of(source, call):
        return None
    return _entry_of(made.value, name)


# ---------------------------------------------------------------------------------- new ones

def _add_keywords(source, call, texts):
    arguments = sorted([*call.args, *(k.value for k in call.keywords)], key=source.end)
    close = source.end(call) - 1
    if not arguments:
        source.insert(close, ", ".join(texts))
        return
    last = arguments[-1]
    begin = _begin_of_argument(source, call, last)
    end, comma = _after_argument(source, source.end(last), close)
    first_line = source.line_of(begin)
    indent = source.indent(first_line)
    begins_line = first_line > call.lineno and not source.data[
        source.at(first_line):begin].strip()
    if begins_line and source.line_of(close) > source.line_of(end):
        _add_lines(source, end, comma, [indent + text for text in texts])
    elif begins_line:
        for text in texts:
            source.insert(end, "," + source.line_end() + indent + text)
    else:
        text = ", ".join(texts)
        is_long = call.args and source.is_too_long(last.end_lineno, len(text) + 2)
        gap = source.line_end() + _under_first(source, call) if is_long else " "
        source.insert(end, "," + gap + text)


def _add_lines(source, end, comma, lines):
    """Below the last argument, so that comments stay beside what they are about."""
    if comma is None:
        source.insert(end, ",")
    lines = [line + "," for line in lines[:-1]] + [lines[-1] + ("," if comma else "")]
    source.insert_lines(source.line_of(end) + 1, lines)


def _after_argument(source, end, close):
    """Where an argument ends with its parentheses, and where its comma is, or None."""
    for kind, text, begin, after in source.tokens():
        if end <= begin < close and kind not in _FILLING:
            if text == ",":
                return end, begin
            end = after  # a parenthesis around the argument
    return end, None


def _begin_of_argument(source, call, value):
    """Where an argument begins with its name; keywords have no position before Python 3.9."""
    begin = source.begin(value)
    keyword = next((k for k in call.keywords if k.value is value), None)
    head = source.data[:begin].decode("utf-8")
    if keyword is not None:
        pattern = r"\*\*[\s(]*$" if keyword.arg is None else keyword.arg + r"\s*=[\s(]*$"
        found = re.search(pattern, head[-400:])
        if found:
            return begin - len(head[-400:][found.start():].encode("utf-8"))
    return begin


def _under_first(source, call):
    """Spaces, and tabs where there are some, up to the column of the first argument."""
    begin = source.begin(call.args[0])
    before = source.data[source.at(call.args[0].lineno):begin].decode("utf-8")
    return "".join(c if c == "\t" else " " for c in before)
