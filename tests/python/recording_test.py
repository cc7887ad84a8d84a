"""Recorded steps: ranges, limits, the script's own profiler, lines; and the whole of `tune trace`."""
import gzip
import json
import os
import pathlib
import subprocess

import agent_case

RANGES = ("ProfilerStep#", "enumerate(DataLoader)#", "forward", "backward", "Optimizer.step#")


class RecordingTest(agent_case.AgentCase):
    def record(self, script, *arguments, launcher=(), wanted=(), **options):
        profile = dict({"warmup": 2, "active": 4, "lines": True}, **dict(wanted))
        return self.measure(script, *arguments, launcher=launcher, profile=profile, **options)[0]

    def rows(self):
        with gzip.open(self.folder / "trace.json.gz") as file:
            return json.load(file)["traceEvents"]

    def count(self, beginning):
        return sum(row.get("cat") == "user_annotation" and row["name"].startswith(beginning)
                   for row in self.rows())

    def lines(self):
        return json.loads((self.folder / "lines.json").read_text())

    def test_parts_of_each_step_are_ranges(self):
        outcome = self.record("plain.py")
        self.assertEqual([self.count(name) for name in RANGES], [4] * 5)
        self.assertEqual(outcome.facts[0]["profile"]["file_bytes"],
                         (self.folder / "trace.json.gz").stat().st_size)
        self.assertFalse((self.folder / "recorded.0.json").exists())

    def test_a_gan_calls_its_models_several_times(self):
        self.record("gan.py")
        self.assertEqual(self.count("ProfilerStep#"), 4)
        self.assertGreater(self.count("forward"), 4)
        self.assertEqual(self.count("backward"), 8)

    def test_loaders_with_workers_are_waited_for(self):
        self.record("images.py", "-j", "2")
        self.assertGreaterEqual(self.count("enumerate(DataLoader)#_MultiProcessing"), 4)

    def test_inference_is_recorded_by_batches(self):
        self.record("inference.py", "60", count="batches", kind="call")
        self.assertEqual(self.count("ProfilerStep#"), 4)

    def test_what_takes_long_is_recorded_in_part(self):
        self.record("plain.py", wanted={"limit_s": 0})
        self.assertEqual(self.count("ProfilerStep#"), 1)

    def test_lines_are_those_of_the_script(self):
        self.record("plain.py")
        seen = self.lines()
        self.assertGreater(seen["samples"], 100)
        self.assertGreater(len(seen["step_ns"]), 10)
        self.assertLessEqual(sum(line["samples"] for line in seen["lines"]), seen["samples"])
        self.assertLess({pathlib.Path(line["file"]).name for line in seen["lines"]},
                        {"plain.py", "common.py", ""})
        by_text = {line["text"]: line for line in seen["lines"]}
        self.assertEqual(by_text["loss.backward()"]["part"], "backward")
        self.assertEqual(by_text["loss.backward()"]["function"], "step")
        self.assertEqual(by_text["optimizer.step()"]["part"], "optimizer")

    def test_without_the_wish_no_line_is_looked_for(self):
        self.record("plain.py", wanted={"lines": False})
        self.assertFalse((self.folder / "lines.json").exists())

    def test_a_script_with_a_profiler_of_its_own_is_left_to_it(self):
        outcome = self.record("profiles_itself.py")
        reason = outcome.facts[0]["profile"]["reason"]
        self.assertIn("the script runs torch.profiler itself (", reason)
        self.assertIn("profiles_itself.py:15): analyze the trace that it writes", reason)
        self.assertIn("recorded True", outcome.text())

    def test_a_profiler_that_comes_later_ends_ours(self):
        outcome = self.run_script("profiles_itself.py", "late", warmup=20, steps=40,
                                  profile={"warmup": 2, "active": 10**6})
        self.assertIn("its own runs", outcome.text())
        self.assertIsNone(outcome.facts[0]["failure"])
        self.assertIn("itself (", outcome.facts[0]["profile"]["reason"])
        self.assertEqual(outcome.facts[0]["problems"], [])

    def trace(self, *command):
        place = pathlib.Path(self.place.name)
        variables = dict(os.environ, OMP_NUM_THREADS="1", TUNE_RUNTIME_DIR=self.place.name,
                         TUNE_CACHE_DIR=self.place.name, TUNE_DATA_DIR=self.place.name)
        tune = pathlib.Path(self.program).resolve().parent / "tune"
        words = [str(tune), "trace", "--no-shield", "--json", "--steps", "3", "-o", "traced", "--"]
        done = subprocess.run(words + [str(word) for word in command], cwd=place, env=variables,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_tune_records_and_analyzes(self):
        script = agent_case.HERE / "scripts" / "images.py"
        result = self.trace(self.python, script, "-j", "1")
        self.assertEqual(len(result["trace"]["steps"]["list"]), 3)
        self.assertTrue(result["trace"]["steps"]["marked"])
        self.assertGreater(result["trace"]["recording"]["dilation_ratio"], 0)
        self.assertIn("num_workers", result["script"]["observed"])
        self.assertTrue(result["script"]["lines"])
        phases = next(table for table in result["trace"]["tables"] if table["id"] == "phases")
        self.assertLessEqual({"forward", "backward", "optimizer", "data loading"},
                             {row["phase"] for row in phases["rows"]})

    def test_of_several_ranks_the_first_is_recorded(self):
        launcher = [self.python, "-m", "torch.distributed.run", "--nproc_per_node", "2",
                    "--master_port", "29618"]
        result = self.trace(*launcher, agent_case.HERE / "scripts" / "ranks.py")
        self.assertEqual(result["script"]["ranks"], 2)
        self.assertEqual(len(result["trace"]["steps"]["list"]), 3)


if __name__ == "__main__":
    agent_case.main()
