"""What belongs to the model, its optimizers and its batches: layout, compilation, constructors."""
import ast

from . import ByHand, frameworks, off_edits, places
from .arguments import code_of, given_node

_WRAPS = ("DistributedDataParallel", "DDP", "DataParallel", "FullyShardedDataParallel", "FSDP",
          "compile")
_MOVES = ("to", "cuda", "cpu", "half", "bfloat16", "float", "double")
_FUSED = ("SGD", "Adam", "AdamW", "Adagrad")
_FOREACH = _FUSED + ("ASGD", "Adadelta", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop")
_PARAMETERS = ("parameters", "named_parameters")
_POSITIONS_OF_NON_BLOCKING = {"to": 2, "cuda": 1}


def _optimizers(change, knob, value):
    """[(source, call, facts)] of the optimizers that the script makes, each place once."""
    made = change.facts["observed"].get("optimizers") or []
    found = {}
    for optimizer in made:
        place, library = optimizer.get("place"), optimizer.get("library")
        framework = frameworks.of_paths(library)
        suggestion = frameworks.setting(framework, knob, value) or _suggestion(knob, value)
        if library or not place:
            raise ByHand("%s makes the optimizer" % (framework or library and library["file"]
                                                     or "nothing in the script"), suggestion)
        source = change.source(place, suggestion)
        call = places.find_call(source, place, (optimizer["class"],))
        found[source.path, source.begin(call)] = (source, call, optimizer)
    if not found:
        raise ByHand("no optimizer of torch was seen", _suggestion(knob, value))
    return list(found.values())


def _suggestion(knob, value):
    return {"channels_last": "model.to(memory_format=torch.channels_last)",
            "compile": "model.compile(%s)" % _mode(value)}.get(knob, "%s=True" % value)


def _mode(value):
    return "" if value in (True, "default") else "mode=" + code_of(value)


# ---------------------------------------------------------------------------------- the model

def _write_channels_last(change, value):
    if not value:
        off_edits.write_layout(change)
        return
    _after_models(change, "channels_last", value,
                  lambda model, torch: "%s.to(memory_format=%s.channels_last)" % (model, torch))


def _write_compile(change, value):
    if value in (False, "none"):
        off_edits.write_compile(change)
        return
    _after_models(change, "compile", value,
                  lambda model, torch: "%s.compile(%s)" % (model, _mode(value)))


def _after_models(change, knob, value, line_for):
    suggestion = _suggestion(knob, value)
    for source, call, _ in _optimizers(change, knob, value):
        models = _models_of(source, call)
        if not models:
            raise ByHand("it is not clear which variable holds the model", suggestion)
        for model in models:
            torch = "torch" if knob == "compile" else places.ensure_import(source, "torch")
            _insert_for(source, call, model, line_for(model, torch), suggestion)


def _models_of(source, call):
    """Names of what the optimizer gets the parameters of."""
    found = _owners(call)
    if not found:  # params = [p for p in model.parameters() if p.requires_grad]
        names = {n.id for a in call.args[:1] for n in ast.walk(a) if isinstance(n, ast.Name)}
        scope = places.scope_of(source, call)
        made = [s for s in ast.walk(scope) if isinstance(s, ast.Assign) and len(s.targets) == 1
                and isinstance(s.targets[0], ast.Name) and s.targets[0].id in names]
        found = [owner for statement in made for owner in _owners(statement.value)]
    return sorted(set(found), key=found.index)


def _owners(tree):
    """`model` of model.parameters(), also of model.head.parameters(); self.model of its parts."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) \
                and node.func.attr in _PARAMETERS:
            parts = places.dotted(node.func.value).split(".")
            if parts[0]:
                found.append(".".join(parts[:2 if parts[0] == "self" else 1]))
    return found


def _insert_for(source, call, model, line, suggestion):
    """Below the line where the model is made or moved, else above that of its optimizer."""
    chain = places.chain_of(source, call)
    statement = _last_made(source, call, model)
    for _, block, index in places.chain_of(source, statement) if statement else ():
        if any(block is known for _, known, _ in chain):
            if not places.has_own_lines(source, block, index, index):
                raise ByHand("statements share line %d" % block[index].lineno, suggestion)
            source.insert_lines(block[index].end_lineno + 1,
                                [source.indent(block[index].lineno) + line])
            return
    _, block, index = chain[0]
    if not places.begins_line(source, block[index]):
        raise ByHand("statements share line %d" % block[index].lineno, suggestion)
    source.insert_lines(block[index].lineno, [source.indent(block[index].lineno) + line])


def _last_made(source, call, model):
    """The last statement before the optimizer that makes or moves the model; wraps do not count."""
    scope, found = places.scope_of(source, call), None
    for node in ast.walk(scope):
        if not isinstance(node, ast.stmt) or source.end(node) > source.begin(call) \
                or places.scope_of(source, node) is not scope:
            continue
        if _makes(node, model) or _moves(node, model):
            if found is None or source.begin(node) > source.begin(found):
                found = node
    return found


def _makes(statement, model):
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    flat = [e for t in targets for e in (t.elts if isinstance(t, ast.Tuple) else [t])]
    made = statement.value
    wraps = isinstance(made, ast.Call) and places.name_of(made.func) in _WRAPS
    return not wraps and any(places.dotted(t) == model for t in flat)


def _moves(statement, model):
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) \
        and call.func.attr in _MOVES and places.dotted(call.func.value) == model


# ---------------------------------------------------------------------------------- the optimizer

def _write_optimizer_impl(change, value):
    if value not in ("fused", "foreach", "loop"):
        raise ByHand("tune does not know this value of optimizer_impl")
    for source, call, facts in _optimizers(change, "optimizer_impl", value):
        wanted = value if value != "loop" else "foreach"
        if facts["class"] not in (_FUSED if value == "fused" else _FOREACH):
            raise ByHand("%s has no such argument" % facts["class"])
        edit = change.call_edit(source, call)
        for other in ("fused", "foreach"):
            if other != wanted and any(k.arg == other for k in call.keywords):
                edit.set(other, False)
        edit.set(wanted, value != "loop")
        if places.imported_name(source, places.name_of(call.func)) != facts["class"]:
            change.notes.append("optimizer_impl: line %d of %s may make another class of optimizer"
                                % (call.lineno, source.path))


def _write_set_to_none(change, value):
    suggestion = "optimizer.zero_grad(set_to_none=%r)" % value
    place, library = (change.facts["places"].get(n) for n in ("backward", "backward_library"))
    if not place or library:
        raise ByHand("the script does not call the backward pass itself", suggestion)
    source = change.source(place, suggestion)
    calls = [n for n in ast.walk(source.tree) if isinstance(n, ast.Call)
             and isinstance(n.func, ast.Attribute) and n.func.attr == "zero_grad"]
    if not calls:
        raise ByHand("%s calls no zero_grad" % source.path, suggestion)
    is_usual = value is True and (change.facts.get("torch") or "2") >= "2"
    for call in calls:
        if call.args or call.keywords or not is_usual:
            change.call_edit(source, call).set("set_to_none", value, 0)


# ---------------------------------------------------------------------------------- the batches

def _write_non_blocking(change, value):
    suggestion = "x = x.to(device, non_blocking=True)"
    forward = change.facts["places"].get("forward")
    if not forward or change.facts["places"].get("forward_library"):
        if not value:
            return
        raise ByHand("it is not known where batches are moved", suggestion)
    source = change.source(forward, suggestion)
    loops = [n for n in places.loops_of(source, places.find_any_call(source, forward))
             if not isinstance(n, ast.While)]
    calls = _moved(loops[0]) if loops else []
    if not value:
        calls = [c for c in calls if given_node(
            c, "non_blocking", _POSITIONS_OF_NON_BLOCKING[c.func.attr]) is not None]
    if not calls and value:
        raise ByHand("no batch is moved in the loop that calls the model", suggestion)
    for call in calls:
        change.call_edit(source, call).set("non_blocking", bool(value),
                                           _POSITIONS_OF_NON_BLOCKING[call.func.attr])
    if value and not change.knobs.get("pin_memory") \
            and not any(l.get("pin_memory") for l in change.loaders):
        change.notes.append("non_blocking: only copies from pinned memory are not waited for")


def _moved(loop):
    """Calls of .to(device) and .cuda() of what the loop gets from its loader."""
    known = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
    for node in ast.walk(loop):
        if isinstance(node, ast.Assign) and _root(node.value) in known:
            known.update(n.id for t in node.targets for n in ast.walk(t)
                         if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        elif isinstance(node, ast.comprehension) and _root(node.iter) in known:
            known.update(n.id for n in ast.walk(node.target) if isinstance(n, ast.Name))
    return [n for n in ast.walk(loop) if isinstance(n, ast.Call)
            and isinstance(n.func, ast.Attribute) and n.func.attr in _POSITIONS_OF_NON_BLOCKING
            and _root(n.func.value) in known and not _is_of_type_alone(n)]


def _root(node):
    """`batch` of batch["x"], batch.x and batch.items()."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_of_type_alone(call):
    """x.to(torch.float32)"""
    name = places.dotted(call.args[0]) if len(call.args) == 1 and not call.keywords else ""
    return name.startswith("torch.")


WRITERS = {"channels_last": _write_channels_last, "compile": _write_compile,
           "optimizer_impl": _write_optimizer_impl, "set_to_none": _write_set_to_none,
           "non_blocking": _write_non_blocking}
