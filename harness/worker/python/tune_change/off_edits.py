"""What the script itself switches on, switched off where it does: autocast and its scaling of
losses, the layout of images, compilation."""
import ast
import os

from . import ByHand, frameworks, places
from .arguments import keyword_of
from .difference import relative_name

# Where `enabled` is among the arguments: those of torch.cuda.amp and torch.cpu.amp have no device.
_ENABLED = {"autocast": (2, 0), "GradScaler": (5, 4)}
_DTYPE = 1
_LAYS_OUT = ("to", "contiguous", "clone", "cuda", "cpu", "float", "half", "bfloat16", "double")
_LAYOUTS = ("channels_last", "channels_last_3d")
_BY_HAND = {"amp": "torch.autocast(..., enabled=False)", "compile": "take torch.compile out",
            "channels_last": "torch.contiguous_format"}


def write_amp(change):
    for source, call, name in _autocasts(change):
        with_device, without = _ENABLED[name.split(".")[-1]]
        has_none = name.startswith(("torch.cuda.amp.", "torch.cpu.amp."))
        change.call_edit(source, call).set("enabled", False, without if has_none else with_device)


def write_type(change, name):
    """Another type than that of the script's own autocast."""
    for source, call, kind in _autocasts(change):
        if kind.endswith(".autocast"):
            torch = places.ensure_import(source, "torch")
            change.call_edit(source, call).set_code("dtype", torch + "." + name, _DTYPE)


def _autocasts(change):
    """[(source, call, full name)] in the files that the trial came by."""
    why = "the script has autocast of its own (%s)" % change.facts["observed"].get("amp")

    def name_of(source, call):
        name = places.full_name(source, call.func)
        return name.startswith("torch.") and name.split(".")[-1] in _ENABLED and name

    return _calls(change, "amp", why, name_of)


def write_compile(change):
    """`.compile` is a name that others have, too: at the places of the trial alone."""
    why, suggestion = "the script itself compiles the model", _BY_HAND["compile"]
    seen = _seen(change, "compile", why)
    if not seen:
        raise ByHand(why, suggestion)
    for place in seen:
        source = change.source(place, suggestion)
        fitting = [call for call in places.calls_at(source, place)
                   if places.full_name(source, call.func).split(".")[-1] == "compile"]
        if len(fitting) != 1:
            raise ByHand("%s, at %s" % (why, places.text_of(place)), suggestion)
        change.call_edit(source, fitting[0]).set("disable", True)


def write_layout(change):
    for source, call, _ in _calls(change, "channels_last", "the script itself chooses the layout",
                                  _lays_out):
        torch = places.torch_name(source) or places.ensure_import(source, "torch")
        change.call_edit(source, call).set_code("memory_format", torch + ".contiguous_format")


def _lays_out(source, call):
    """A question for the layout (is_contiguous) stays."""
    value = keyword_of(call, "memory_format")
    return places.name_of(call.func) in _LAYS_OUT and value is not None and any(
        places.full_name(source, n).split(".")[-1] in _LAYOUTS for n in ast.walk(value.value)
        if isinstance(n, (ast.Attribute, ast.Name)))


# ---------------------------------------------------------------------------------- where it is

def _calls(change, knob, why, fits):
    """[(source, call, what `fits` says)] of all that fit; refused where there are others."""
    seen, suggestion = _seen(change, knob, why), _BY_HAND[knob]
    found = [(source, node, fits(source, node)) for source in _sources(change)
             for node in ast.walk(source.tree) if isinstance(node, ast.Call)]
    found = [entry for entry in found if entry[2]]
    for place in seen:
        there = places.calls_at(change.source(place, suggestion), place)
        if not any(call is known for call in there for _, known, _ in found):
            raise ByHand("%s, at %s" % (why, places.text_of(place)), suggestion)
    if not found:
        raise ByHand(why, suggestion)
    return found


def _seen(change, knob, why):
    """Places where the trial saw it switched on; refused where a library does."""
    seen = [s for s in change.facts.get("switched_on") or [] if s["knob"] == knob]
    library = next((s["library"] for s in seen if s.get("library")), None)
    if library:
        found = change.facts["places"]
        framework = frameworks.of_paths(library, found.get("forward_library"),
                                        found.get("backward_library"))
        raise ByHand("%s: %s does" % (why, framework or library["file"]),
                     frameworks.setting(framework, knob, "none") or _BY_HAND[knob])
    return [s["place"] for s in seen]


def _sources(change):
    """Files of the user's folder, the program first."""
    noted = change.facts.get("sources")
    paths = [change.main_path()] + sorted(noted if isinstance(noted, dict) else ())
    known = {}
    for path in paths:
        if path and path.endswith(".py") and os.path.isfile(path) \
                and relative_name(path, change.request["folder"]) is not None:
            source = change.source_at(path)
            known[source.path] = source
    return list(known.values())
