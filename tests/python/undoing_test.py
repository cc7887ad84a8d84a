"""What a script switches on itself is off where a trial asks so, and where it cannot be, the facts
say why."""
import subprocess
import sys

import trial
from agent_case import AgentCase, main

AS_ASKED = "as asked, nothing is changed"


class Undoing(AgentCase):
    def facts_of(self, *switches, knobs):
        outcome, _ = self.measure("switched_on.py", *switches, knobs=knobs, steps=20)
        self.text = outcome.text()
        return outcome.facts[0]

    def off(self, *switches, knobs):
        """The facts of a trial that applies all of its knobs."""
        facts = self.facts_of(*switches, knobs=knobs)
        self.assertEqual(facts["applied"], knobs)
        self.assertEqual(facts["ignored"], {})
        self.assertEqual([r for r in facts["resisted"] if r["where"] == "?"], [])
        return facts

    def places_of(self, facts, knob):
        return {(s["call"], s["place"]["function"]) for s in facts["switched_on"]
                if s["knob"] == knob}

    def test_what_is_off_already_is_as_asked(self):
        knobs = {"amp": "none", "channels_last": False, "compile": "none", "gc": "auto",
                 "batch_fetch": False, "preload": False}
        facts = self.facts_of(knobs=knobs)
        self.assertEqual(facts["applied"], {})
        self.assertEqual(facts["ignored"], dict.fromkeys(knobs, AS_ASKED))

    def test_autocast_and_its_scaling_of_losses(self):
        switches = ("amp", "scaler") if self.torch >= (2, 3) else ("amp",)
        own = self.facts_of(*switches, knobs={})
        self.assertEqual(own["observed"]["amp"], "bfloat16")
        self.assertEqual(self.places_of(own, "amp"), {("autocast", "train")} | (
            {("GradScaler", "train")} if "scaler" in switches else set()))
        plain = self.facts_of(knobs={})
        facts = self.off(*switches, knobs={"amp": "none"})
        self.assertNotIn("amp", facts["observed"])
        self.assertEqual(facts["losses"][:4], plain["losses"][:4])
        self.assertNotEqual(own["losses"][:4], plain["losses"][:4])

    def test_autocast_with_another_type(self):
        if self.torch < (2, 3):
            self.skipTest("this torch has no such autocast on a CPU")
        facts = self.off("fp16", knobs={"amp": "bf16"})
        self.assertEqual(facts["observed"]["amp"], "bfloat16")
        facts = self.facts_of("amp", knobs={"amp": "fp16"})
        self.assertEqual(facts["ignored"], {
            "amp": "it is bf16, and nothing in this script takes another value"})

    def test_autocast_in_what_is_compiled(self):
        if self.torch < (2, 4):
            self.skipTest("torch.compile of this version is another one")
        facts = self.off("amp", "function", knobs={"amp": "none"})
        self.assertNotIn("amp", facts["observed"])
        plain = self.facts_of("function", knobs={})
        self.assertEqual(facts["losses"][:4], plain["losses"][:4])

    def test_a_model_of_half_width_stays_so(self):
        for switches in (("half",), ("half", "amp")):
            facts = self.facts_of(*switches, knobs={"amp": "none"})
            self.assertEqual(facts["applied"], {})
            self.assertEqual(facts["ignored"],
                             {"amp": "the model itself is in bfloat16, which is not undone"})

    def test_a_layout(self):
        for switch, own in (("layout", True), ("loaded", True)):
            facts = self.facts_of(switch, knobs={})
            self.assertEqual(facts["observed"]["models"][0]["channels_last"], own)
            self.assertEqual(self.places_of(facts, "channels_last"),
                             {("to", "main")} if switch == "layout" else set())
            facts = self.off(switch, knobs={"channels_last": False})
            self.assertFalse(facts["observed"]["models"][0]["channels_last"])

    def test_a_layout_of_images_that_no_argument_asks_for(self):
        facts = self.facts_of("batches", knobs={"channels_last": False})
        self.assertEqual(facts["ignored"],
                         {"channels_last": "the model gets its images in channels_last"})

    def test_arguments_of_loaders(self):
        own = self.facts_of("loader", knobs={})["loaders"][0]
        self.assertEqual((own["pin_memory"], own["persistent_workers"]), (True, True))
        facts = self.off("loader", knobs={"pin_memory": False, "persistent_workers": False,
                                          "multiprocessing_context": "default"})
        loader = facts["loaders"][0]
        self.assertEqual((loader["pin_memory"], loader["persistent_workers"]), (False, False))
        self.off("loader", knobs={"num_workers": 0})

    def test_forms_of_optimizers(self):
        facts = self.off("optimizer", knobs={"optimizer_impl": "loop"})
        self.assertFalse(facts["observed"]["optimizers"][0]["foreach"])
        facts = self.facts_of("optimizer", knobs={"optimizer_impl": "fused"})
        self.assertEqual(facts["ignored"],
                         {"optimizer_impl": "RMSprop of this torch has no fused"})

    def test_gradients_that_the_model_clears(self):
        self.off(knobs={"set_to_none": True})

    def test_compilation(self):
        if self.torch < (2, 4):
            self.skipTest("torch.compile of this version is another one")
        for how in ("wrap", "inplace", "function"):
            own = self.facts_of(how, knobs={})
            self.assertEqual(own["observed"]["compile"], "default")
            self.assertEqual({call for call, _ in self.places_of(own, "compile")}, {"compile"})
            facts = self.off(how, knobs={"compile": "none"})
            self.assertNotIn("compile", facts["observed"])
            self.assertFalse(facts["observed"]["models"][0]["compiled"])

    def test_flags_of_the_process(self):
        knobs = {"cudnn_benchmark": False, "deterministic": False, "tf32": "convolutions",
                 "flush_denormal": False, "intra_op_threads": 0}
        if self.torch >= (2, 0):
            knobs["sdpa"] = "auto"
        own = self.facts_of("process", knobs={})["observed"]
        facts = self.off("process", knobs=knobs)
        after = facts["observed"]
        for name in ("cudnn_benchmark", "deterministic", "cudnn_deterministic", "flush_denormal"):
            self.assertEqual((own[name], after[name]), (True, False))
        self.assertEqual((own["tf32"], after["tf32"]), ("all", "convolutions"))
        self.assertEqual((own["intra_op_threads"], after["intra_op_threads"]), (2, 1))
        told = {(entry["name"], entry["value"]) for entry in facts["resisted"]}
        self.assertIn(("deterministic", "true"), told)
        self.assertIn(("intra_op_threads", "2"), told)
        if self.torch >= (2, 3):
            self.assertIn("flash True", self.text)
            self.assertIn(("sdpa", '["math"]'), told)
        facts = self.off("process", knobs={"matmul_precision": "highest"})
        self.assertEqual(facts["observed"]["matmul_precision"], "highest")

    def test_pauses_of_the_collector(self):
        facts = self.off("collector", knobs={"gc": "auto"})
        self.assertEqual(facts["observed"]["gc"], {"enabled": True, "frozen": 0})
        self.assertTrue(facts["resisted"][0]["where"].endswith("switched_on.py:23"))

    def test_copies_that_are_not_waited_for(self):
        """With a stand-in for tensors: copies are asynchronous on a GPU alone."""
        text = ("import sys; sys.path.insert(0, %r)\n"
                "from tune_agent import session, undoing\n"
                "class Tensor:\n"
                "    def to(self, *given, **named): print(given, named)\n"
                "    cuda = copy_ = to\n"
                "session.thread = 1\n"
                "undoing.wait_for_copies(Tensor)\n"
                "t = Tensor(); t.to('cuda', non_blocking=True); t.cuda(0, True)\n"
                "t.to('cuda', None, False, True); t.copy_(1); print(session.applied)\n")
        done = subprocess.run([sys.executable, "-B", "-c", text % str(trial.AGENT)],
                              capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), [
            "('cuda',) {'non_blocking': False}", "(0, False) {}", "('cuda', None, False, True) {}",
            "(1,) {}", "{'non_blocking': False}"], done.stderr)


if __name__ == "__main__":
    main()
