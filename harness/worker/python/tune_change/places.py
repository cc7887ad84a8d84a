"""Calls and statements at the places that the facts name, and whether they are still what ran."""
import ast
import sys

from . import ByHand, Unusable

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = _FUNCTIONS + (ast.ClassDef,)


def text_of(place):
    return "%s:%d" % (place["file"], place["line"])


def name_of(function):
    """The last part of a dotted name; "" for other expressions."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def dotted(node):
    """ "torch.backends.cudnn"; "" for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return inner and inner + "." + node.attr
    return ""


def imported_name(source, name):
    """What a name means: DataLoader where the file has `import DataLoader as Loader`."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.asname == name:
                    return alias.name
    return name


def full_name(source, node):
    """ "torch.cuda.amp.autocast" of a dotted name, by the imports of the file."""
    first, _, rest = dotted(node).partition(".")
    for each in ast.walk(source.tree):
        module = each.module if isinstance(each, ast.ImportFrom) else ""
        for alias in each.names if isinstance(each, (ast.Import, ast.ImportFrom)) else ():
            if (alias.asname or alias.name) == first and (module or alias.asname):
                first = module + "." + alias.name if module else alias.name
                return first + "." + rest if rest else first
    return first + "." + rest if rest else first


def find_call(source, place, names):
    """The call at a place. `names`: of what is called, where Python before 3.11 told the line
    alone; empty for any."""
    fitting = calls_at(source, place)
    if not place.get("range") and names:
        fitting = [n for n in fitting if imported_name(source, name_of(n.func)) in names]
    if not fitting:
        refuse_changed(place)
    if len(fitting) > 1:
        raise ByHand("several calls on line %d of %s; Python before 3.11 does not tell which"
                     % (place["line"], place["file"]))
    return fitting[0]


def find_any_call(source, place):
    """A call in the statement at a place; for what only the statement matters."""
    fitting = calls_at(source, place)
    if not fitting:
        refuse_changed(place)
    return fitting[0]


def refuse_changed(place):
    raise Unusable("%s: the file has changed since it was observed; run it once more"
                   % text_of(place))


def calls_at(source, place):
    """All of them that are still there."""
    calls = [n for n in ast.walk(source.tree) if isinstance(n, ast.Call)]
    if place.get("range"):
        # The beginning is that of the last attribute where a chain goes over several lines.
        first, last, _, column = place["range"]
        found = [n for n in calls if (n.end_lineno, n.end_col_offset) == (last, column)
                 and n.lineno <= first]
    else:
        found = [n for n in calls if n.lineno == place["line"]]
    return [n for n in found if function_of(source, n) == place.get("function")]


def scope_of(source, node):
    """The function, class or module that holds a node."""
    outer = source.parent(node)
    while outer is not None and not isinstance(outer, _SCOPES):
        outer = source.parent(outer)
    return outer or source.tree


def function_of(source, node):
    """The name that a frame there has."""
    outer = source.parent(node)
    while outer is not None:
        if isinstance(outer, _COMPREHENSIONS) and _has_frame(outer, node):
            return {"ListComp": "<listcomp>", "SetComp": "<setcomp>", "DictComp": "<dictcomp>",
                    "GeneratorExp": "<genexpr>"}[type(outer).__name__]
        if isinstance(outer, ast.Lambda):
            return "<lambda>"
        if isinstance(outer, _SCOPES) and not _is_decoration(outer, node):
            return outer.name
        outer = source.parent(outer)
    return "<module>"


def _has_frame(comprehension, node):
    """Before 3.12 the first iterable alone is evaluated outside; later only generators have one."""
    first = comprehension.generators[0].iter
    inside = not any(node is n for n in ast.walk(first))
    return inside and (isinstance(comprehension, ast.GeneratorExp) or sys.version_info < (3, 12))


def _is_decoration(outer, node):
    body = outer.body if isinstance(outer.body, list) else [outer.body]
    return not any(node is n for statement in body for n in ast.walk(statement))


def blocks_of(statement):
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
    for handler in getattr(statement, "handlers", []):
        yield handler.body


def chain_of(source, node):
    """[(owner, block, index)] of the statements around a node, the innermost first, up to the
    function or the module that holds it."""
    chain = []
    while node is not None:
        outer = source.parent(node)
        if isinstance(node, ast.stmt) and outer is not None:
            for block in blocks_of(outer):
                for index, statement in enumerate(block):
                    if statement is node:
                        chain.append((outer, block, index))
        if isinstance(outer, _SCOPES):
            break
        node = outer
    return chain


def loops_of(source, node):
    """The loops around a node within its function, the innermost first."""
    found = []
    outer = source.parent(node)
    while outer is not None and not isinstance(outer, _SCOPES):
        if isinstance(outer, (ast.For, ast.AsyncFor, ast.While)):
            found.append(outer)
        outer = source.parent(outer)
    return found


def is_conditional(source, node):
    """Whether it may be passed over when its function or file runs."""
    for outer, _, _ in chain_of(source, node):
        if isinstance(outer, (ast.For, ast.While, ast.Try)) or isinstance(outer, ast.If) \
                and "__name__" not in source.text(outer.test):
            return True
    return False


def begins_line(source, statement):
    return not source.data[source.at(statement.lineno):source.begin(statement)].strip()


def has_own_lines(source, block, first, last):
    """True where these statements share no line with another one."""
    begin, end = block[first], block[last]
    line_end = source.at(end.end_lineno) + len(source.line(end.end_lineno))
    rest = source.data[source.end(end):line_end].strip()
    return begins_line(source, begin) and (not rest or rest.startswith(b"#")) \
        and not getattr(begin, "decorator_list", None)


def torch_name(source):
    """The name that the file has for torch at its top; None without one."""
    for statement in source.tree.body:
        if isinstance(statement, _SCOPES):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == "torch" and alias.asname:
                        return alias.asname
                    if not alias.asname and alias.name.split(".")[0] == "torch":
                        return "torch"
    return None


def imports_torch(statement):
    return not isinstance(statement, _SCOPES) and any(
        alias.name.split(".")[0] == "torch" for node in ast.walk(statement)
        if isinstance(node, ast.Import) for alias in node.names)


def first_import(source):
    """The line of the first import that another may precede; without one, of the first
    statement after docstring and __future__."""
    body = [s for s in source.tree.body
            if not (isinstance(s, ast.ImportFrom) and s.module == "__future__")]
    imports = [s for s in body if isinstance(s, (ast.Import, ast.ImportFrom))]
    if imports:
        return imports[0].lineno
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        del body[0]
    if not body:
        return source.tree.body[-1].end_lineno + 1
    return min([body[0].lineno] + [d.lineno for d in getattr(body[0], "decorator_list", [])])


def _line_for_import(source, module):
    """Within the first imports, by name."""
    first = first_import(source)
    for statement in source.tree.body:
        if statement.lineno < first:
            continue
        if not isinstance(statement, ast.Import) or not begins_line(source, statement):
            break
        if statement.names[0].name > module:
            return statement.lineno
    return first


def ensure_import(source, module):
    """The name of a module in this file, which is imported if it is not."""
    if module == "torch":
        known = torch_name(source)
        if known:
            return known
    elif any(isinstance(s, ast.Import) and any(a.name == module and not a.asname for a in s.names)
             for s in source.tree.body):
        return module
    line = _line_for_import(source, module)
    if (source.at(line), b"import " + module.encode()) not in [
            (begin, text.strip()) for begin, _, text in source.edits]:
        source.insert_lines(line, ["import " + module])
    return module
