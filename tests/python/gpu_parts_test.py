"""Parts of steps by events of a GPU, on a stand-in for torch.cuda. Needs no torch."""
import pathlib
import sys
import types
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness/worker/python"))
from tune_agent import gpu_parts, models, session  # noqa: E402
from tune_agent import ring as rings  # noqa: E402


class Gpu:
    """Its queue: the moment at which it will have done all that was asked of it, ms."""

    def __init__(self):
        self.done, self.recorded, self.fails_at = 0.0, 0, None

    def event(self, enable_timing):
        assert enable_timing
        return Event(self)


class Event:
    def __init__(self, gpu):
        self.gpu = gpu

    def record(self):
        if self.gpu.recorded == self.gpu.fails_at:
            raise RuntimeError("operation not permitted when stream is capturing")
        self.gpu.recorded += 1
        self.moment = self.gpu.done

    def elapsed_time(self, later):
        return later.moment - self.moment


# What a step asks of the GPU: a note, and how long what follows it takes there, ms.
STEP = ((rings.ASK, 3), (rings.GOT, 1), (rings.CLEAR, 2), (rings.CLEAR_END, 0.5), (rings.CALL, 10),
        (rings.BACK, 20), (rings.BACK_END, 0.25), (rings.STEP, 4), (rings.STEP_END, 0.125))
PARTS = {"data_wait_ns": 3, "transfer_ns": 1.5, "forward_ns": 10, "backward_ns": 20,
         "optimizer_ns": 6, "other_ns": 0.375}


class GpuParts(unittest.TestCase):
    def setUp(self):
        self.gpu = Gpu()
        cuda = types.SimpleNamespace(is_available=lambda: True, is_initialized=lambda: True,
                                     Event=self.gpu.event)
        weight = types.SimpleNamespace(device=types.SimpleNamespace(type="cuda"))
        root = types.SimpleNamespace(parameters=lambda: iter([weight]))
        self.patch(session, torch=types.SimpleNamespace(cuda=cuda), ring=rings.scouting_ring(),
                   spec={}, pending=[], notes=[], after_binding=[self.bind])
        self.patch(models, trained=lambda: [root])
        self.patch(gpu_parts, summed=None, _events=[], _ring=None)
        self.cuda, self.weight = cuda, weight
        self.bind()

    def patch(self, module, **values):
        patch = unittest.mock.patch.multiple(module, **values)
        patch.start()
        self.addCleanup(patch.stop)

    def bind(self):
        kinds = range(rings.ASK, rings.OPTIMIZER + 1)
        self.ticks = {kind: session.ring.tick(kind, 0, rings.GRADIENTS) for kind in kinds}
        self.quiet = session.ring.tick(rings.GOT)

    def train(self, steps, step=STEP):
        for _ in range(steps):
            for kind, length in step:
                while session.pending:
                    session.pending.pop()()
                (self.quiet if kind == "quiet" else self.ticks[kind])()
                self.gpu.done += length

    def expect(self, steps, parts=PARTS):
        self.assertTrue(gpu_parts.end())
        expected = {name: int(length * steps * 1e6) for name, length in parts.items()}
        self.assertEqual(gpu_parts.summed, dict(expected, steps=steps))
        self.assertEqual(session.notes, [])

    def test_parts_are_those_of_the_gpu(self):
        gpu_parts.begin()
        self.train(4)
        self.expect(3)  # the last one has no end

    def test_what_the_script_does_between_epochs_is_no_part(self):
        gpu_parts.begin()
        self.train(2, STEP + ((rings.END, 100), (rings.ITERATE, 50), (rings.SAVE, 7)))
        self.train(2)
        self.expect(3)

    def test_a_step_with_evaluation_is_left_out(self):
        gpu_parts.begin()
        self.train(2)
        self.train(1, (("quiet", 1000), (rings.CALL, 10)))
        self.train(3)
        self.expect(3)

    def test_a_script_without_a_loader(self):
        gpu_parts.begin()
        self.train(4, STEP[4:])
        self.expect(3, {"data_wait_ns": 0, "transfer_ns": 0, "forward_ns": 10, "backward_ns": 20,
                        "optimizer_ns": 4, "other_ns": 0.375})

    def test_the_notes_are_the_same_and_events_end(self):
        ring = session.ring
        gpu_parts.begin()
        self.assertIsNot(session.ring, ring)
        self.train(500)
        self.assertIs(session.ring, ring)
        self.assertEqual(self.gpu.recorded, gpu_parts._MOST_EVENTS)
        kinds = ring.bytes_written()[::rings.RECORD_BYTES]
        self.assertEqual(list(kinds), [kind for kind, _ in STEP] * 500)
        self.assertTrue(gpu_parts.end())

    def test_where_no_event_can_be_recorded_the_notes_go_on(self):
        self.gpu.fails_at = 25
        gpu_parts.begin()
        self.train(10)
        self.assertTrue(gpu_parts.end())
        self.assertEqual(gpu_parts.summed["steps"], 2)
        self.assertIn("capturing", session.notes[0])

    def test_without_a_gpu_there_are_none(self):
        ring = session.ring
        for owner, name, value in ((self.cuda, "is_available", lambda: False),
                                   (self.cuda, "is_initialized", lambda: False),
                                   (self.weight.device, "type", "cpu"),
                                   (self.cuda, "Event", None), (session, "spec", {"parts": False})):
            with unittest.mock.patch.object(owner, name, value):
                gpu_parts.begin()
            self.assertIs(session.ring, ring)
        self.train(3)
        self.assertFalse(gpu_parts.end())


if __name__ == "__main__":
    unittest.main(verbosity=2)
