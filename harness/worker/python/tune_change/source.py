"""A source file and the edits in it, by byte; all other bytes stay what they are."""
import ast
import codecs
import io
import os
import tokenize

from . import ByHand, Unusable

_LONGEST_LINE = 100


class Source:
    """Positions are (line, column) as `ast` counts them: columns are bytes of UTF-8, whatever the
    file's encoding, and begin after a byte order mark."""

    def __init__(self, path):
        self.path = path
        self.raw, self.encoding = _read(path)
        self.mark = codecs.BOM_UTF8 if self.raw.startswith(codecs.BOM_UTF8) else b""
        text = _decoded(self.raw[len(self.mark):], self.encoding, path)
        self.data = text.encode("utf-8")
        self.tree = _parsed(text, path)
        self._starts = [0]
        for line in self.data.splitlines(keepends=True):  # of bytes: at \n, \r\n and \r alone
            self._starts.append(self._starts[-1] + len(line))
        self._parents = None
        self._tokens = None
        self.edits = []  # (begin, end, text)

    # ------------------------------------------------------------------------------ positions

    def at(self, line, column=0):
        return self._starts[line - 1] + column

    def begin(self, node):
        return self.at(node.lineno, node.col_offset)

    def end(self, node):
        return self.at(node.end_lineno, node.end_col_offset)

    def text(self, node):
        return self.data[self.begin(node):self.end(node)].decode("utf-8")

    def line(self, number):
        """The bytes of a line with its end."""
        return self.data[self._starts[number - 1]:self._starts[number]]

    def line_of(self, offset):
        low, high = 0, len(self._starts) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._starts[middle] <= offset else (low, middle)
        return low + 1

    def line_end(self):
        """How this file's lines end."""
        for end in (b"\r\n", b"\n", b"\r"):
            if end in self.data:
                return end.decode()
        return "\n"

    def indent(self, line):
        text = self.line(line)
        return text[:len(text) - len(text.lstrip(b" \t\f"))].decode()

    def parent(self, node):
        if self._parents is None:
            self._parents = {id(child): outer for outer in ast.walk(self.tree)
                             for child in ast.iter_child_nodes(outer)}
        return self._parents.get(id(node))

    def tokens(self):
        """(kind, text, begin, end) of each token."""
        if self._tokens is None:
            self._tokens = [self._token(t) for t in
                            tokenize.tokenize(io.BytesIO(self._as_lines()).readline)
                            if t.type != tokenize.ENCODING]
        return self._tokens

    def _as_lines(self):
        # tokenize splits at \n alone and obeys the coding line; both are settled here.
        return codecs.BOM_UTF8 + b"".join(
            _without_coding(line.rstrip(b"\r\n"), number) + b"\n"
            for number, line in enumerate(self.data.splitlines(keepends=True)))

    def _token(self, token):
        return (token.type, token.string, self._offset(token.start), self._offset(token.end))

    def _offset(self, position):
        line, column = position
        if line >= len(self._starts):
            return len(self.data)
        return self.at(line, len(self.line(line).decode("utf-8")[:column].encode("utf-8")))

    def has_comment(self, begin, end):
        return any(kind == tokenize.COMMENT and begin <= at < end
                   for kind, _, at, _ in self.tokens())

    def lines_within_strings(self):
        """Numbers of the lines that begin inside a string: to indent them would change it."""
        found, opened = set(), []
        for kind, _, begin, end in self.tokens():
            name = tokenize.tok_name[kind]
            if name in ("FSTRING_START", "TSTRING_START"):
                opened.append(begin)
            elif name in ("FSTRING_END", "TSTRING_END"):
                begin = opened.pop()
            elif kind != tokenize.STRING:
                continue
            found.update(range(self.line_of(begin) + 1, self.line_of(end) + 1))
        return found

    # ------------------------------------------------------------------------------ edits

    def replace(self, begin, end, text):
        new = text.encode("utf-8")
        for old_begin, old_end, old in self.edits:
            if (begin, end, new) == (old_begin, old_end, old) and end > begin:
                return
            if begin < old_end and old_begin < end:
                raise ByHand("another part of the change is in the same place")
        self.edits.append((begin, end, new))

    def insert(self, offset, text):
        self.replace(offset, offset, text)

    def insert_lines(self, line, lines):
        """Whole lines before the line of this number, which may be one past the last."""
        end = self.line_end()
        text = "".join(piece + end if piece else end for piece in lines)
        offset = self._starts[line - 1]
        if offset and offset == len(self.data) and self.data[-1:] not in b"\r\n":
            text = end + text[:-len(end)]  # the file ends without a line end, and still does
        self.insert(offset, text)

    def is_too_long(self, line, added):
        return len(self.line(line).decode("utf-8").rstrip()) + added > _LONGEST_LINE

    def patched(self):
        """The text with all edits, checked."""
        data = self.data
        order = sorted(enumerate(self.edits), key=lambda e: (e[1][0], e[1][1], e[0]), reverse=True)
        for _, (begin, end, text) in order:
            data = data[:begin] + text + data[end:]
        text = data.decode("utf-8")
        try:
            compile(text, self.path, "exec", dont_inherit=True)
        except SyntaxError as problem:
            raise AssertionError("%s: the change does not compile: %s" % (self.path, problem))
        return text

    def encoded(self, text):
        """The bytes of the file with this text in it."""
        return self.mark + text.encode(self.encoding)


def _read(path):
    try:
        if not os.path.isfile(path):
            raise Unusable("%s: there is no such file any more" % path)
        with open(path, "rb") as file:
            raw = file.read()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    except OSError as problem:
        raise Unusable("%s: cannot be read (%s)" % (path, problem.strerror or problem))
    except SyntaxError as problem:
        raise Unusable("%s: %s" % (path, problem.msg))
    return raw, "utf-8" if encoding == "utf-8-sig" else encoding


def _decoded(raw, encoding, path):
    try:
        text = raw.decode(encoding)
        exact = text.encode(encoding) == raw
    except UnicodeError as problem:
        raise Unusable("%s: is not %s, which it says it is (%s)" % (path, encoding, problem))
    if not exact:
        raise Unusable("%s: %s is an encoding that would not keep its other bytes"
                       % (path, encoding))
    return text


def _parsed(text, path):
    try:
        return ast.parse(text)
    except SyntaxError as problem:
        raise Unusable("%s:%s: syntax error (%s)" % (path, problem.lineno, problem.msg))
    except (ValueError, RecursionError, MemoryError) as problem:
        raise Unusable("%s: Python cannot parse it (%s)" % (path, problem))


def _without_coding(line, number):
    return line.replace(b"coding", b"c_ding") if number < 2 and line.lstrip()[:1] == b"#" else line
