"""tune's part inside an unchanged Python training script. Standard library only, Python >= 3.8,
torch >= 1.13; harness/worker/README.md says how it comes there.

It lies asleep without $TUNE_TRIAL, the folder of a trial. In it:

    spec.json            in: what to do (below)
    phases               out: "<phase> <monotonic ns>": setup, first-batch, warmup, profiled, done
    notes.<rank>         out: what happened when (ring.py); in: commands (commands.py)
    facts.<rank>.json    out: what was seen of the script, and what became of each knob
    trace.json.gz        out: the recorded steps
    lines.json           out: the lines of the script that its steps are in (lines.py)
    stacks.<pid>         out: where it is, every `stacks_after` until the first step
    claim.<rank>, stopped.<rank>   between processes
    over                 in: who trains only now ends

It decides nothing: what is a step, when the warm-up is over, when it ends, tune says. The spec:

    knobs           {name: value}
    count           "steps", or "batches" for inference
    loaders         which loaders the knobs are for: "train.py:12" or their numbers; all without it
    profile         {wait, warmup, active, limit_s, record_shapes, profile_memory, with_stack, lines}
    parts           false: steps are too short to note where backward passes end, optimizers begin
    worker_curve    whether what loader workers would cost is measured (worker_curve.py)
    watch_files     whether files that the script writes are listed
    stacks_after    seconds, 60 without it; 0: never
    notes_capacity  records of the ring
"""
import atexit
import json
import os
import sys

_attached = False


def attach(how):
    """Called as early as there is a way in; again by the second way, which then does nothing."""
    global _attached
    if _attached or sys.byteorder != "little":
        return
    _attached = True
    from . import ending, images, session, watching
    from .after_import import call_after_import

    folder = os.environ["TUNE_TRIAL"]
    with open(os.path.join(folder, "spec.json")) as file:
        session.begin(folder, json.load(file), how)
    atexit.register(session.safely, ending.at_exit)
    session.safely(watching.watch_exceptions)
    session.safely(images.watch)
    session.safely(watching.watch_arguments)
    if session.spec.get("watch_files"):
        session.safely(watching.watch_files)
    call_after_import("torch", _after_torch)


def attach_from_torch():
    """torch's own entry point, called at the end of `import torch` (2.5 and later)."""
    if os.environ.get("TUNE_TRIAL"):
        try:
            attach("torch.backends")
        except Exception as problem:
            sys.stderr.write("tune: not attached: %r\n" % (problem,))


def _after_torch(torch):
    from . import checkpoints, collector, facts, flags, hanging, loaders, models, recording, session
    from . import training, undoing
    from .after_import import call_after_import

    session.torch = torch
    session.safely(facts.note_program)
    for module in (loaders, training, checkpoints, models, undoing, recording, collector):
        session.safely(module.hook, torch)
    session.safely(flags.apply, torch)
    if session.spec.get("stacks_after", 60):  # other programs of the trial stay without a thread
        session.safely(hanging.watch, session.spec.get("stacks_after", 60))
    call_after_import("torchdata.stateful_dataloader.stateful_dataloader",
                      lambda module: session.safely(loaders.hook_stateful, module))
