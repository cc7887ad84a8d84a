"""How the agent comes into a script, stays out of the way, and how trials end."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

import trial
from agent_case import HERE, AgentCase, empty_folder, main


class Attaching(AgentCase):
    def test_children_that_train_are_the_ones_that_are_measured(self):
        for how in ("fork", "spawn", "subprocess", "exec"):
            with self.subTest(how):
                outcome, grouped = self.measure("child.py", how, steps=20)
                self.assertEqual(self.samples_of_window(grouped), [16])

    def test_a_child_may_get_its_loaders_from_its_parent(self):
        outcome, grouped = self.measure("sends_loaders.py", steps=60)
        self.assertEqual(self.samples_of_window(grouped), [16])
        self.assertNotIn("Traceback", outcome.text())

    def test_a_module_with_a_copied_dict_computes_with_its_own_parameters(self):
        alone = subprocess.run([self.python, HERE / "scripts/clones.py", "40"], capture_output=True, text=True)
        outcome, grouped = self.measure("clones.py", steps=60)
        self.assertEqual(self.samples_of_window(grouped), [16])
        losses = [re.findall("loss .*", text) for text in (alone.stdout, outcome.text())]
        self.assertEqual((len(losses[0]), losses[0]), (2, losses[1]))

    def test_odd_arguments_lose_no_fact(self):
        outcome, grouped = self.measure("odd_arguments.py", steps=60)
        self.assertEqual(self.samples_of_window(grouped), [16])
        facts = outcome.facts[0]
        self.assertEqual((facts["problems"], facts["loaders"][0]["pin_memory"]), ([], False))
        self.assertEqual([o["foreach"] for o in facts["observed"]["optimizers"]], [False])

    def test_ranks_of_torchrun_end_at_the_same_step(self):
        launcher = ("-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2")
        self.expect_ranks(launcher=launcher)

    def test_ranks_of_spawn_end_at_the_same_step(self):
        self.expect_ranks("spawn", str(20000 + os.getpid() % 20000))

    def expect_ranks(self, *arguments, **options):
        outcome, grouped = self.measure("ranks.py", *arguments, ranks=2, steps=20, **options)
        self.assertEqual(self.samples_of_window(grouped), [32])
        steps = [outcome.notes[rank].count("step_end") for rank in (0, 1)]
        self.assertEqual(steps[0], steps[1])
        self.assertEqual(outcome.facts[1]["how"], "measured")
        # A mark may be seen a step sooner or later; steps have the same numbers on all ranks.
        self.assertEqual(len(self.group(rank=1).steps), len(grouped.steps))

    def test_nothing_is_left_in_shared_memory(self):
        name = "/tune-test-%d-" % os.getpid()
        outcome, _ = self.measure("spawns.py", name)
        self.assertEqual(list(pathlib.Path("/dev/shm").glob("sem." + name[1:] + "*")), [])
        registered = re.search("registered (.*)", outcome.text()).group(1)
        self.assertFalse(os.path.exists(registered))

    def test_no_folder_of_killed_workers_is_left(self):
        temporary = self.folder.parent / "tmp"
        for script in ("iterable.py", "spawns.py"):
            temporary.mkdir(exist_ok=True)
            self.measure(script, "/tune-test-%d-" % os.getpid(), extra={"TMPDIR": str(temporary)})
            self.assertEqual(list(temporary.glob("pymp-*")), [])

    def test_who_trains_only_after_the_trial_ends(self):
        for arguments in ((), ("another",)):
            outcome = self.run_script("late.py", *arguments)
            self.assertEqual((outcome.code, outcome.facts), (0, {}))
            self.assertIn("step 0", outcome.text())
            self.assertNotIn("step 5", outcome.text())

    def test_a_script_outside_of_the_shield_says_so(self):
        inside = str(os.stat("/proc/self/ns/mnt").st_ino)
        for view, is_outside in (("1", True), (inside, False), ("", False)):
            outcome = self.run_script("plain.py", extra={"TUNE_SHIELD": view})
            self.assertEqual("outside of tune's shield" in str(outcome.facts[0]["problems"]), is_outside)

    def test_a_kill_loses_no_note(self):
        process_done = threading.Event()

        def kill():
            path = self.folder / "notes.0"
            while not process_done.is_set():
                if path.exists() and path.stat().st_size > trial.HEADER_BYTES:
                    notes = trial.Notes(path)
                    if notes.count("step_end") > 50:
                        pid = int.from_bytes(notes.page[40:48], "little")
                        return os.kill(pid, signal.SIGKILL)
                time.sleep(0.01)

        killer = threading.Thread(target=kill)
        killer.start()
        outcome = self.run_script("plain.py", warmup=10**9)
        process_done.set()
        killer.join()
        self.assertEqual(outcome.code, -signal.SIGKILL)
        self.assertGreater(len(self.group().steps), 49)

    def test_a_script_that_ends_before_the_window(self):
        outcome = self.run_script("short.py")
        self.assertEqual(outcome.code, 0)
        self.assertEqual(outcome.facts[0]["how"], "ended")
        self.assertEqual([step.samples for step in self.group().steps], [16, 16, 16, 12])
        self.assertEqual(outcome.phases, ["setup", "first-batch", "warmup", "done"])

    def test_a_script_that_fails_shows_its_own_traceback(self):
        for what, kind in (("data", "threw"), ("memory", "out-of-memory")):
            with self.subTest(what):
                outcome = self.run_script("fails.py", what)
                self.assertEqual(outcome.code, 1)
                self.assertEqual(outcome.facts[0]["failure"]["kind"], kind)
                self.assertIn("fails.py", outcome.text())
                self.assertNotIn("tune_agent", outcome.text())

    def test_a_script_that_never_trains(self):
        outcome = self.run_script("inference.py")
        self.assertEqual(outcome.code, 0)
        self.assertEqual(outcome.facts[0]["how"], "no-step")
        self.assertFalse((self.folder / "notes.0").exists())

    def test_a_script_without_torch_is_left_alone(self):
        outcome = self.run_script("no_torch.py")
        self.assertEqual((outcome.code, outcome.text()), (0, "hello"))

    def test_a_script_that_catches_everything_is_ended(self):
        outcome, _ = self.measure("swallows.py")
        self.assertNotIn("swallowed", outcome.text())

    def test_a_script_that_leaves_by_os_exit_has_left_its_notes(self):
        outcome = self.run_script("leaves.py", warmup=10**9)
        self.assertEqual(outcome.code, 3)
        self.assertEqual(len(self.group().steps), 29)

    def test_where_a_script_hangs_is_seen(self):
        self.run_script("slow.py", spec={"stacks_after": 1}.items(), steps=5)
        seen = "".join(path.read_text() for path in self.folder.glob("stacks.*"))
        self.assertIn("\nthe script is in make_index (slow.py:", seen)

    def test_a_launcher_does_not_hide_where_its_script_hangs(self):
        launcher = ("-m", "torch.distributed.run", "--nproc_per_node", "1", "--master_port", "29619")
        self.run_script("slow.py", launcher=launcher, spec={"stacks_after": 1}.items(), steps=5)
        newest = max(self.folder.glob("stacks.*"), key=lambda path: path.stat().st_mtime_ns)
        self.assertIn("\nthe script is in make_index (slow.py:", newest.read_text())

    def test_a_script_that_only_computes_is_asked_for_what_to_count(self):
        self.run_script("inference.py", "3", spec={"stacks_after": 1}.items())
        seen = "".join(path.read_text() for path in self.folder.glob("stacks.*"))
        self.assertIn("say --count batches\n", seen)

    def test_steps_are_recorded_on_command(self):
        outcome, grouped = self.measure("plain.py", profile={"warmup": 1, "active": 3})
        self.assertEqual(grouped.numbers["recorded"], 4)
        self.assertEqual(outcome.facts[0]["profile"]["file"], "trace.json.gz")
        self.assertTrue((self.folder / "trace.json.gz").stat().st_size > 1000)

    def test_files_that_are_written_are_listed(self):
        outcome = self.run_script("short.py", spec={"watch_files": True}.items(),
                                  cwd=self.place.name)
        written = [path.rsplit("/", 1)[1] for path in outcome.facts[0]["written"]]
        self.assertIn("short.pt", written)

    def test_the_curve_of_workers_is_measured_between_two_steps(self):
        asked = {"worker_curve": True}.items()
        outcome, grouped = self.measure("images.py", spec=asked)
        curve = outcome.facts[0]["worker_curve"]
        self.assertEqual((curve.get("reason"), curve["loader"], curve["num_workers"], curve["samples"]), (None, 0, 0, 8))
        for name in ("sample_s", "fetch_s", "worker_s", "receive_s"):
            low, middle, high = curve[name]
            self.assertTrue(0 < low <= middle <= high, (name, curve))
        self.assertLess(curve["sample_s"][1], curve["fetch_s"][1])
        self.assertGreater(curve["worker_bytes"], 1 << 20)
        self.assertEqual(self.samples_of_window(grouped), [8])  # its batches are nobody's

    def test_a_stream_has_no_curve(self):
        outcome, _ = self.measure("iterable.py", spec={"worker_curve": True}.items())
        self.assertEqual(outcome.facts[0]["worker_curve"]["reason"], "its dataset is a stream")
        outcome, grouped = self.measure("read_once.py", spec={"worker_curve": True}.items())
        self.assertIn("can be read only once", outcome.facts[0]["worker_curve"]["reason"])
        self.assertEqual(self.samples_of_window(grouped), [16])

    def test_a_full_disk_does_not_break_the_script(self):
        outcome = self.run_script("short.py", spec={"notes_capacity": 1 << 50}.items())
        self.assertEqual(outcome.code, 0, outcome.text())
        self.assertIn("trained", outcome.text())

    def test_the_second_way_in(self):
        if self.torch < (2, 5):
            self.skipTest("this torch has no entry points")
        hidden = pathlib.Path(self.place.name) / "first"
        hidden.mkdir()
        (hidden / "sitecustomize.py").write_text("")
        path = os.pathsep.join([str(hidden), str(trial.AGENT)])
        outcome, _ = self.measure("plain.py", extra={"PYTHONPATH": path}.items())
        self.assertEqual(outcome.facts[0]["attached"], "torch.backends")


class Asleep(unittest.TestCase):
    """Without a trial, and beside a sitecustomize of somebody's own. Needs no torch."""

    def run_python(self, text, **variables):
        known = {k: v for k, v in os.environ.items() if k != "TUNE_TRIAL"}
        done = subprocess.run([sys.executable, "-c", text], env=dict(known, **variables),
                              capture_output=True, text=True)
        return done.stdout + done.stderr

    def test_nothing_is_there_without_a_trial(self):
        text = "import sys; print([m for m in sys.modules if 'tune' in m], %r in sys.path)"
        self.assertEqual(self.run_python(text % str(trial.AGENT), PYTHONPATH=str(trial.AGENT)),
                         "[] False\n")

    def test_the_users_sitecustomize_runs(self):
        with empty_folder() as place:
            (place / "sitecustomize.py").write_text("print('mine', __file__.endswith('.py'))")
            path = os.pathsep.join([str(trial.AGENT), str(place)])
            text = self.run_python("import sitecustomize", PYTHONPATH=path)
            self.assertEqual(text, "mine True\n")

    def test_an_error_of_the_users_sitecustomize_is_shown_as_ever(self):
        with empty_folder() as place:
            (place / "sitecustomize.py").write_text("raise KeyError('mine')")
            alone = self.run_python("print(1)", PYTHONPATH=str(place))
            path = os.pathsep.join([str(trial.AGENT), str(place)])
            ours = self.run_python("print(1)", PYTHONPATH=path)
            self.assertIn("KeyError: 'mine'", alone)
            self.assertIn("KeyError: 'mine'", ours)

    def test_a_broken_trial_does_not_break_the_script(self):
        with empty_folder() as place:
            text = self.run_python("print(1)", PYTHONPATH=str(trial.AGENT), TUNE_TRIAL=str(place))
            self.assertTrue(text.startswith("1\ntune: not attached: "), text)
            (place / "spec.json").write_text(json.dumps([1]))
            text = self.run_python("print(1)", PYTHONPATH=str(trial.AGENT), TUNE_TRIAL=str(place))
            self.assertIn("1\n", text)


if __name__ == "__main__":
    main()
