"""amp: `with torch.autocast(...)` around the statements from the model's call to the loss."""
import ast

from . import ByHand, frameworks, off_edits, places

_TYPES = {"bf16": "torch.bfloat16", "fp16": "torch.float16"}


def write(change, value, framework):
    """Around the call of the model where forward and backward pass are in one straight block."""
    facts = change.facts
    line = 'with torch.autocast("%s", dtype=%s):' % (
        change.device(), _TYPES.get(value, "torch.bfloat16"))
    suggestion = frameworks.setting(framework, "amp", value) or line + "  # up to the loss"
    if value == "fp16":
        raise ByHand("fp16 needs its losses scaled (torch.amp.GradScaler)", suggestion)
    if facts["observed"].get("amp"):
        off_edits.write_type(change, "bfloat16")
        return
    _check_places(facts, framework, suggestion)
    _Block(change, suggestion).write(line)


def _check_places(facts, framework, suggestion):
    found = facts["places"]
    for name in ("forward", "backward"):
        if not found.get(name):
            raise ByHand("it is not known where the %s pass is called" % name, suggestion)
        library = found.get(name + "_library")
        if library:
            raise ByHand("%s calls the %s pass" % (framework or library["file"], name), suggestion)


class _Block:
    """The statements from the model's call to the loss, in the function of the backward pass."""

    def __init__(self, change, suggestion):
        found = change.facts["places"]
        self.suggestion = suggestion
        self.source = change.source(found["backward"], suggestion)
        self.backward = places.find_call(self.source, found["backward"], ("backward",))
        self._check_one_step(change)
        chain = places.chain_of(self.source, self.backward)
        self.owner, self.block, self.last = chain[0]
        self.first = self._first(change, found["forward"])

    def _check_one_step(self, change):
        """A step with several backward passes would need a block for each."""
        loops = places.loops_of(self.source, self.backward)
        around = loops[0] if loops else places.scope_of(self.source, self.backward)
        passes = [n for n in ast.walk(around) if isinstance(n, ast.Call)
                  and isinstance(n.func, ast.Attribute) and n.func.attr == "backward"]
        if len(passes) > 1:
            raise ByHand("a step has several backward passes (line %s)"
                         % ", ".join(str(n.lineno) for n in passes), self.suggestion)

    def _first(self, change, forward):
        """The statement that calls the model, or the function which does."""
        backward = change.facts["places"]["backward"]
        if change.source(forward, self.suggestion) is self.source \
                and forward.get("function") == backward.get("function"):
            call = places.find_any_call(self.source, forward)
            for _, block, index in places.chain_of(self.source, call):
                if block is self.block and index <= self.last:
                    return index
        else:
            for index in range(self.last + 1):
                if any(isinstance(n, ast.Call) and places.name_of(n.func) == forward["function"]
                       for n in ast.walk(self.block[index])):
                    return index
        raise ByHand("forward and backward pass are not in one straight block of statements",
                     self.suggestion)

    def write(self, line):
        torch = places.ensure_import(self.source, "torch")
        line = line.replace("torch.", torch + ".")
        if self.first == self.last:
            self._split(line)
            return
        end = self._where_loss_is_made()
        if not places.has_own_lines(self.source, self.block, self.first, end):
            raise ByHand("statements share line %d" % self.block[self.first].lineno,
                         self.suggestion)
        self._indent(self.first, end, line)

    def _where_loss_is_made(self):
        names = {n.id for n in ast.walk(self.block[self.last]) if isinstance(n, ast.Name)}
        for index in range(self.last - 1, self.first - 1, -1):
            stored = {n.id for n in ast.walk(self.block[index])
                      if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            if stored & names:
                return index
        raise ByHand("it is not clear where the loss is made", self.suggestion)

    def _indent(self, first, end, line):
        source, begin, last = self.source, self.block[first].lineno, self.block[end].end_lineno
        indent = source.indent(begin)
        source.insert_lines(begin, [indent + line])
        self._indent_lines(begin, last)

    def _indent_lines(self, begin, last):
        source, unit = self.source, self._unit()
        within = source.lines_within_strings()
        for number in range(begin, last + 1):
            if number not in within and source.line(number).strip():
                source.insert(source.at(number), unit)

    def _unit(self):
        """One level of indentation as this file has it."""
        indent = self.source.indent(self.block[self.first].lineno)
        outer = self.owner
        if isinstance(outer, ast.stmt):
            before = self.source.indent(outer.lineno)
            if indent.startswith(before) and len(indent) > len(before):
                return indent[len(before):]
        return "    "

    # ------------------------------------------------------------------------------ one statement

    def _split(self, line):
        """`criterion(model(x), y).backward()`: the loss gets a name, and a statement of its own."""
        source, statement = self.source, self.block[self.first]
        call = statement.value if isinstance(statement, ast.Expr) else None
        if call is not self.backward or not isinstance(call.func, ast.Attribute) \
                or source.begin(statement) != source.begin(call) \
                or not places.has_own_lines(source, self.block, self.first, self.first):
            raise ByHand("forward and backward pass are in one statement (line %d)"
                         % statement.lineno, self.suggestion)
        before = source.at(call.func.end_lineno, call.func.end_col_offset) - len(call.func.attr)
        dot = len(source.data[:before].rstrip()) - 1
        if source.data[dot:dot + 1] != b"." or source.data[dot - 1:dot] in b" \t\r\n\\":
            raise ByHand("the call on line %d goes over several lines" % statement.lineno,
                         self.suggestion)
        name, indent = self._free_name(), source.indent(statement.lineno)
        source.insert_lines(statement.lineno, [indent + line])
        self._indent_lines(statement.lineno, source.line_of(dot))
        source.insert(source.begin(statement), name + " = ")
        source.insert(dot, source.line_end() + indent + name)

    def _free_name(self):
        taken = {n.id for n in ast.walk(self.source.tree) if isinstance(n, ast.Name)}
        return next(name for name in ("loss", "step_loss", "loss_of_step") if name not in taken)
