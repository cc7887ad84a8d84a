"""Makes the change in a user's script that `tune apply` hands over. Standard library only, Python
>= 3.8, torch is not imported. It writes no file of the user's.

    python -I harness/worker/python/tune_change request.json

runs in any folder, and whatever is there hides no module of ours. The request:

    facts             path of the facts.0.json of a trial of the unchanged script
    knobs             {name: value}, the setting to write down
    training_loaders  numbers in the facts' list of loaders; all without it
    flags             {knob: "--workers {}"}: options of the script's own, asked before all else
    folder            the folder in which the script is started; paths of the diff begin there
    into              optional: an empty folder of tune's, for change.diff and files/<path>, byte
                      for byte; the answer has files of another encoding than UTF-8 as text alone

The answer on standard output is one JSON object in ASCII:

    flags        words to add to the command
    environment  {name: text}
    diff         unified, a/ and b/ before paths in the folder; `git apply` takes it
    by_hand      [{knob, why, suggestion}]: what cannot be written, with code to start from
    files        {path in the folder: its patched text}
    sources      {path in the folder: {before, observed}}: SHA-256 of these files as they are now, and
                 as the trial ran them, "" where its facts do not say
    notes        sentences about what else the change reaches
    encodings    {path: encoding} of files that are not UTF-8

Exit code 2 and a sentence on standard error: the request or a source file cannot be used, or a
source file is no longer what the trial ran.
"""


class Unusable(Exception):
    """The request cannot be answered at all; the text is a sentence for the user."""


class ByHand(Exception):
    """A knob that is not written; the text says why."""

    def __init__(self, why, suggestion=""):
        super().__init__(why)
        self.suggestion = suggestion
