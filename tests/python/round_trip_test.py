"""Small scripts with knobs injected, and with the same knobs written into them: the second form
does what the first one does, and its losses are the same."""
import json
import shutil

import change_case
import trial
from agent_case import HERE, AgentCase, main


class RoundTrip(AgentCase):
    def setUp(self):
        super().setUp()
        self.user = self.folder.parent / "user"

    def copy_scripts(self):
        shutil.rmtree(str(self.user), ignore_errors=True)
        shutil.copytree(str(HERE / "scripts"), str(self.user))

    def trial_of(self, script, *arguments, knobs=None, variables=(), steps=20, **options):
        command = [self.python, self.user / script, *arguments]
        outcome = trial.run(command, self.folder, knobs=knobs, steps=steps, cwd=self.user,
                            extra=variables, **options)
        self.assertEqual(outcome.code, 0, outcome.text())
        facts = outcome.facts[0]
        self.assertEqual(facts["problems"], [])
        return facts

    def change(self, knobs, loaders=(0,), by_hand=()):
        """Writes the knobs into the script, from the facts of the last trial."""
        request = {"facts": str(self.folder / "facts.0.json"), "knobs": knobs,
                   "training_loaders": list(loaders), "folder": str(self.user)}
        done = change_case.changed(self.python, request, self.folder / "request.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual({e["knob"] for e in answer["by_hand"]}, set(by_hand), answer["by_hand"])
        if answer["diff"]:
            applied = change_case.apply(answer["diff"].encode(), self.user)
            self.assertEqual(applied.returncode, 0, applied.stdout)
        return answer

    def round_trip(self, script, *arguments, knobs, by_hand=(), **options):
        """The facts of the script with the change in it."""
        self.copy_scripts()
        injected = self.trial_of(script, *arguments, knobs=knobs, **options)
        self.trial_of(script, *arguments, **options)
        answer = self.change(knobs, by_hand=by_hand)
        changed = self.trial_of(script, *arguments, *answer["flags"],
                                variables=answer["environment"], **options)
        losses = [[loss["value"] for loss in facts["losses"][:4]] for facts in (injected, changed)]
        self.assertGreater(len(losses[0]), 2)
        # The agent knows the model after its first step: until then there is no autocast.
        digits = 2 if knobs.get("amp") else 5
        for one, other in zip(*losses):
            self.assertAlmostEqual(one, other, digits)
        for facts in (injected, changed):
            self.assertEqual(facts["resisted"], [])
        self.answer = answer
        return changed

    def is_amp(self, facts):
        self.assertEqual(facts["observed"].get("amp"), "bfloat16")

    def test_loop_and_step_in_two_files(self):
        for script in ("plain.py", "evaluates.py", "fetches_ahead.py", "background.py"):
            facts = self.round_trip(script, knobs={
                "num_workers": 1, "amp": "bf16", "optimizer_impl": "foreach",
                "cudnn_benchmark": True, "set_to_none": False, "deterministic": True})
            self.is_amp(facts)
            self.assertTrue(any(l["num_workers"] == 1 for l in facts["loaders"]))
            self.assertTrue(facts["observed"]["optimizers"][0]["foreach"])
            self.assertTrue(facts["observed"]["cudnn_benchmark"])
            self.assertTrue(facts["observed"]["deterministic"])
            self.assertIn("common.py", self.answer["files"])

    def test_options_of_its_own_before_lines(self):
        facts = self.round_trip("images.py", knobs={
            "num_workers": 1, "persistent_workers": True, "channels_last": True, "amp": "bf16",
            "gc": "freeze", "intra_op_threads": 1})
        self.is_amp(facts)
        self.assertEqual(self.answer["flags"], ["--workers", "1"])
        loader = facts["loaders"][0]
        self.assertEqual((loader["num_workers"], loader["persistent_workers"]), (1, True))
        self.assertTrue(facts["observed"]["models"][0]["channels_last"])
        self.assertGreater(facts["observed"]["gc"]["frozen"], 0)

    def test_statements_that_are_split(self):
        for script in ("accumulates.py", "no_optimizer.py", "paired.py"):
            kind = "back" if script == "no_optimizer.py" else "step_end"
            self.is_amp(self.round_trip(script, knobs={"amp": "bf16"}, kind=kind))
            self.assertIn("loss.backward()", self.answer["files"][script])

    def test_optimizers_that_are_many(self):
        self.copy_scripts()
        self.trial_of("gan.py")
        self.change({"optimizer_impl": "foreach", "amp": "bf16"}, by_hand=["amp"])
        facts = self.trial_of("gan.py")
        self.assertEqual([o["foreach"] for o in facts["observed"]["optimizers"]], [True, True])

    def test_an_optimizer_for_each_parameter(self):
        if self.torch < (2, 1):
            self.skipTest("this torch has no such hook")
        facts = self.round_trip("in_backward.py",
                                knobs={"amp": "bf16", "optimizer_impl": "foreach"})
        self.is_amp(facts)
        self.assertTrue(all(o["foreach"] for o in facts["observed"]["optimizers"]))

    def test_a_closure(self):
        self.is_amp(self.round_trip("closure.py", knobs={"amp": "bf16"}, steps=8))

    def test_streams(self):
        for script in ("iterable.py", "prebatched.py"):
            facts = self.round_trip(script, knobs={"num_workers": 1, "prefetch_factor": 3})
            loader = facts["loaders"][0]
            self.assertEqual((loader["num_workers"], loader["prefetch_factor"]), (1, 3))

    def test_how_batches_are_fetched(self):
        if self.torch < (2, 0):
            self.skipTest("this torch asks for samples alone")
        facts = self.round_trip("evaluates.py", knobs={"batch_fetch": True})
        self.assertIn("BatchSampler", self.answer["files"]["evaluates.py"])
        self.assertEqual(facts["loaders"][0]["sampler"], "BatchSampler")
        facts = self.round_trip("paired.py", knobs={"preload": True}, kind="step_end")
        self.assertEqual(facts["loaders"][0]["dataset"], "list")

    def test_no_loader(self):
        self.is_amp(self.round_trip("by_hand.py", knobs={"amp": "bf16"}))

    def test_another_process_trains(self):
        for how in ("fork", "spawn", "subprocess"):
            facts = self.round_trip("child.py", how, knobs={"num_workers": 1, "amp": "bf16"})
            self.is_amp(facts)
            self.assertEqual(facts["loaders"][0]["num_workers"], 1)

    def test_flags_that_the_script_sets_back(self):
        self.copy_scripts()
        self.trial_of("resists.py", knobs={"intra_op_threads": 1, "cudnn_benchmark": False})
        self.change({"intra_op_threads": 1, "cudnn_benchmark": False})
        facts = self.trial_of("resists.py")
        self.assertEqual(facts["observed"]["intra_op_threads"], 1)
        self.assertFalse(facts["observed"]["cudnn_benchmark"])

    def test_autocast_of_its_own(self):
        if self.torch < (2, 3):
            self.skipTest("this torch scales losses on a GPU alone")
        self.copy_scripts()
        self.trial_of("scaled.py")
        self.change({"amp": "bf16"})
        facts = self.round_trip("scaled.py", knobs={"amp": "none"})
        self.assertNotIn("amp", facts["observed"])
        self.assertEqual(self.answer["files"]["scaled.py"].count("enabled=False"), 2)

    def test_what_the_script_switches_on(self):
        facts = self.round_trip("switched_on.py", "amp", "layout", "optimizer", knobs={
            "amp": "none", "channels_last": False, "optimizer_impl": "loop"})
        self.assertNotIn("amp", facts["observed"])
        self.assertFalse(facts["observed"]["models"][0]["channels_last"])
        self.assertFalse(facts["observed"]["optimizers"][0]["foreach"])
        if self.torch >= (2, 4):
            facts = self.round_trip("switched_on.py", "wrap", knobs={"compile": "none"})
            self.assertFalse(facts["observed"]["models"][0]["compiled"])

    def test_inference(self):
        self.copy_scripts()
        self.trial_of("inference.py", count="batches", kind="got")
        self.change({"num_workers": 1, "amp": "bf16"}, by_hand=["amp"])


if __name__ == "__main__":
    main()
