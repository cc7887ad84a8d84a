"""What the tests of the change share: a script, facts made by hand, the change, `git apply`."""
import ast
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHANGE = pathlib.Path(__file__).resolve().parents[2] / "harness/worker/python/tune_change"
USUAL = '''\
import torch
from torch import nn  # layers

model = nn.Linear(4, 2)
model.to("cpu")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in torch.utils.data.DataLoader(data, batch_size=8, shuffle=True):
    optimizer.zero_grad()
    out = model(x)
    # the loss
    loss = nn.functional.cross_entropy(
        out, y)
    loss.backward()
    optimizer.step()
'''


def changed(python, request, path):
    path.write_text(json.dumps(request))
    return subprocess.run([str(python), "-B", "-I", str(CHANGE), str(path)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)


def apply(difference, folder):
    """`git apply`, outside any repository of the machine."""
    known = dict(os.environ, GIT_CEILING_DIRECTORIES=str(pathlib.Path(folder).parent))
    return subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], input=difference,
                          cwd=str(folder), env=known, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


class ChangeCase(unittest.TestCase):
    has_ranges = True  # as Python 3.11 and later tell them

    def setUp(self):
        self.begin()

    def begin(self):
        """An empty folder of the user's, and one of tune's."""
        place = tempfile.TemporaryDirectory(prefix="tune-change-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name) / "user"
        self.folder.mkdir()
        self.trial = pathlib.Path(place.name) / "trial"
        self.trial.mkdir()

    def script(self, text, name="train.py", encoding="utf-8"):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    def place(self, path, name, number=0):
        """The place of the call of a function whose name ends so."""
        tree = ast.parse(path.read_bytes())
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)
                 and name in (getattr(n.func, "attr", ""), getattr(n.func, "id", ""))]
        call = sorted(calls, key=lambda n: (n.lineno, n.col_offset))[number]
        function = "<module>"
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) \
                    and node.lineno <= call.lineno <= node.end_lineno:
                function = node.name
        found = {"file": str(path), "line": call.lineno, "function": function}
        if self.has_ranges:
            found["range"] = [call.lineno, call.end_lineno, call.col_offset, call.end_col_offset]
        return found

    def loader(self, path, name="DataLoader", number=0, **more):
        asked = dict({"batch_size": 8, "shuffle": True}, **more)
        return {"place": self.place(path, name, number), "library": None, "class": name,
                "asked": asked, "dataset": "D", "dataset_length": 80,
                "batch_size": asked["batch_size"], "num_workers": asked.get("num_workers", 0)}

    def facts(self, path, forward="model", loaders=None, **more):
        """Facts of a script with one of each."""
        found = {"facts": 1, "python": "3.11.7", "torch": "2.11.0", "argv": [str(path)],
                 "folder": str(self.folder), "applied": {}, "resisted": [], "arguments": None,
                 "loaders": [self.loader(path)] if loaders is None else loaders,
                 "places": {"forward": self.place(path, forward), "forward_library": None,
                            "backward": self.place(path, "backward"), "backward_library": None},
                 "observed": {"optimizers": [{"class": "SGD", "library": None,
                                              "place": self.place(path, "SGD")}],
                              "models": [{"device": "cpu", "channels_last": False,
                                          "compiled": False}],
                              "cudnn_benchmark": False, "intra_op_threads": 1}}
        found.update(more)
        return found

    def ask(self, facts, knobs, **more):
        """What the program answers, or its complaint."""
        (self.trial / "facts.0.json").write_text(json.dumps(facts))
        request = dict({"facts": str(self.trial / "facts.0.json"), "knobs": knobs,
                        "training_loaders": [0], "folder": str(self.folder)}, **more)
        done = changed(sys.executable, request, self.trial / "request.json")
        if done.returncode:
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            return done.stderr
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def change(self, path, knobs, facts=None, **more):
        """The answer, after the checks that hold for each: git takes the diff, which gives what the
        answer shows and changes nothing else; the result compiles; nothing was written."""
        before = {p: p.read_bytes() for p in self.folder.rglob("*") if p.is_file()}
        answer = self.ask(facts or self.facts(path), knobs, into=str(self.trial / "into"), **more)
        self.assertIsInstance(answer, dict, answer)
        self.assertEqual(before, {p: p.read_bytes() for p in self.folder.rglob("*") if p.is_file()})
        if not answer["diff"]:
            self.assertEqual(answer["files"], {})
            return answer
        difference = (self.trial / "into/change.diff").read_bytes()
        done = apply(difference, self.folder)
        self.assertEqual(done.returncode, 0, done.stdout.decode() + answer["diff"])
        for name, text in answer["files"].items():
            after = (self.folder / name).read_bytes()
            encoding = answer["encodings"].get(name, "utf-8")
            self.assertEqual(after, text.encode(encoding))
            self.assertEqual(after, (self.trial / "into/files" / name).read_bytes())
            compile(after, name, "exec")
        for file, data in before.items():
            name = str(file.relative_to(self.folder))
            if name not in answer["files"]:
                self.assertEqual(data, file.read_bytes())
        return answer

    def lines(self, answer):
        """(taken out, put in)"""
        body = [l for l in answer["diff"].split("\n") if l[:3] not in ("---", "+++")]
        return ([l[1:] for l in body if l[:1] == "-"], [l[1:] for l in body if l[:1] == "+"])

    def why(self, answer):
        return {entry["knob"]: entry["why"] for entry in answer["by_hand"]}

