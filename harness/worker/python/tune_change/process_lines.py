"""Knobs of the whole process: variables of the environment, lines after `import torch`, and lines
before the training loop."""
import ast
import os

from . import ByHand, places
from .arguments import code_of, set_value

_SETTERS = {"matmul_precision": "set_float32_matmul_precision",
            "deterministic": "use_deterministic_algorithms",
            "flush_denormal": "set_flush_denormal", "inter_op_threads": "set_num_interop_threads",
            "intra_op_threads": "set_num_threads"}
_THREADS = ("intra_op_threads", "inter_op_threads")
_SDPA = ("flash", "mem_efficient", "math", "cudnn")
_VARIABLES = ("LD_PRELOAD", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "PYTORCH_CUDA_ALLOC_CONF",
              "PYTORCH_ALLOC_CONF", "MALLOC_CONF", "OMP_PROC_BIND", "KMP_AFFINITY")


def write(change, knob, value):
    if knob == "gc":
        _write_gc(change, value)
    elif knob in _VARIABLES:
        change.environment[knob] = str(value)
    elif knob in _SETTERS or knob in ("cudnn_benchmark", "tf32", "sdpa"):
        _write_flag(change, knob, value)
    else:
        raise ByHand("tune does not know how to write this knob")


def _write_flag(change, knob, value):
    if knob in _THREADS and not value:
        _refuse_own_threads(change, knob)
        return
    lines = _lines_of(change, knob, value)
    if _replaces_own(change, knob, value, "\n".join(lines)):
        return
    if knob == "intra_op_threads":
        change.environment["OMP_NUM_THREADS"] = str(value)
        return
    if knob == "deterministic" and value and change.device() == "cuda":
        change.environment["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
    source = _source_for_lines(change, "\n".join(lines))
    torch = places.ensure_import(source, "torch")
    lines = [torch + line[len("torch"):] for line in lines]
    _insert_after_imports(source, lines)


def _refuse_own_threads(change, knob):
    """0 leaves the number to torch, which no call does."""
    own = [(path, node) for path in _paths(change, []) if path
           for node, _ in _settings(change.source_at(path), knob, 0)]
    if own:
        raise ByHand("it is set at %s:%d" % (own[0][0], own[0][1].lineno),
                     "take torch.%s out" % _SETTERS[knob])


def _lines_of(change, knob, value):
    if knob == "deterministic" and not value:
        return ["torch.use_deterministic_algorithms(False)",
                "torch.backends.cudnn.deterministic = False"]
    if knob in _SETTERS:
        return ["torch.%s(%s)" % (_SETTERS[knob], code_of(value))]
    if knob == "cudnn_benchmark":
        return ["torch.backends.cudnn.benchmark = %r" % (value,)]
    if knob == "tf32":
        return ["torch.backends.cuda.matmul.allow_tf32 = %r" % (value == "all"),
                "torch.backends.cudnn.allow_tf32 = %r" % (value != "none")]
    version = tuple(int(p) for p in (change.facts.get("torch") or "2.5").split(".")[:2])
    known = [n for n in _SDPA if n != "cudnn" or version >= (2, 5)]
    return ["torch.backends.cuda.enable_%s_sdp(%r)" % (name, value in ("auto", name))
            for name in known if value == "auto" or name != value]


# ---------------------------------------------------------------------------------- its own

def _replaces_own(change, knob, value, suggestion):
    """Where the script sets the flag itself, it is changed there."""
    resisted = [r for r in change.facts.get("resisted") or []
                if r["name"] == knob and r["where"] != "?"]
    seen, found = {entry["where"] for entry in resisted}, []
    for path in _paths(change, resisted):
        source = change.source_at(path, suggestion)
        for node, wanted in _settings(source, knob, value):
            where = "%s:%d" % (path, node.lineno)
            if where in seen or not places.is_conditional(source, node):
                found.append((source, node, wanted))
            else:
                change.notes.append("%s: the script also sets it at %s, on a condition"
                                    % (knob, where))
    if resisted and not found:
        raise ByHand("it is set at %s" % resisted[0]["where"], suggestion)
    for source, node, wanted in found:
        set_value(source, node, code_of(wanted))
    return bool(found)


def _paths(change, resisted):
    main = change.main_path()
    paths = [entry["where"].rsplit(":", 1)[0] for entry in resisted]
    paths += [main] if main and main.endswith(".py") else []
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())


def _settings(source, knob, value):
    """[(expression, its new value)]"""
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and node.args and knob in _SETTERS \
                and places.dotted(node.func).endswith("torch." + _SETTERS[knob]):
            found.append((node.args[0], value))
        elif isinstance(node, ast.Call) and node.args and (knob, value) == ("sdpa", "auto"):
            name = places.dotted(node.func)
            found.extend((node.args[0], True) for kind in _SDPA
                         if name.endswith("cuda.enable_%s_sdp" % kind))
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            name = places.dotted(node.targets[0])
            if knob == "cudnn_benchmark" and name.endswith("cudnn.benchmark"):
                found.append((node.value, value))
            elif knob == "deterministic" and not value and name.endswith("cudnn.deterministic"):
                found.append((node.value, False))
            elif (knob, value) == ("matmul_precision", "highest") \
                    and name.endswith("matmul.allow_tf32"):
                found.append((node.value, False))
            elif knob == "tf32" and name.endswith("matmul.allow_tf32"):
                found.append((node.value, value == "all"))
            elif knob == "tf32" and name.endswith("cudnn.allow_tf32"):
                found.append((node.value, value != "none"))
    return found


# ---------------------------------------------------------------------------------- new lines

def _source_for_lines(change, suggestion):
    """The program, else the file that calls the model."""
    forward = change.facts["places"].get("forward") or {}
    known = [path for path in (change.main_path(), forward.get("file"))
             if path and path.endswith(".py")]
    if not known:
        raise ByHand("the program is not a file in Python", suggestion)
    return change.source_at(known[0], suggestion)


def _insert_after_imports(source, lines):
    """Below the run of imports that begins with torch's."""
    body = source.tree.body
    first = next((i for i, s in enumerate(body) if places.imports_torch(s)), None)
    if first is None:  # torch has just been imported at the top
        line = _line_after_run(source, places.first_import(source))
    else:
        line = _end_of_run(source, body, first)
    is_first = not any(begin == source.at(line) for begin, _, _ in source.edits)
    source.insert_lines(line, [""] * is_first + lines)


def _line_after_run(source, line):
    body = source.tree.body
    first = next((i for i, s in enumerate(body) if s.lineno >= line), None)
    if first is None or not isinstance(body[first], (ast.Import, ast.ImportFrom)):
        return line
    return _end_of_run(source, body, first)


def _end_of_run(source, body, index):
    while index + 1 < len(body) and isinstance(body[index + 1], (ast.Import, ast.ImportFrom)):
        index += 1
    return body[index].end_lineno + 1


# ---------------------------------------------------------------------------------- garbage

def _write_gc(change, value):
    seen = change.facts["observed"].get("gc") or {}
    if value == "auto":
        if not seen.get("enabled", True) or seen.get("frozen"):
            raise ByHand("the script itself holds the collector back",
                         "take gc.disable() or gc.freeze() out")
        return
    calls = {"freeze": ["gc.collect()", "gc.freeze()"], "manual": ["gc.collect()", "gc.disable()"]}
    if value not in calls:
        raise ByHand("tune does not know this value of gc")
    suggestion = "\n".join(["import gc"] + calls[value]) + "  # before the first step"
    forward = change.facts["places"].get("forward") or change.facts["places"].get("backward")
    if not forward:
        raise ByHand("it is not known where the script trains", suggestion)
    source = change.source(forward, suggestion)
    loops = places.loops_of(source, places.find_any_call(source, forward))
    if not loops:
        raise ByHand("%s is in no loop of its function" % places.text_of(forward), suggestion)
    if not places.begins_line(source, loops[-1]):
        raise ByHand("the loop on line %d does not begin its line" % loops[-1].lineno, suggestion)
    places.ensure_import(source, "gc")
    indent = source.indent(loops[-1].lineno)
    source.insert_lines(loops[-1].lineno, [indent + call for call in calls[value]])
    if value == "manual":
        change.notes.append("gc: cycles of objects are not freed any more; where memory grows, "
                            "call gc.collect() after each epoch")
