"""The change that `tune apply` hands over, from facts made by hand. Needs no torch; always runs."""
import hashlib
import unittest

from change_case import USUAL, ChangeCase


def option(*flags, value, **more):
    name = max(flags, key=len).lstrip("-").replace("-", "_")
    return dict({"flags": list(flags), "name": name, "default": value, "value": value,
                 "choices": None, "type": None, "takes": None}, **more)


class Order(ChangeCase):
    """Options of the script's own before the environment before lines of the source."""

    def answer(self, knobs, arguments, asked=(), flags=None):
        path = self.script(USUAL)
        facts = self.facts(path, arguments=arguments)
        facts["loaders"][0]["asked"].update(asked)
        return self.ask(facts, knobs, flags=flags)

    def test_the_option_that_the_user_names_comes_first(self):
        answer = self.answer({"num_workers": 4, "amp": "bf16"}, [option("--workers", value=0)],
                             {"num_workers": 0},
                             {"num_workers": "--nw={}", "amp": "--precision {} --fast"})
        self.assertEqual(answer["flags"], ["--nw=4", "--precision", "bf16", "--fast"])
        self.assertEqual(answer["diff"], "")

    def test_an_option_with_a_usual_name_and_the_trials_value(self):
        options = [option("-j", "--workers", value=2, type="int"),
                   option("--pin-mem", "--no-pin-mem", value=False, takes=0),
                   option("--bf16", value=False, takes=0), option("-b", "--batch-size", value=8)]
        answer = self.answer({"num_workers": 4, "pin_memory": True, "amp": "bf16",
                              "batch_size": 16}, options, {"num_workers": 2, "pin_memory": False})
        self.assertEqual(answer["flags"], ["--workers", "4", "--pin-mem", "--bf16", "--batch-size",
                                           "16"])
        self.assertIn("learning rate", answer["notes"][0])

    def test_an_option_with_another_value_is_another_thing(self):
        answer = self.answer({"num_workers": 4}, [option("--workers", value=8)], {"num_workers": 2})
        self.assertEqual(answer["flags"], [])

    def test_an_option_that_does_not_reach_the_loader(self):
        answer = self.answer({"num_workers": 4}, [option("--workers", value=0)])
        self.assertEqual(answer["flags"], [])
        self.assertIn("+for x, y in torch.utils.data.DataLoader(data, batch_size=8, shuffle=True, "
                      "num_workers=4):", answer["diff"])

    def test_precisions_by_choice_and_in_two_options(self):
        choices = option("--mixed_precision", value=None, choices=["no", "fp16", "bf16"])
        self.assertEqual(self.answer({"amp": "bf16"}, [choices])["flags"],
                         ["--mixed_precision", "bf16"])
        timm = [option("--amp", value=False, takes=0), option("--amp-dtype", value="float16")]
        self.assertEqual(self.answer({"amp": "bf16"}, timm)["flags"],
                         ["--amp", "--amp-dtype", "bfloat16"])

    def test_switches_that_take_something_out(self):
        both = option("--pin-mem", "--no-pin-mem", value=True, takes=0)
        self.assertEqual(self.answer({"pin_memory": False}, [both], {"pin_memory": True})["flags"],
                         ["--no-pin-mem"])
        answer = self.answer({"amp": "none"}, None, flags={"amp": "--amp"})
        self.assertEqual((answer["flags"], answer["by_hand"]), ([], []))
        answer = self.answer({"pin_memory": False}, None, {"pin_memory": True},
                             {"pin_memory": "--pin"})
        self.assertIn("take it out of the command", self.why(answer)["pin_memory"])

    def test_compilation_with_a_mode(self):
        options = [option("--torchcompile", value=None, takes="?"),
                   option("--torchcompile-mode", value=None)]
        self.assertEqual(self.answer({"compile": "default"}, options)["flags"], ["--torchcompile"])
        self.assertEqual(self.answer({"compile": "max-autotune"}, options)["flags"],
                         ["--torchcompile", "--torchcompile-mode", "max-autotune"])

    def test_threads_and_allocators_go_into_the_environment(self):
        answer = self.answer({"intra_op_threads": 4, "LD_PRELOAD": "libjemalloc.so.2"}, None)
        self.assertEqual(answer["environment"],
                         {"OMP_NUM_THREADS": "4", "LD_PRELOAD": "libjemalloc.so.2"})
        self.assertEqual((answer["diff"], answer["by_hand"]), ("", []))

    def test_the_batch_size_is_never_edited(self):
        answer = self.answer({"batch_size": 64}, None)
        self.assertEqual(answer["diff"], "")
        self.assertIn("learning rate", self.why(answer)["batch_size"])

    def test_what_is_so_already_changes_nothing(self):
        answer = self.answer({"num_workers": 0, "pin_memory": False, "amp": "none", "gc": "auto",
                              "compile": False, "cudnn_benchmark": False, "batch_size": 8,
                              "batch_fetch": False, "channels_last": False}, None)
        for name in ("flags", "environment", "diff", "by_hand"):
            self.assertFalse(answer[name], name)

    def test_unknown_knobs_are_left_to_the_user(self):
        self.assertIn("does not know", self.why(self.answer({"frobnicate": 3}, None))["frobnicate"])


class Whole(ChangeCase):
    def test_many_knobs_in_one_script(self):
        path = self.script(USUAL)
        answer = self.change(path, {
            "num_workers": 4, "persistent_workers": True, "pin_memory": True, "amp": "bf16",
            "channels_last": True, "compile": "default", "cudnn_benchmark": True,
            "matmul_precision": "high", "optimizer_impl": "fused", "set_to_none": False,
            "gc": "freeze"})
        self.assertEqual(answer["by_hand"], [])
        self.assertEqual(path.read_text(), '''\
import gc
import torch
from torch import nn  # layers

torch.backends.cudnn.benchmark = True
torch.set_float32_matmul_precision("high")

model = nn.Linear(4, 2)
model.to("cpu")
model.to(memory_format=torch.channels_last)
model.compile()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, fused=True)
gc.collect()
gc.freeze()
for x, y in torch.utils.data.DataLoader(data, batch_size=8, shuffle=True,
                                        num_workers=4, persistent_workers=True, pin_memory=True):
    optimizer.zero_grad(set_to_none=False)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = model(x)
        # the loss
        loss = nn.functional.cross_entropy(
            out, y)
    loss.backward()
    optimizer.step()
''')

    def test_without_ranges_as_before_python_3_11(self):
        self.has_ranges = False
        path = self.script(USUAL)
        answer = self.change(path, {"num_workers": 2, "optimizer_impl": "foreach", "amp": "bf16"})
        self.assertEqual(answer["by_hand"], [])
        self.assertIn("with torch.autocast", path.read_text())

    def test_two_calls_on_a_line_cannot_be_told_apart_without_ranges(self):
        self.has_ranges = False
        body = USUAL.replace("(data,", "(torch.utils.data.DataLoader(data).dataset,")
        answer = self.change(self.script(body), {"num_workers": 2})
        self.assertIn("several calls on line 7", self.why(answer)["num_workers"])

    def test_line_ends_marks_tabs_and_other_encodings_stay(self):
        crlf = USUAL.replace("\n", "\r\n").encode()
        tabs = USUAL.replace("        ", "\t\t").replace("    ", "\t").encode()
        latin = ("# -*- coding: iso-8859-1 -*-\nname = 'Größe' # Maß\n" + USUAL).encode("latin-1")
        bodies = (crlf, b"\xef\xbb\xbf" + crlf, tabs, latin, USUAL[:-1].encode(),
                  ("wörd = 'ß'; " + USUAL).encode())
        for number, body in enumerate(bodies):
            path = self.script(body, "train%d.py" % number)
            answer = self.change(path, {"amp": "bf16", "num_workers": 2, "cudnn_benchmark": True,
                                        "gc": "manual", "optimizer_impl": "fused"})
            self.assertEqual(answer["by_hand"], [])
            after = path.read_bytes()
            self.assertEqual(after.count(b"\r"), after.count(b"\n") if b"\r" in body else 0)
            self.assertEqual(after[:3] == b"\xef\xbb\xbf", body[:3] == b"\xef\xbb\xbf")
            self.assertEqual(after.endswith(b"\n"), body.endswith(b"\n"))
            (self.trial / "into").rename(self.trial / ("into%d" % number))
            if body is tabs:
                self.assertIn(b"\n\twith torch.autocast", after)
                self.assertIn(b"\n\t\tout = model(x)\n\t\t# the loss\n", after)

    def test_names_that_git_quotes(self):
        for name in ("my train.py", 'qu"ote.py', "tab\tin.py", "größe.py", "sub/train.py"):
            path = self.script(USUAL, name)
            answer = self.change(path, {"num_workers": 2})
            self.assertEqual(list(answer["files"]), [name])
            (self.trial / "into").rename(self.trial / ("into-" + name.replace("/", "-")))

    def test_a_folder_and_a_program_with_several_names(self):
        path = self.script(USUAL)
        link = self.folder.parent / "link"
        link.symlink_to(self.folder)
        facts = self.facts(path, argv=["./train.py"])
        answer = self.ask(facts, {"num_workers": 2, "tf32": "all"}, folder=str(link))
        self.assertEqual(list(answer["files"]), ["train.py"])
        self.assertEqual(answer["diff"].count("--- "), 1)
        self.assertIn("num_workers=2", answer["files"]["train.py"])
        self.assertIn("allow_tf32 = True", answer["files"]["train.py"])

    def test_comments_stay_and_only_wanted_lines_differ(self):
        body = USUAL.replace("batch_size=8, shuffle=True", '''
    batch_size=8,  # small
    shuffle=True,  # always
''')
        answer = self.change(self.script(body), {"num_workers": 2, "pin_memory": True})
        self.assertEqual(self.lines(answer), ([], ["    num_workers=2,", "    pin_memory=True,"]))


class Sources(ChangeCase):
    def test_what_files_are_and_were(self):
        path = self.script(USUAL)
        now = hashlib.sha256(path.read_bytes()).hexdigest()
        link = self.folder / "link.py"
        link.symlink_to(path)
        for noted, observed in (({str(path): "ab12"}, "ab12"), ({str(link): now}, now),
                                ({"/else/train.py": now}, ""), ({str(path): 3}, ""),
                                ({}, ""), (None, ""), ([now], "")):
            answer = self.ask(self.facts(path, sources=noted), {"num_workers": 2})
            self.assertEqual(answer["sources"],
                             {"train.py": {"before": now, "observed": observed}})
        self.assertEqual(self.ask(self.facts(path), {"num_workers": 2})["sources"]["train.py"],
                         {"before": now, "observed": ""})
        self.assertEqual(self.ask(self.facts(path), {"num_workers": 0})["sources"], {})


class Unusable(ChangeCase):
    def test_a_file_that_has_changed(self):
        path = self.script(USUAL)
        facts = self.facts(path)
        for body in ("\n" + USUAL, USUAL.replace("batch_size=8", "batch_size=9"),
                     USUAL.replace("shuffle=True", "drop_last=True"),
                     "def f():\n" + "".join("    %s\n" % l for l in USUAL.splitlines())):
            path.write_text(body)
            complaint = self.ask(facts, {"num_workers": 2})
            self.assertIn("train.py:7: the file has changed since it was observed", complaint)

    def test_files_that_cannot_be_read(self):
        path = self.script(USUAL)
        facts = self.facts(path)
        for body, words in ((b"def f(:\n", "syntax error"), (b"\xff\xfe = 1\n", "encoding"),
                            (b"# coding: klingon\n", "klingon"), (b"x = 1\0\n", ""),
                            (b"# coding: ascii\nx = '\xc3\xa4'\n", "ascii")):
            path.write_bytes(body)
            complaint = self.ask(facts, {"num_workers": 2})
            self.assertIn("train.py", complaint)
            self.assertIn(words, complaint)
            self.assertNotIn("Traceback", complaint)
        path.unlink()
        self.assertIn("no such file", self.ask(facts, {"num_workers": 2}))

    def test_requests_that_are_none(self):
        path = self.script(USUAL)
        facts = self.facts(path)
        self.assertIn("'knobs'", self.ask(facts, 3))
        self.assertIn("'training_loaders'", self.ask(facts, {}, training_loaders=["a"]))
        self.assertIn("No closing quotation",
                      self.ask(facts, {"amp": "bf16"}, flags={"amp": "'"}))
        self.assertIn("is not a JSON object", self.ask([], {}))
        self.assertIn("'observed' is not an object", self.ask(dict(facts, observed=3), {}))

    def test_a_folder_whose_modules_have_names_of_the_librarys(self):
        for name in ("ast.py", "json.py", "tokenize.py"):
            self.script("raise SystemError('not this one')\n", name)
        self.change(self.script(USUAL), {"num_workers": 2})


if __name__ == "__main__":
    unittest.main(verbosity=2)
