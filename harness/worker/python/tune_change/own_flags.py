"""Options of the script's own that hold a knob: those that the user names, else those of usual
names whose value was what the trial showed. A name alone proves nothing."""
import shlex

from . import ByHand, Unusable

_LOADER = {"batch_size": 1, "num_workers": 0, "pin_memory": False, "persistent_workers": False,
           "prefetch_factor": None}
_NAMES = {
    "batch_size": ("batch_size", "train_batch_size", "per_device_train_batch_size", "batchsize",
                   "batch", "b", "bs"),
    "num_workers": ("workers", "num_workers", "dataloader_num_workers", "num_data_workers",
                    "n_workers", "nworkers", "j", "nw"),
    "pin_memory": ("pin_memory", "pin_mem", "dataloader_pin_memory"),
    "persistent_workers": ("persistent_workers", "dataloader_persistent_workers"),
    "prefetch_factor": ("prefetch_factor", "dataloader_prefetch_factor"),
    "channels_last": ("channels_last",),
    "compile": ("compile", "torch_compile", "torchcompile"),
    "cudnn_benchmark": ("cudnn_benchmark",),
    "deterministic": ("deterministic",),
    "intra_op_threads": ("num_threads", "torch_threads", "intra_op_threads"),
    "tf32": ("tf32", "allow_tf32"),
    "amp": ("bf16", "mixed_precision", "amp_dtype", "precision"),
}
_MODES = ("torch_compile_mode", "torchcompile_mode", "compile_mode")
_BF16 = ("bf16-mixed", "amp_bfloat16", "amp_bf16", "bf16", "bfloat16")
_PLAIN = (None, False, "", "no", "none", "fp32", "float32", "32", "32-true", 32)
_READS_BOOL = ("str2bool", "str_to_bool", "_str_to_bool", "string_to_bool", "strtobool", "boolean")


def named_by_user(template, knob, value):
    """The words of the option that the user names for a knob."""
    try:
        words = shlex.split(template)
    except ValueError as problem:
        raise Unusable("flags: %s: %r (%s)" % (knob, template, problem))
    if "{}" in template:
        return [word.replace("{}", _text(value)) for word in words]
    if value in (False, "none", 0):
        raise ByHand("%r can only switch it on; take it out of the command" % template)
    return words


def _text(value):
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def found(facts, loader, knob, value):
    """The words of an option with a usual name; None without one that fits."""
    options = [o for o in facts.get("arguments") or [] if o.get("flags")]
    if knob == "amp":
        return _amp(options, facts, value)
    if knob == "compile":
        return _compile(options, facts, value)
    for name in _NAMES.get(knob, ()):
        for option in options:
            flag = _flag_of(option, name)
            if flag and _shows(facts, loader, knob, option["value"]):
                words = _words(option, flag, True if (knob, value) == ("tf32", "all") else value)
                if words is not None:
                    return words
    return None


def _flag_of(option, name):
    """How the option is written that has this name."""
    known = {f.lstrip("-").replace("-", "_").lower(): f for f in option["flags"]}
    if name in known:
        longer = [f for k, f in known.items() if not k.startswith("no_")]
        return max(longer, key=len)
    return None


def _shows(facts, loader, knob, value):
    """Whether the trial's loader or process had the option's value, so that it reaches it."""
    if knob in _LOADER:
        asked = (loader or {}).get("asked", {})
        return knob in asked and asked[knob] == value
    if knob == "channels_last":
        models = facts["observed"].get("models") or []
        seen = bool(models and models[0].get("channels_last"))
        return "channels_last" in facts["applied"] or seen == bool(value)
    if knob in facts["applied"]:
        return True
    seen = facts["observed"].get(knob)
    return bool(value) == (seen == "all") if knob == "tf32" else seen == value


def _words(option, flag, value):
    takes = option.get("takes")
    if isinstance(value, bool):
        return _switch(option, flag, value, takes)
    choices = option.get("choices")
    if takes == 0 or isinstance(choices, list) and value not in choices:
        return None
    return [flag, str(value)]


def _switch(option, flag, value, takes):
    is_on = bool(option["value"])
    if takes == 0:
        opposite = [f for f in option["flags"] if f.startswith("--no-") or f.startswith("--no_")]
        if value == is_on:
            return []
        if value:
            return [flag] if flag not in opposite and option["default"] is not True else None
        return opposite[:1] or None
    kind = option.get("type") or ""
    if takes == "?" and value:
        return [flag]
    if kind in _READS_BOOL:
        return [flag, str(value)]
    return [flag, str(int(value))] if kind == "int" else None


def _amp(options, facts, value):
    """bf16 where the script has none: a switch of that name, or a choice of precisions."""
    if value == "none":
        return _plain_precision(options)
    if value != "bf16" or facts["observed"].get("amp"):
        return None
    named = {}
    for option in options:
        for name in _NAMES["amp"] + ("amp",):
            flag = _flag_of(option, name)
            if flag:
                named.setdefault(name, (option, flag))
    if "bf16" in named and not named["bf16"][0]["value"]:
        return _switch(*named["bf16"], True, named["bf16"][0].get("takes"))
    if "amp_dtype" in named:  # timm: --amp --amp-dtype bfloat16
        switch = named.get("amp")
        if switch and switch[0].get("takes") == 0 and not switch[0]["value"]:
            return [switch[1], named["amp_dtype"][1], "bfloat16"]
        return None
    for name in ("mixed_precision", "precision"):
        option, flag = named.get(name, ({}, ""))
        choices = option.get("choices")
        if flag and isinstance(choices, list) and option["value"] in _PLAIN:
            fitting = [choice for choice in _BF16 if choice in choices]
            if fitting:
                return [flag, fitting[0]]
    return None


def _plain_precision(options):
    """None of it, where a trial has shown some: another choice, or the opposite of a switch."""
    for name in ("mixed_precision", "precision", "amp", "bf16", "fp16"):
        for option in options:
            flag, choices = _flag_of(option, name), option.get("choices")
            if not flag or option["value"] in _PLAIN:
                continue
            if isinstance(choices, list):
                plain = [c for c in choices if c and c in _PLAIN]
                if plain:
                    return [flag, str(plain[0])]
            elif option.get("takes") == 0:
                words = _switch(option, flag, False, 0)
                if words:
                    return words
    return None


def _compile(options, facts, value):
    if value in (False, "none") or any(m.get("compiled")
                                       for m in facts["observed"].get("models") or []):
        return None
    for name in _NAMES["compile"]:
        for option in options:
            flag = _flag_of(option, name)
            words = _switch(option, flag, True, option.get("takes")) if flag \
                and not option["value"] else None
            if words and value in (True, "default"):
                return words
            mode = [(o, _flag_of(o, m)) for o in options for m in _MODES if _flag_of(o, m)]
            if words and mode:
                return words + [mode[0][1], value]
    return None
