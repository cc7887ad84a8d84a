"""Knobs are applied where the script makes what they belong to, and told as they really are."""
import os

from agent_case import AgentCase, main


class Knobs(AgentCase):
    def facts_of(self, script, *arguments, knobs, **options):
        outcome, self.grouped = self.measure(script, *arguments, knobs=knobs, steps=25, **options)
        self.window = outcome.window
        return outcome.facts[0]

    def test_those_of_loaders(self):
        knobs = {"num_workers": 1, "prefetch_factor": 3, "persistent_workers": True,
                 "multiprocessing_context": "spawn", "worker_nice": 3, "batch_size": 4}
        facts = self.facts_of("images.py", knobs=knobs)
        self.assertEqual(facts["applied"], knobs)
        loader = facts["loaders"][0]
        self.assertEqual((loader["num_workers"], loader["prefetch_factor"]), (1, 3))
        self.assertEqual(self.samples_of_window(self.grouped), [4])
        self.assertTrue(loader["place"]["file"].endswith("images.py"))
        self.assertEqual(loader["place"]["line"], 31)

    def test_without_workers_what_belongs_to_them_is_ignored(self):
        facts = self.facts_of("images.py", knobs={"prefetch_factor": 4, "worker_nice": 5})
        self.assertEqual(facts["ignored"], {"prefetch_factor": "num_workers is 0",
                                            "worker_nice": "num_workers is 0"})

    def test_a_batch_size_that_the_dataset_decides(self):
        facts = self.facts_of("prebatched.py", knobs={"batch_size": 8})
        self.assertIn("prebatched.py:15 makes the batches itself", facts["ignored"]["batch_size"])

    def test_those_of_the_model(self):
        facts = self.facts_of("images.py", knobs={"channels_last": True, "amp": "bf16"})
        self.assertEqual(facts["applied"], {"channels_last": True, "amp": "bf16"})
        self.assertTrue(facts["observed"]["models"][0]["channels_last"])
        facts = self.facts_of("plain.py", knobs={"channels_last": True, "amp": "fp16"})
        self.assertEqual(set(facts["ignored"]), {"channels_last", "amp"})

    def test_of_a_model_whose_methods_are_called_the_calls_within_count(self):
        facts = self.facts_of("methods.py", knobs={"amp": "bf16"})
        self.assertEqual(facts["applied"], {"amp": "bf16"})
        self.assertEqual(facts["places"]["forward"]["function"], "training_step")

    def test_a_model_whose_copies_are_updated_is_found(self):
        facts = self.facts_of("sharded.py", knobs={"amp": "bf16"})
        self.assertEqual(facts["applied"], {"amp": "bf16"})
        self.assertEqual(facts["places"]["forward"]["line"], 13)

    def test_those_of_the_optimizer(self):
        for wanted in ("foreach", "fused", "loop"):
            if wanted == "fused" and self.torch < (2, 4):
                continue
            facts = self.facts_of("images.py", knobs={"optimizer_impl": wanted})
            self.assertEqual(facts["applied"], {"optimizer_impl": wanted})
            made = facts["observed"]["optimizers"][0]
            self.assertEqual(bool(made["fused"]), wanted == "fused")
            self.assertEqual(bool(made["foreach"]), wanted == "foreach")
        facts = self.facts_of("images.py", knobs={"set_to_none": False})
        self.assertEqual(facts["applied"], {"set_to_none": False})

    def test_what_the_script_sets_back_is_told_with_its_place(self):
        knobs = {"intra_op_threads": 1, "cudnn_benchmark": False}
        facts = self.facts_of("resists.py", knobs=knobs)
        self.assertEqual(facts["applied"], knobs)
        self.assertEqual(facts["observed"]["intra_op_threads"], 1)
        told = {entry["name"]: (entry["value"], entry["where"].rsplit("/", 1)[1])
                for entry in facts["resisted"]}
        self.assertEqual(told, {"intra_op_threads": ("2", "resists.py:5"),
                                "cudnn_benchmark": ("true", "resists.py:6")})

    def test_those_of_the_process(self):
        knobs = {"deterministic": True, "tf32": "all", "gc": "freeze", "flush_denormal": True,
                 "inter_op_threads": 2, "intra_op_threads": 1}
        if self.torch >= (2, 0):
            knobs.update(matmul_precision="high", sdpa="math")
        facts = self.facts_of("plain.py", knobs=knobs)
        self.assertEqual(facts["applied"], knobs)
        self.assertEqual(facts["resisted"], [])
        self.assertGreater(facts["observed"]["gc"]["frozen"], 0)
        facts = self.facts_of("plain.py", knobs={"gc": "manual"})
        self.assertFalse(facts["observed"]["gc"]["enabled"])

    def test_what_the_collector_takes_is_timed(self):
        self.facts_of("collects.py", knobs={})
        taken = self.window["collector"]
        self.assertGreater(taken["collections"], 0)
        self.assertGreater(taken["took_ns"], 0.2 * taken["of_ns"])

    def test_a_profiler_of_the_script_that_runs_all_the_time_is_seen(self):
        for script, runs in (("plain.py", False), ("profiled.py", True)):
            self.facts_of(script, knobs={})
            self.assertEqual(self.window["profiled"], [runs, runs])

    def test_denormal_parameters_are_seen(self):
        self.assertEqual(self.facts_of("plain.py", knobs={})["observed"]["models"][0]
                         ["denormal_ratio"], 0)
        seen = self.facts_of("denormal.py", knobs={})["observed"]["models"][0]["denormal_ratio"]
        self.assertGreater(seen, 0.5)

    def test_gradients_that_no_optimizer_uses(self):
        ratios = [self.facts_of(script, knobs={})["observed"]["models"][0]["unused_gradient_ratio"]
                  for script in ("plain.py", "frozen.py")]
        self.assertEqual(ratios[0], 0)
        self.assertAlmostEqual(ratios[1], (32 * 64 + 64) / (32 * 64 + 64 + 64 * 4 + 4), 6)

    def test_batches_that_are_fetched_at_once_give_the_same_numbers(self):
        if self.torch < (2, 0):
            self.skipTest("this torch asks for samples alone")
        plain = self.facts_of("plain.py", knobs={})
        fetched = self.facts_of("plain.py", knobs={"batch_fetch": True})
        self.assertEqual(fetched["applied"], {"batch_fetch": True})
        self.assertEqual(plain["losses"][:4], fetched["losses"][:4])

    def test_loaders_may_share_a_dataset_that_was_given_more(self):
        if self.torch < (2, 0):
            self.skipTest("this torch asks for samples alone")
        plain = self.facts_of("shared_data.py", knobs={})
        for name in ("batch_fetch", "preload"):
            facts = self.facts_of("shared_data.py", knobs={name: True})
            self.assertEqual(facts["applied"], {name: True})
            self.assertGreater(len(facts["loaders"]), 3)
            both = min(len(plain["losses"]), len(facts["losses"]))  # one may have made more steps
            self.assertGreaterEqual(both, 4)
            self.assertEqual(plain["losses"][:both], facts["losses"][:both])

    def test_samples_that_are_kept_in_memory_give_the_same_numbers(self):
        if self.torch < (2, 0):
            self.skipTest("this torch asks for samples alone")
        plain = self.facts_of("images.py", knobs={})
        kept = self.facts_of("images.py", knobs={"preload": True})
        self.assertEqual(kept["applied"], {"preload": True})
        self.assertEqual(plain["losses"][:4], kept["losses"][:4])

    def test_a_stream_is_neither_fetched_at_once_nor_kept(self):
        facts = self.facts_of("iterable.py", knobs={"batch_fetch": True, "preload": True})
        for name in ("batch_fetch", "preload"):
            self.assertIn("its dataset is a stream", facts["ignored"][name])

    def test_the_scripts_own_autocast_and_options_are_seen(self):
        if self.torch >= (2, 3):
            facts = self.facts_of("scaled.py", knobs={})
            self.assertEqual(facts["observed"]["amp"], "bfloat16")
            self.assertLess(facts["losses"][0]["value"], 10)
        facts = self.facts_of("images.py", "-b", "4", knobs={})
        self.assertEqual(os.environ["OMP_NUM_THREADS"], "1")
        self.assertEqual(facts["observed"]["intra_op_threads"], 1)  # not the CPUs of the machine
        options = {option["name"]: option for option in facts["arguments"]}
        self.assertEqual(options["batch_size"]["value"], 4)
        self.assertEqual(options["workers"]["flags"], ["-j", "--workers"])


if __name__ == "__main__":
    main()
