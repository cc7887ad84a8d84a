"""Steps and samples of awkward scripts, against what the scripts do."""
from agent_case import AgentCase, main


class Counting(AgentCase):
    def expect(self, script, *arguments, samples, optimizer_steps=1, **options):
        outcome, grouped = self.measure(script, *arguments, **options)
        self.assertEqual(self.samples_of_window(grouped), samples)
        counts = {step.optimizer_steps for step in grouped.window()}
        self.assertEqual(counts, {optimizer_steps})
        self.assertGreaterEqual(len(grouped.window()), 20)
        return outcome, grouped

    def test_a_plain_loop_agrees_with_its_own_progress_lines(self):
        outcome, grouped = self.expect("plain.py", samples=[16], steps=60)
        said = [int(line.split()[2]) for _, line in outcome.lines if line.startswith("step ")]
        between = [step for step in grouped.steps if said[0] < step.end_ns <= said[-1]]
        self.assertEqual(len(between), 10 * (len(said) - 1))

    def test_the_clock_of_a_script_counts_what_lies_between_epochs_too(self):
        outcome, grouped = self.expect("new_loaders.py", samples=[16], steps=80)
        for number, step in enumerate(grouped.steps):
            with self.subTest(number):
                begins_epoch = number > 0 and number % 20 == 0
                self.assertEqual(step.pause > 5e6, begins_epoch)  # it sleeps so long
                if number:
                    self.assertEqual(step.begin_ns, grouped.steps[number - 1].end_ns)
        said = [line.split()[1:] for _, line in outcome.lines if line.startswith("step ")]
        for number, moment in said[:-1]:
            step = grouped.steps[int(number)]
            self.assertTrue(step.begin_ns < int(moment) < step.end_ns, number)

    def test_a_stream_from_workers(self):
        self.expect("iterable.py", samples=[16])

    def test_batches_of_the_dataset_s_own_size(self):
        self.expect("prebatched.py", samples=[20, 28])

    def test_a_closure_is_one_step(self):
        self.expect("closure.py", samples=[100])

    def test_a_loader_that_never_ends_its_epochs(self):
        self.expect("endless.py", samples=[8, 16])

    def test_two_loaders_feed_one_step(self):
        self.expect("paired.py", samples=[24])

    def test_batches_through_a_thread(self):
        self.expect("background.py", samples=[16])

    def test_batches_fetched_ahead(self):
        self.expect("fetches_ahead.py", samples=[8, 16], steps=80)

    def test_accumulation_and_the_rest_of_an_epoch(self):
        self.expect("accumulates.py", samples=[40, 64])

    def test_two_optimizers_are_one_step(self):
        self.expect("gan.py", samples=[16], optimizer_steps=2, steps=80)

    def test_optimizers_within_the_backward_pass(self):
        if self.torch < (2, 1):
            self.skipTest("this torch has no such hook")
        self.expect("in_backward.py", samples=[16], optimizer_steps=4, steps=100)

    def test_without_a_loader(self):
        self.expect("by_hand.py", samples=[24])

    def test_without_an_optimizer(self):
        _, grouped = self.measure("no_optimizer.py", kind="back_end")
        self.assertEqual(self.samples_of_window(grouped), [16])

    def test_steps_of_an_optimizer_that_are_not_seen(self):
        for how in ("compiled", "whole", "by hand", "gradients"):
            with self.subTest(how):
                if how in ("compiled", "whole") and self.torch < (2, 1):
                    continue
                outcome = self.run_script("unseen.py", how, kind="back_end")
                self.assertEqual((outcome.code, outcome.facts[0]["how"]), (0, "measured"))
                self.assertNotIn("tune_agent", outcome.text())  # the compiler does not look into us
                grouped = self.group()
                self.assertEqual(self.samples_of_window(grouped), [16])
                self.assertGreaterEqual(len(grouped.window()), 20)
                said = [p for p in outcome.facts[0]["problems"] if "a step is a backward pass" in p]
                self.assertEqual((len(said), outcome.facts[0]["problems"]), (1, said))
                self.assertGreater(sum(step.backward for step in grouped.window()), 0)

    def test_gradients_that_are_given_to_an_optimizer(self):
        _, grouped = self.expect("unseen.py", "given", samples=[16])
        self.assertGreater(sum(step.backward for step in grouped.window()), 0)

    def test_a_thread_for_each_epoch(self):
        outcome, grouped = self.expect("thread_per_epoch.py", samples=[16], steps=80)
        said = [int(line.split()[2]) for _, line in outcome.lines if line.startswith("step ")]
        between = [step for step in grouped.steps if said[0] < step.end_ns <= said[-1]]
        self.assertEqual(len(between), 10 * (len(said) - 1))

    def test_a_model_for_each_fold(self):
        for what in ("tensors", "loader"):
            with self.subTest(what):
                outcome, _ = self.expect("folds.py", what, samples=[8], steps=600)
                self.assertNotIn("kept", outcome.text())

    def test_inference_by_batches(self):
        _, grouped = self.measure("inference.py", count="batches", kind="got")
        self.assertEqual(self.samples_of_window(grouped), [16])

    def test_inference_without_a_loader(self):
        _, grouped = self.measure("calls_alone.py", count="batches", kind="call")
        self.assertEqual(self.samples_of_window(grouped), [16])

    def test_batches_that_are_kept(self):
        for which in ("one", "all"):
            with self.subTest(which):
                self.expect("kept_batches.py", which, samples=[16], steps=200)

    def test_batches_in_other_forms(self):
        for how in ("detection", "class"):
            with self.subTest(how):
                self.expect("odd_batches.py", how, samples=[8])

    def test_evaluation_and_checkpoints_are_outside(self):
        _, grouped = self.expect("evaluates.py", samples=[16])
        self.assertGreaterEqual(grouped.numbers["evaluations"], 5)
        slept = max(step.evaluation for step in grouped.window())
        self.assertGreater(slept, 5 * 2e6)
        for step in grouped.window():
            inside = step.end_ns - step.begin_ns - sum(step[-4:])
            self.assertGreater(inside, 0)
        self.assertTrue(any(step.checkpoint for step in grouped.steps))

    def test_evaluation_without_no_grad_is_outside_too(self):
        _, grouped = self.expect("looks.py", samples=[16])
        self.assertGreaterEqual(grouped.numbers["evaluations"], 2)
        slept = max(step.evaluation for step in grouped.window())
        self.assertGreater(slept, 5 * 2e6)
        for step in grouped.window():
            self.assertGreater(step.end_ns - step.begin_ns - sum(step[-4:]), 0)

    def test_checkpoints_of_frameworks_are_outside(self):
        _, grouped = self.expect("checkpoints.py", samples=[16])
        slept = {2: 10e6, 5: 4e6}  # a trainer's checkpoint, the script's own, of ten steps
        for number, step in enumerate(grouped.steps):
            with self.subTest(number):
                self.assertGreaterEqual(step.checkpoint, slept.get(number % 10, 0))
                self.assertEqual(step.checkpoint > 0, number % 10 in slept)

    def test_a_model_that_is_copied_and_saved(self):
        _, grouped = self.expect("copies.py", samples=[16])
        self.assertTrue(any(step.checkpoint for step in grouped.window()))

    def test_compiled_models_and_functions(self):
        if self.torch < (2, 1):
            self.skipTest("torch.compile of this version is another one")
        for how in ("wrap", "inplace", "function"):
            with self.subTest(how):
                self.expect("compiled.py", how, samples=[16], steps=30)


if __name__ == "__main__":
    main()
