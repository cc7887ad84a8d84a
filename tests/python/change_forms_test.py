"""The forms in which scripts make loaders, models and optimizers, and what tune makes of them.
Needs no torch; always runs."""
import unittest

from change_case import USUAL, ChangeCase

TAIL = USUAL[USUAL.index("for x, y"):].replace(
    "torch.utils.data.DataLoader(data, batch_size=8, shuffle=True)", "loader")
HEAD = USUAL[:USUAL.index("for x, y")]


class Loaders(ChangeCase):
    def of(self, call, knobs, before="", name="DataLoader", dataset="D", **asked):
        path = self.script(HEAD + before + "loader = " + call + "\n" + TAIL)
        facts = self.facts(path, loaders=[])
        facts["loaders"] = [self.loader(path, name, **asked)]
        facts["loaders"][0]["class"] = "DataLoader" if name == "DL" else name
        facts["loaders"][0]["dataset"] = dataset
        return self.change(path, knobs, facts)

    def one_line(self, call, knobs, new, **more):
        answer = self.of(call, knobs, **more)
        self.assertEqual(answer["by_hand"], [])
        self.assertEqual(self.lines(answer)[1], [new])

    def test_arguments_by_name_by_position_and_new_ones(self):
        for call, new in (
                ("DataLoader(d, num_workers=args.j)", "DataLoader(d, num_workers=4)"),
                ("DataLoader(d, 8, True, None, None, 2)", "DataLoader(d, 8, True, None, None, 4)"),
                ("DataLoader(d)", "DataLoader(d, num_workers=4)"),
                ("DataLoader(d,)", "DataLoader(d, num_workers=4,)"),
                ("DataLoader((d))", "DataLoader((d), num_workers=4)"),
                ("DataLoader(dataset=(d) )", "DataLoader(dataset=(d), num_workers=4 )"),
                ("DataLoader(ü)", "DataLoader(ü, num_workers=4)")):
            self.one_line(call, {"num_workers": 4}, "loader = " + new, num_workers=2, dataset=0)
            self.begin()

    def test_other_names_of_the_class(self):
        self.one_line("DL(d)", {"num_workers": 4}, "loader = DL(d, num_workers=4)", name="DL",
                      before="from torch.utils.data import DataLoader as DL\n")

    def test_dictionaries_of_arguments(self):
        answer = self.of("DataLoader(d, **named)", {"num_workers": 4, "pin_memory": True},
                         before="named = {'num_workers': 1}\nother(**named)\n", num_workers=1)
        self.assertEqual(self.lines(answer)[1], [
            'loader = DataLoader(d, **{**named, "num_workers": 4, "pin_memory": True})'])

    def test_a_dictionary_that_the_loader_alone_uses(self):
        self.one_line("DataLoader(d, **named)", {"num_workers": 4}, "named = dict(num_workers=4)",
                      before="named = dict(num_workers=1)\n", num_workers=1)

    def test_closing_on_the_last_arguments_line_or_not(self):
        answer = self.of("DataLoader(\n    d,\n    batch_size=8)",
                         {"num_workers": 4, "in_order": False})
        self.assertEqual(self.lines(answer)[1], ["    batch_size=8,", "    num_workers=4,",
                                                 "    in_order=False)"])
        self.begin()
        answer = self.of("DataLoader(\n\td,\n\tbatch_size=8  # eight\n)", {"num_workers": 4})
        self.assertEqual(self.lines(answer)[1], ["\tbatch_size=8,  # eight", "\tnum_workers=4"])

    def test_no_workers_and_what_belongs_to_them(self):
        self.one_line("DataLoader(d, num_workers=2, prefetch_factor=4, persistent_workers=True)",
                      {"num_workers": 0}, "loader = DataLoader(d, num_workers=0, "
                      "prefetch_factor=None, persistent_workers=False)",
                      num_workers=2, prefetch_factor=4, persistent_workers=True)
        self.begin()
        answer = self.of("DataLoader(d)", {"prefetch_factor": 4})
        self.assertEqual(answer["diff"], "")
        self.assertIn("no workers", answer["notes"][0])

    def test_what_cannot_be_added(self):
        for call in ("DataLoader(*given)", "DataLoader(d, **a, **b)", "DataLoader(x for x in y)"):
            answer = self.of(call, {"num_workers": 4})
            self.assertEqual(self.why(answer).keys(), {"num_workers"})
            self.begin()
        answer = self.of("Mine(d)", {"num_workers": 4}, name="Mine")
        self.assertIn("Mine makes the loader", self.why(answer)["num_workers"])
        self.begin()
        answer = self.of("Mine(d, num_workers=1)", {"num_workers": 4}, name="Mine", num_workers=1)
        self.assertEqual(answer["by_hand"], [])

    def test_a_loader_that_is_made_anew_and_one_that_does_not_train(self):
        path = self.script(HEAD + "test = DataLoader(d)\nloader = DataLoader(e)\n" + TAIL)
        facts = self.facts(path, loaders=[])
        facts["loaders"] = [self.loader(path), self.loader(path, number=1),
                            self.loader(path, number=1)]
        answer = self.change(path, {"num_workers": 4}, facts, training_loaders=[1, 2])
        self.assertEqual(self.lines(answer)[1], ["loader = DataLoader(e, num_workers=4)"])

    def test_samples_that_are_kept(self):
        for dataset in ("d", "self.data"):
            kept = "[%s[i] for i in range(len(%s))]" % (dataset, dataset)
            self.one_line("DataLoader(%s, batch_size=8)" % dataset, {"preload": True},
                          "loader = DataLoader(%s, batch_size=8)" % kept)
            self.begin()
        self.one_line("DataLoader(batch_size=8, dataset=d)", {"preload": True, "num_workers": 2},
                      "loader = DataLoader(batch_size=8, dataset=[d[i] for i in range(len(d))], "
                      "num_workers=2)")

    def test_samples_that_would_be_read_again_each_epoch_are_not_kept(self):
        path = self.script(HEAD + "loader = DataLoader(d)\n" + TAIL)
        facts = self.facts(path, loaders=[self.loader(path), self.loader(path)])
        answer = self.change(path, {"preload": True}, facts, training_loaders=[0, 1])
        self.assertIn("several times", self.why(answer)["preload"])
        self.begin()
        path = self.script(HEAD + "for epoch in range(9):\n    loader = DataLoader(d)\n" + TAIL)
        answer = self.change(path, {"preload": True})
        self.assertIn("several times", self.why(answer)["preload"])
        self.begin()
        path = self.script(HEAD + "def loader_of(d):\n    return DataLoader(d)\n"
                           "loader = loader_of(data)\n" + TAIL)
        answer = self.change(path, {"preload": True})
        self.assertIn("in each epoch", answer["notes"][0])

    def test_batches_of_a_tensor_dataset(self):
        answer = self.of("DataLoader(d, batch_size=args.b, shuffle=True)", {"batch_fetch": True},
                         dataset="TensorDataset")
        sampler = "sampler=torch.utils.data.BatchSampler(torch.utils.data.%s(d), %s, drop_last=%s)"
        self.assertEqual(self.lines(answer)[1], [
            "loader = DataLoader(d, batch_size=None, shuffle=False,",
            " " * 20 + sampler % ("RandomSampler", "args.b", "False") + ")"])
        self.begin()
        answer = self.of("DataLoader(d, 8, drop_last=True)",
                         {"batch_fetch": True, "num_workers": 2}, dataset="TensorDataset",
                         shuffle=False, drop_last=True)
        self.assertEqual(self.lines(answer)[1], [
            "loader = DataLoader(d, None, drop_last=False,",
            " " * 20 + sampler % ("SequentialSampler", "8", "True") + ", num_workers=2)"])

    def test_batches_that_somebody_else_chooses_or_joins(self):
        for call in ("DataLoader(d, 8, sampler=s)", "DataLoader(d, 8, collate_fn=c)",
                     "DataLoader(d, 8, generator=g)", "DataLoader(d, **named)",
                     "DataLoader(made(), 8)", "DataLoader(d, 8, True)"):
            answer = self.of(call, {"batch_fetch": True}, dataset="TensorDataset", shuffle=True,
                             generator=None, collate_fn=None)
            self.assertEqual(self.why(answer).keys(), {"batch_fetch"})
            self.assertEqual(answer["diff"], "")
            self.begin()

    def test_code_for_what_needs_a_function(self):
        answer = self.of("DataLoader(made())", {"batch_fetch": True, "preload": True, "worker_nice": 5})
        code = {entry["knob"]: entry["suggestion"] for entry in answer["by_hand"]}
        self.assertIn("__getitems__", code["batch_fetch"])
        self.assertIn("os.nice(5)", code["worker_nice"])
        for text in code.values():
            compile(text.replace("...", "data"), "suggestion", "exec")

    def test_loops_that_workers_would_import(self):
        path = self.script(USUAL)
        answer = self.change(path, {"num_workers": 2}, self.facts(path, python="3.14.0"))
        self.assertIn("__name__", answer["notes"][0])


class Elsewhere(ChangeCase):
    def facts_with(self, library, **more):
        path = self.script(USUAL)
        facts = self.facts(path, **more)
        facts["loaders"][0]["library"] = {"file": library, "line": 1, "function": "f"}
        return path, facts

    def test_what_a_framework_calls_a_knob(self):
        site = "/venv/lib/python3.11/site-packages/"
        for library, setting in (("transformers/trainer.py", "dataloader_num_workers=4"),
                                 ("ultralytics/data/build.py", "workers=4"),
                                 ("unknown/loader.py", "num_workers=4")):
            path, facts = self.facts_with(site + library)
            answer = self.change(path, {"num_workers": 4}, facts)
            self.assertIn(setting, answer["by_hand"][0]["suggestion"])
            self.begin()

    def test_precision_of_frameworks_is_in_the_environment(self):
        for library, name in (("transformers/trainer.py", "ACCELERATE_MIXED_PRECISION"),
                              ("pytorch_lightning/loops/fit_loop.py", "PL_TRAINER_PRECISION")):
            path, facts = self.facts_with("/venv/lib/python3.11/site-packages/" + library)
            self.assertEqual(list(self.change(path, {"amp": "bf16"}, facts)["environment"]), [name])
            self.begin()

    def test_a_loader_that_accelerate_makes_anew(self):
        path, facts = self.facts_with("/v/lib/python3.11/site-packages/accelerate/data_loader.py")
        facts["loaders"] = [self.loader(path), dict(facts["loaders"][0])]
        answer = self.change(path, {"num_workers": 4}, facts, training_loaders=[1])
        self.assertEqual(answer["by_hand"], [])
        self.assertIn("num_workers=4", path.read_text())

    def test_a_file_outside_the_folder(self):
        path = self.script(USUAL)
        inner = self.folder / "inner"
        inner.mkdir()
        answer = self.ask(self.facts(path), {"num_workers": 4, "amp": "bf16", "tf32": "all"},
                          folder=str(inner))
        self.assertEqual(set(self.why(answer)), {"num_workers", "amp", "tf32"})
        self.assertIn("is outside the folder", self.why(answer)["amp"])
        facts = self.facts(path)
        facts["loaders"][0]["place"]["file"] = "<stdin>"
        self.assertIn("is not a file", self.why(self.ask(facts, {"num_workers": 4}))["num_workers"])

    def test_loaders_of_another_file(self):
        self.script("from torch.utils.data import DataLoader\n\ndef make(d):\n"
                    "    return DataLoader(d)\n", "lib/loaders.py")
        path = self.script(USUAL)
        facts = self.facts(path)
        facts["loaders"] = [self.loader(self.folder / "lib/loaders.py")]
        answer = self.change(path, {"num_workers": 4, "amp": "bf16"}, facts)
        self.assertEqual(sorted(answer["files"]), ["lib/loaders.py", "train.py"])


class Steps(ChangeCase):
    """Autocast, and what stands before the loop."""

    def of(self, body, knobs=None, forward="model", head=HEAD, **more):
        path = self.script(head + body)
        facts = self.facts(path, loaders=[], forward=forward)
        facts.update(more)
        answer = self.change(path, knobs or {"amp": "bf16"}, facts)
        return answer, path.read_text()[len(head):]
    def test_one_statement_is_split(self):
        answer, body = self.of("for x, y in l:\n  loss_of(\n    model(x), '''a\nb''').backward()\n")
        self.assertEqual(
            body, 'for x, y in l:\n  with torch.autocast("cpu", dtype=torch.bfloat16):\n'
            "    loss = loss_of(\n      model(x), '''a\nb''')\n  loss.backward()\n")
        self.assertEqual(answer["by_hand"], [])
        self.begin()
        _, body = self.of("for loss, y in l:\n    (model(loss) + 1).backward()\n")
        self.assertIn("        step_loss = (model(loss) + 1)\n    step_loss.backward()\n", body)

    def test_a_loss_that_a_function_makes(self):
        head = HEAD + "def loss_of(x):\n    return model(x).sum()\n\n\n"
        _, body = self.of("for x in l:\n    loss = loss_of(x) / 2\n    loss.backward()\n",
                          head=head)
        self.assertIn("        loss = loss_of(x) / 2\n    loss.backward()\n", body)

    def test_accumulation_and_other_statements_below(self):
        _, body = self.of("for x in l:\n    if True:\n        loss = model(x)\n"
                          "    loss = loss / 4\n    loss.backward()\n"
                          "    if x:\n        optimizer.step()\n")
        self.assertIn(":\n        if True:\n            loss = model(x)\n        loss = loss / 4\n"
                      "    loss.backward()\n", body)

    def test_strings_over_several_lines_keep_their_text(self):
        text = 's = """\n  one\n    two"""'
        _, body = self.of("for x in l:\n    loss = model(x)\n    %s\n    loss += 1\n"
                          "    loss.backward()\n" % text)
        self.assertIn("        " + text + "\n        loss += 1\n    loss.backward()", body)

    def test_what_is_not_one_straight_block(self):
        for body, why in (
                ("for x in l:\n    model(x).backward()\n    critic(x).backward()\n", "several"),
                ("for x in l:\n    loss = model(x); loss.backward()\n", "share line"),
                ("for x in l:\n    out = model(x)\n    state.loss(out)\n    total.backward()\n",
                 "where the loss is made"),
                ("for x in l: z = model(x).backward()\n", "in one statement")):
            answer, _ = self.of(body)
            self.assertIn(why, self.why(answer)["amp"])
            self.assertIn("torch.autocast", answer["by_hand"][0]["suggestion"])
            self.begin()
        for observed, value, why in (({"amp": "float16"}, "bf16", "autocast of its own"),
                                     ({}, "fp16", "scaled")):
            path = self.script(HEAD + "for x in l:\n    loss = model(x)\n    loss.backward()\n")
            facts = self.facts(path, loaders=[])
            facts["observed"].update(observed)
            self.assertIn(why, self.why(self.change(path, {"amp": value}, facts))["amp"])

    def test_other_names_for_torch_and_none(self):
        head = HEAD.replace("import torch\n", "import torch as th\n").replace("torch.o", "th.o")
        body = "for x in l:\n    loss = model(x)\n    loss.backward()\n"
        answer, changed = self.of(body, {"amp": "bf16", "cudnn_benchmark": True,
                                         "channels_last": True}, head=head)
        self.assertIn("with th.autocast", changed)
        self.assertIn("+model.to(memory_format=th.channels_last)", answer["diff"])
        self.assertIn("+th.backends.cudnn.benchmark = True", answer["diff"])
        self.begin()
        head = '"""Text."""\nfrom __future__ import annotations\n\nfrom a import SGD, model\n' \
               "optimizer = SGD(model.parameters())\n"
        answer, changed = self.of(body, {"amp": "bf16", "tf32": "convolutions"}, head=head)
        self.assertEqual(self.lines(answer)[1][:4], [
            "import torch", "", "torch.backends.cuda.matmul.allow_tf32 = False",
            "torch.backends.cudnn.allow_tf32 = True"])

    def test_batches_that_are_moved(self):
        answer, body = self.of(
            "for i, (x, y) in enumerate(l):\n    x, y = x.to(device), y.cuda()\n"
            "    z = y.to(torch.long)\n    w = other.to(device)\n    loss = model(x)\n"
            "    loss.backward()\n", {"non_blocking": True})
        self.assertEqual(self.lines(answer)[1], [
            "    x, y = x.to(device, non_blocking=True), y.cuda(non_blocking=True)"])
        self.begin()
        answer, body = self.of("for b in l:\n    b = {k: v.to(0) for k, v in b.items()}\n"
                               "    loss = model(**b)\n    loss.backward()\n",
                               {"non_blocking": True})
        self.assertIn("v.to(0, non_blocking=True)", body)

    def test_garbage_needs_a_loop(self):
        answer, _ = self.of("loss = model(x)\nloss.backward()\n", {"gc": "freeze"})
        self.assertIn("in no loop", self.why(answer)["gc"])
        self.assertIn("gc.freeze()", answer["by_hand"][0]["suggestion"])


class Models(ChangeCase):
    END = "for x, y in l:\n    loss = net(x)\n    loss.backward()\n"

    def of(self, body, knobs, **more):
        path = self.script("import torch\n" + body + self.END)
        facts = self.facts(path, loaders=[], forward="net", **more)
        return self.change(path, knobs, facts)
    def after(self, body, line, knobs=None):
        """The line that stands before the new one."""
        answer = self.of(body, knobs or {"channels_last": True})
        self.assertEqual(answer["by_hand"], [])
        self.assertEqual(self.lines(answer)[0], [])
        added = self.lines(answer)[1][0]
        lines = answer["files"]["train.py"].split("\n")
        self.assertEqual(lines[lines.index(added) - 1], line)
        self.begin()
        return added

    def test_below_where_the_model_is_made_or_moved(self):
        made = "net = Net()\n"
        sgd = "opt = SGD(net.parameters())\n"
        self.after(made + sgd, "net = Net()")
        self.after(made + "net = net.to(d)\nx = 1\n" + sgd, "net = net.to(d)")
        self.after(made + "if cuda:\n    net.cuda()\n" + sgd, "    net.cuda()")
        self.after(made + "net = DDP(net)\n" + sgd, "net = Net()")
        self.after(made + "opt = SGD([{'params': net.a.parameters()},\n"
                   "           {'params': net.b.parameters()}])\n", "net = Net()")
        self.after(made + "p = [q for q in net.parameters()]\nopt = SGD(p)\n", "net = Net()")
        added = self.after("def make(net):\n    opt = SGD(net.parameters())\n    return opt\n",
                           "def make(net):", {"compile": "reduce-overhead"})
        self.assertEqual(added, '    net.compile(mode="reduce-overhead")')

    def test_several_models_of_one_optimizer(self):
        answer = self.of("net = A()\nother = B()\n"
                         "opt = SGD([*net.parameters(), *other.parameters()])\n", {"compile": True})
        self.assertEqual(self.lines(answer)[1], ["net.compile()", "other.compile()"])

    def test_optimizers(self):
        body = "net = A()\nopt = SGD(net.parameters(), lr=1, foreach=True)\n"
        answer = self.of(body, {"optimizer_impl": "fused"})
        self.assertEqual(self.lines(answer)[1],
                         ["opt = SGD(net.parameters(), lr=1, foreach=False, fused=True)"])
        self.begin()
        answer = self.of(body, {"optimizer_impl": "loop"})
        self.assertEqual(self.lines(answer)[1],
                         ["opt = SGD(net.parameters(), lr=1, foreach=False)"])

    def test_one_that_a_framework_makes(self):
        path = self.script("import torch\nnet = A()\nopt = SGD(net.parameters())\n" + self.END)
        facts = self.facts(path, loaders=[], forward="net")
        facts["observed"]["optimizers"][0]["library"] = {
            "file": "/v/site-packages/transformers/trainer.py", "line": 1, "function": "f"}
        answer = self.change(path, {"optimizer_impl": "fused", "channels_last": True}, facts)
        self.assertEqual({e["knob"]: e["suggestion"] for e in answer["by_hand"]}, {
            "optimizer_impl": 'TrainingArguments(..., optim="adamw_torch_fused")',
            "channels_last": "model.to(memory_format=torch.channels_last)"})

    def test_a_flag_that_the_script_sets_on_a_condition(self):
        body = "net = A()\nopt = SGD(net.parameters())\nif seed:\n" \
               "    torch.backends.cudnn.benchmark = False\n"
        answer = self.of(body, {"cudnn_benchmark": True})
        self.assertEqual(self.lines(answer), ([], ["", "torch.backends.cudnn.benchmark = True"]))
        self.assertIn("train.py:5, on a condition", answer["notes"][0])
        self.begin()
        place = str(self.folder / "train.py") + ":5"
        answer = self.of(body, {"cudnn_benchmark": True},
                         resisted=[{"name": "cudnn_benchmark", "where": place, "value": "false"}])
        self.assertEqual(self.lines(answer)[1], ["    torch.backends.cudnn.benchmark = True"])

    def test_optimizers_without_another_form(self):
        body = "net = A()\nSGD = torch.optim.Adadelta\nopt = SGD(net.parameters())\n"
        path = self.script("import torch\n" + body + self.END)
        facts = self.facts(path, loaders=[], forward="net")
        facts["observed"]["optimizers"][0]["class"] = "Adadelta"
        answer = self.change(path, {"optimizer_impl": "fused"}, facts)
        self.assertIn("Adadelta has no such argument", self.why(answer)["optimizer_impl"])

    def test_flags_that_the_script_sets_itself(self):
        body = "torch.set_num_threads(2)\ntorch.backends.cudnn.benchmark = seed is None\n" \
               "net = A()\nopt = SGD(net.parameters())\n"
        answer = self.of(body, {"intra_op_threads": 4, "cudnn_benchmark": True, "sdpa": "math"})
        self.assertEqual(self.lines(answer)[1], [
            "", "torch.backends.cuda.enable_flash_sdp(False)",
            "torch.backends.cuda.enable_mem_efficient_sdp(False)",
            "torch.backends.cuda.enable_cudnn_sdp(False)", "torch.set_num_threads(4)",
            "torch.backends.cudnn.benchmark = True"])
        self.assertEqual(answer["environment"], {})


if __name__ == "__main__":
    unittest.main(verbosity=2)
