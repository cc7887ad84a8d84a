"""Scripts with torch through the whole of tune: agent, tune-script, tune."""
import json
import os
import pathlib
import subprocess

import agent_case

SCENARIO = """
tune: 1
name: train
workload:
  command: %s
  cwd: %s
  observed: {num_workers: 0, intra_op_threads: 1}
  device: cpu
grid: {num_workers: [0, 1]}
measure: {warmup: 100ms, rounds: 1, slices: 3, slice: 200ms}
search: {strategy: grid, confirm: 1, confirm_rounds: 1}
"""


class TuningTest(agent_case.AgentCase):
    def tune(self, *command):
        """The replies of both cells."""
        place = pathlib.Path(self.place.name)
        words = json.dumps([str(word) for word in command])
        (place / "train.yaml").write_text(SCENARIO % (words, json.dumps(self.place.name)))
        variables = dict(os.environ, OMP_NUM_THREADS="1", TUNE_RUNTIME_DIR=self.place.name,
                         TUNE_CACHE_DIR=self.place.name, TUNE_DATA_DIR=self.place.name)
        tune = pathlib.Path(self.program).resolve().parent / "tune"
        done = subprocess.run([str(tune), "run", "train.yaml", "-o", "run", "--verify", "none"],
                              cwd=place, env=variables, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        replies = [json.loads((place / "run/trials" / name / "reply.json").read_text())
                   for name in ("r1-baseline", "r1-c01")]
        for reply in replies:
            self.assertIsNone(reply.get("failure"))
            self.assertEqual(self.notes_of(reply, is_late=False), [])
        return replies

    def notes_of(self, reply, is_late):
        """On a busy machine any rank may be late."""
        return [note for note in reply["script"]["notes"] if note.startswith("rank ") == is_late]

    def samples_of_a_step(self, reply):
        steps = sum(piece["steps"] for piece in reply["slices"])
        return sum(piece["samples"] for piece in reply["slices"]) / steps

    def script(self, name):
        return str(agent_case.HERE / "scripts" / name)

    def test_the_knob_of_a_cell_is_in_effect(self):
        baseline, other = self.tune(self.python, self.script("plain.py"))
        self.assertEqual(self.samples_of_a_step(baseline), 16)
        self.assertEqual(self.samples_of_a_step(other), 16)
        self.assertEqual(baseline["script"]["applied"], {})
        self.assertEqual(other["script"]["applied"], {"num_workers": 1})
        self.assertEqual(other["script"]["observed"]["num_workers"], 1)

    def launcher(self):
        return [self.python, "-m", "torch.distributed.run", "--nproc_per_node", "2",
                "--master_port", "29617"]

    def test_the_rank_that_the_others_wait_for_is_named(self):
        for reply in self.tune(*self.launcher(), self.script("ranks.py"), "late"):
            note, = self.notes_of(reply, is_late=True)
            self.assertRegex(note, r"^rank 1 takes \d+ % of a step longer .*: data wait ")

    def test_the_samples_of_ranks_are_summed(self):
        for reply in self.tune(*self.launcher(), self.script("ranks.py")):
            self.assertEqual(reply["script"]["ranks"], 2)
            self.assertAlmostEqual(self.samples_of_a_step(reply), 64, delta=3)  # an epoch's last


if __name__ == "__main__":
    agent_case.main()
