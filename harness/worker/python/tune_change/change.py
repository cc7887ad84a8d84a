"""From the facts of a trial and a setting to the smallest change: options of the script's own, else
the environment, else lines of its source."""
import os

from . import (ByHand, autocast, frameworks, loader_edits, model_edits, off_edits, own_flags,
               process_lines)
from .arguments import CallEdit
from .difference import relative_name
from .source import Source

_NOTHING = (False, "none", "auto", 0, None)
_OFF_WITHOUT = ("batch_fetch", "preload", "worker_nice", "optimizer_impl", "flush_denormal")


class Change:
    def __init__(self, request, facts):
        self.request, self.facts = request, facts
        self.knobs = request["knobs"]
        self.loaders = loader_edits.trained(facts, request)
        self.flags, self.environment, self.by_hand, self.notes = [], {}, [], []
        self._sources = {}
        self._call_edits = {}

    # ---------------------------------------------------------------------------- sources

    def source(self, place, suggestion=""):
        """The file of a place, where it is one of the user's folder."""
        path = place["file"]
        if path.startswith("<"):
            raise ByHand("%s is not a file" % path, suggestion)
        return self.source_at(path, suggestion)

    def source_at(self, path, suggestion=""):
        key = os.path.realpath(path)  # one file may have several names
        if key not in self._sources:
            if relative_name(path, self.request["folder"]) is None:
                raise ByHand("%s is outside the folder %s" % (path, self.request["folder"]),
                             suggestion)
            self._sources[key] = Source(path)
        return self._sources[key]

    def call_edit(self, source, call):
        key = (source.path, source.begin(call), source.end(call))
        return self._call_edits.setdefault(key, CallEdit(source, call))

    def main_path(self):
        """The program itself; None where it is not a file."""
        argv = self.facts.get("argv") or [""]
        for folder in (self.request["folder"], self.facts.get("folder") or ""):
            path = os.path.join(folder, argv[0])
            if argv[0] and os.path.isfile(path):
                return os.path.abspath(path)
        return None

    def device(self):
        """Where the first model lies: cpu, cuda."""
        models = self.facts["observed"].get("models") or [{}]
        return (models[0].get("device") or "cpu").split(":")[0]

    # ---------------------------------------------------------------------------- knobs

    def make(self):
        for knob, value in self.knobs.items():
            self.attempt(knob, lambda k=knob, v=value: self._write(k, v))
        loader_edits.drop_what_needs_workers(self)
        for edit in self._call_edits.values():
            edit.finish()
        return {source.path: source for source in self._sources.values() if source.edits}

    def attempt(self, knob, write):
        """All of a knob's edits, or none and a line in by_hand."""
        before = {path: list(source.edits) for path, source in self._sources.items()}
        added = {key: list(edit.added) for key, edit in self._call_edits.items()}
        kept = list(self.flags), dict(self.environment), list(self.notes)
        try:
            write()
        except ByHand as reason:
            for path, source in self._sources.items():
                source.edits = before.get(path, [])
            for key, edit in self._call_edits.items():
                edit.added = added.get(key, [])
            self.flags, self.environment, self.notes = kept
            self.by_hand.append({"knob": knob, "why": str(reason),
                                 "suggestion": reason.suggestion})

    def _write(self, knob, value):
        template = (self.request.get("flags") or {}).get(knob)
        if "{}" not in (template or "") and self._is_so(knob, value):
            return
        words = template and own_flags.named_by_user(template, knob, value)
        loader = self.loaders[0] if self.loaders else None
        if words is None:
            words = own_flags.found(self.facts, loader, knob, value)
        if words is not None:
            self.flags.extend(words)
            if knob == "batch_size":
                self.notes.append("batch_size: the learning rate and its schedule were chosen for "
                                  "the script's own")
        elif knob == "batch_size":
            raise ByHand("the script has no option for it; its learning rate and schedule were "
                         "chosen for its own batch size", "batch_size=%r" % (value,))
        elif knob in loader_edits.KNOBS:
            loader_edits.write(self, knob, value)
        elif knob in ("batch_fetch", "preload", "worker_nice"):
            loader_edits.write_fetching(self, knob, value)
        elif knob == "amp":
            self._write_amp(value)
        elif knob in model_edits.WRITERS:
            model_edits.WRITERS[knob](self, value)
        else:
            process_lines.write(self, knob, value)

    def _write_amp(self, value):
        if value in _NOTHING:
            off_edits.write_amp(self)
            return
        found = self.facts["places"]
        framework = frameworks.of_paths(
            found.get("forward_library"), found.get("backward_library"),
            *(loader.get("library") for loader in self.facts.get("loaders") or []))
        variable = frameworks.environment(framework, "amp", value)
        if variable:
            self.environment[variable[0]] = variable[1]
            return
        autocast.write(self, value, framework)

    def _is_so(self, knob, value):
        """Whether the script does that already, or nothing is asked for."""
        observed, applied = self.facts["observed"], self.facts["applied"]
        if knob in loader_edits.POSITIONS or knob in loader_edits.KNOBS:
            return loader_edits.is_so(self.loaders, knob, value)
        if knob in ("channels_last", "compile") and value in _NOTHING:
            seen = "channels_last" if knob == "channels_last" else "compiled"
            return knob in applied or observed.get(knob) is None and not any(
                m.get(seen) for m in observed.get("models") or [])
        if knob == "amp":
            used = {"bfloat16": "bf16", "float16": "fp16"}.get(observed.get("amp"), "none")
            return used == ("none" if value in _NOTHING else value)
        if value in _NOTHING and knob in _OFF_WITHOUT and knob not in observed:
            return True
        if knob == "deterministic" and not value and observed.get("cudnn_deterministic"):
            return False
        return knob in observed and knob not in applied and observed[knob] == value
