"""The change of `tune apply` that switches off what a script itself switches on. Needs no torch;
always runs."""
import unittest

from change_case import ChangeCase

HEAD = '''\
import torch
from torch import nn

model = nn.Conv2d(3, 8, 3).to(memory_format=torch.channels_last)
optimizer = torch.optim.SGD(model.parameters(), fused=True)
'''
LOOP = '''\
for x, y in torch.utils.data.DataLoader(data, batch_size=8, pin_memory=True):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(x.contiguous(memory_format=torch.channels_last)).sum()
    loss.backward()
    optimizer.step()
'''


class Off(ChangeCase):
    def of(self, text, knobs, calls, library=None, **more):
        """The answer for a script; `calls`: (knob, name) of what switches something on in it."""
        path = self.script(text)
        facts = self.facts(path, loaders=[], sources={str(path): ""}, **more)
        if "DataLoader" in text:
            facts["loaders"] = [self.loader(path, pin_memory=True)]
            del facts["loaders"][0]["asked"]["shuffle"]
        facts["observed"].update(amp="bfloat16", compile="default")
        facts["observed"]["models"][0]["channels_last"] = True
        facts["switched_on"] = [
            {"knob": knob, "call": name, "place": self.place(path, name, number),
             "library": library} for knob, name, number in (c + (0,) * (3 - len(c)) for c in calls)]
        return self.change(path, knobs, facts)

    def test_all_of_a_script(self):
        answer = self.of(HEAD + LOOP, {"amp": "none", "channels_last": False, "pin_memory": False,
                                       "optimizer_impl": "loop"},
                         [("amp", "autocast"), ("channels_last", "to")])
        self.assertEqual(answer["by_hand"], [])
        self.assertEqual(self.lines(answer)[1], [
            "model = nn.Conv2d(3, 8, 3).to(memory_format=torch.contiguous_format)",
            "optimizer = torch.optim.SGD(model.parameters(), fused=False, foreach=False)",
            "for x, y in torch.utils.data.DataLoader(data, batch_size=8, pin_memory=False):",
            '    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):',
            "        loss = model(x.contiguous(memory_format=torch.contiguous_format)).sum()"])

    def test_names_and_positions_of_autocast_and_scaler(self):
        for head, before, after in (
                ("", 'torch.autocast("cuda", t, True)', 'torch.autocast("cuda", t, False)'),
                ("", "torch.cuda.amp.autocast(args.amp)", "torch.cuda.amp.autocast(False)"),
                ("from torch.cuda.amp import autocast\n", "autocast(args.amp)", "autocast(False)"),
                ("from torch.amp import autocast\n", 'autocast("cuda")',
                 'autocast("cuda", enabled=False)'),
                ("from torch import autocast as cast\n", 'cast("cuda", t, args.amp)',
                 'cast("cuda", t, False)'),
                ("from torch.cuda import amp\n", "amp.autocast(enabled=args.amp)",
                 "amp.autocast(enabled=False)")):
            text = HEAD + head + LOOP.replace('torch.autocast("cpu", dtype=torch.bfloat16)', before)
            name = "cast" if "cast as" in head else "autocast"
            path = self.script(text)
            place = self.place(path, name)
            facts = self.facts(path, forward="model", loaders=[])
            facts["observed"].update(amp="bfloat16")
            facts["switched_on"] = [{"knob": "amp", "call": "autocast", "place": place,
                                     "library": None}]
            answer = self.change(path, {"amp": "none"}, facts)
            self.assertEqual(answer["by_hand"], [])
            self.assertEqual(self.lines(answer)[1], ["    with %s:" % after])
            self.begin()
        for before, after in (
                ("torch.cuda.amp.GradScaler()", "torch.cuda.amp.GradScaler(enabled=False)"),
                ("torch.cuda.amp.GradScaler(1., 2., .5, 9, True)",
                 "torch.cuda.amp.GradScaler(1., 2., .5, 9, False)"),
                ('torch.amp.GradScaler("cuda", 1., 2., .5, 9, True)',
                 'torch.amp.GradScaler("cuda", 1., 2., .5, 9, False)')):
            answer = self.of(HEAD + "scaler = " + before + "\n" + LOOP, {"amp": "none"},
                             [("amp", "GradScaler"), ("amp", "autocast")])
            self.assertEqual(self.lines(answer)[1][0], "scaler = " + after)
            self.begin()

    def test_autocast_with_another_type(self):
        path = self.script(HEAD + LOOP.replace("torch.bfloat16", "torch.float16"))
        facts = self.facts(path, loaders=[])
        facts["observed"]["amp"] = "float16"
        facts["switched_on"] = [{"knob": "amp", "call": "autocast", "library": None,
                                 "place": self.place(path, "autocast")}]
        answer = self.change(path, {"amp": "bf16"}, facts)
        self.assertEqual(self.lines(answer)[1],
                         ['    with torch.autocast("cpu", dtype=torch.bfloat16):'])

    def test_compilation(self):
        for before, after in (
                ("model = torch.compile(model)", "model = torch.compile(model, disable=True)"),
                ('model.compile(mode="default")', 'model.compile(mode="default", disable=True)')):
            answer = self.of(HEAD + before + "\n" + LOOP, {"compile": "none"},
                             [("compile", "compile")])
            self.assertEqual(answer["by_hand"], [])
            self.assertEqual(self.lines(answer)[1], [after])
            self.begin()

    def test_autocast_within_what_is_compiled(self):
        answer = self.of(HEAD + LOOP, {"amp": "none"}, [])
        self.assertIn("enabled=False", answer["diff"])

    def test_what_is_not_a_call_with_that_name(self):
        text = HEAD + LOOP.replace("torch.autocast(", "own_context(")
        answer = self.of(text, {"amp": "none"}, [])
        self.assertIn("autocast of its own (bfloat16)", self.why(answer)["amp"])
        self.begin()
        path = self.script(text)
        facts = self.facts(path, loaders=[])
        facts["observed"]["amp"] = "bfloat16"
        facts["switched_on"] = [{"knob": "amp", "call": "autocast", "library": None,
                                 "place": self.place(path, "own_context")}]
        answer = self.change(path, {"amp": "none"}, facts)
        self.assertIn("train.py:8", self.why(answer)["amp"])
        self.assertEqual(answer["diff"], "")

    def test_what_a_framework_switches_on(self):
        site = "/v/lib/python3.11/site-packages/"
        for package, setting in (("transformers/trainer.py", "bf16=False, fp16=False"),
                                 ("lightning/fabric/plugins/amp.py", '"32-true"'),
                                 ("accelerate/accelerator.py", 'mixed_precision="no"'),
                                 ("other/engine.py", "enabled=False")):
            answer = self.of(HEAD + LOOP, {"amp": "none"}, [("amp", "autocast")],
                             library={"file": site + package, "line": 1, "function": "f"})
            self.assertIn(setting, answer["by_hand"][0]["suggestion"])
            self.assertEqual(answer["diff"], "")
            self.begin()

    def test_a_layout_that_is_a_variable(self):
        text = HEAD.replace("torch.channels_last", "layout") + LOOP
        answer = self.of("layout = 1\n" + text, {"channels_last": False}, [("channels_last", "to")])
        self.assertIn("train.py:5", self.why(answer)["channels_last"])
        self.assertEqual(answer["diff"], "")
        self.begin()
        text = HEAD.replace("torch.channels_last", "(torch.channels_last if a else None)") + LOOP
        answer = self.of(text, {"channels_last": False}, [("channels_last", "to")])
        self.assertIn("+model = nn.Conv2d(3, 8, 3).to(memory_format=(torch.contiguous_format))",
                      answer["diff"])

    def test_a_question_for_the_layout_stays(self):
        text = HEAD + "assert x.is_contiguous(memory_format=torch.channels_last)\n" + LOOP
        answer = self.of(text, {"channels_last": False}, [("channels_last", "to")])
        self.assertNotIn("is_contiguous", "".join(self.lines(answer)[1]))

    def test_copies_that_are_not_waited_for(self):
        text = HEAD + LOOP.replace("    optimizer.zero_grad()\n",
                                   "    x, y = x.to(d, non_blocking=True), y.cuda(0)\n")
        answer = self.of(text, {"non_blocking": False}, [])
        self.assertEqual(self.lines(answer)[1],
                         ["    x, y = x.to(d, non_blocking=False), y.cuda(0)"])
        self.begin()
        answer = self.of(HEAD + LOOP, {"non_blocking": False}, [])
        self.assertEqual((answer["diff"], answer["by_hand"]), ("", []))

    def test_flags_of_the_process(self):
        text = HEAD + ("torch.use_deterministic_algorithms(True)\n"
                       "torch.backends.cudnn.deterministic = True\n"
                       "torch.set_flush_denormal(True)\n"
                       "torch.backends.cuda.matmul.allow_tf32 = True\n"
                       "torch.backends.cuda.enable_flash_sdp(False)\n"
                       "torch.set_num_threads(2)\n") + LOOP
        path = self.script(text)
        facts = self.facts(path, loaders=[])
        facts["observed"].update(deterministic=True, cudnn_deterministic=True, flush_denormal=True,
                                 matmul_precision="high", sdpa="mem_efficient", intra_op_threads=2,
                                 gc={"enabled": False, "frozen": 0})
        answer = self.change(path, {
            "deterministic": False, "flush_denormal": False, "matmul_precision": "highest",
            "sdpa": "auto", "intra_op_threads": 0, "gc": "auto"}, facts)
        self.assertEqual(self.lines(answer)[1], [
            "torch.use_deterministic_algorithms(False)",
            "torch.backends.cudnn.deterministic = False", "torch.set_flush_denormal(False)",
            "torch.backends.cuda.matmul.allow_tf32 = False",
            "torch.backends.cuda.enable_flash_sdp(True)"])
        self.assertEqual(set(self.why(answer)), {"intra_op_threads", "gc"})
        self.assertIn("train.py:11", self.why(answer)["intra_op_threads"])

    def test_options_of_its_own(self):
        def option(*flags, value, **more):
            name = flags[0].lstrip("-").replace("-", "_")
            return dict({"flags": list(flags), "name": name, "default": value, "value": value,
                         "choices": None, "type": None, "takes": None}, **more)

        for options, words in (
                ([option("--precision", value="bf16", choices=["fp32", "bf16"])],
                 ["--precision", "fp32"]),
                ([option("--amp", "--no-amp", value=True, takes=0)], ["--no-amp"]),
                ([option("--amp", value=True, takes=0)], []),
                ([option("--precision", value="fp32", choices=["fp32", "bf16"])], [])):
            answer = self.of(HEAD + LOOP, {"amp": "none"}, [("amp", "autocast")], arguments=options)
            self.assertEqual(answer["flags"], words)
            self.assertEqual(bool(answer["diff"]), not words)
            self.begin()


if __name__ == "__main__":
    unittest.main(verbosity=2)
