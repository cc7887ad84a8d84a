#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::script {

// What the agent in a user's Python script notes, in the file notes.<rank> of a trial's folder:
// harness/worker/python/tune_agent/ring.py writes it and describes it byte by byte.

constexpr std::size_t kPageBytes = 4096, kRecordBytes = 16;

/// What happened. The subject is a loader's or a model's number where there is one.
enum class NoteKind : std::uint8_t {
  ask = 1,   ///< a loader is asked for a batch
  got,       ///< and gives one; number: its rows, 0 where they follow from loader and epoch
  end,       ///< and has no more
  iterate,   ///< a loader begins an epoch; number: of its dataset
  fetched,   ///< a batch came in another thread, some time before; number: its rows
  call,      ///< a model is called; number: rows, where there is no loader
  back,      ///< a backward pass begins
  back_end,  ///< and ends
  grad,      ///< torch.autograd.grad
  grad_end,
  step,      ///< an optimizer's step begins
  step_end,  ///< and ends
  clear,     ///< zero_grad
  clear_end,
  save,  ///< a checkpoint, of torch.save or of a framework
  save_end,
  loader,      ///< before `iterate`; number: samples of a batch, -1: not known
  epoch,       ///< before `iterate`; number: samples of the epoch, -1: not known
  mark,        ///< a command `mark` is obeyed: with the flag `begins` first, then without
  lost,        ///< notes are missing here; number: so far
  record,      ///< torch.profiler begins to record steps
  record_end,  ///< and ends
  optimizer,   ///< the script makes an optimizer
  unseen       ///< parameters are updated, and by no step of an optimizer that the agent sees
};
constexpr std::uint8_t kLastKind = static_cast<std::uint8_t>(NoteKind::unseen);

struct Note {
  NoteKind kind = NoteKind::ask;
  std::uint8_t flags = 0;
  std::uint16_t subject = 0;
  std::int32_t number = 0;
  std::int64_t moment_ns = 0;  ///< CLOCK_MONOTONIC

  bool with_gradients() const { return (flags & 1) != 0; }  ///< of `got` and `call`
  bool begins() const { return (flags & 1) != 0; }          ///< of `mark`
  bool operator==(const Note&) const = default;
};

/// The first page of the file.
struct RingHeader {
  std::int64_t rank = 0;
  std::int64_t capacity = 0, segment = 0;  ///< records: of the ring; of what is taken at once
  std::int64_t process = 0;
  std::int64_t made_ns = 0, made_realtime_ns = 0;  ///< CLOCK_MONOTONIC and CLOCK_REALTIME
  std::int64_t begun = 0, taken = 0;               ///< segments, over all laps
  std::int64_t dropped = 0;                        ///< records, rounded up to whole blocks
  bool operator==(const RingHeader&) const = default;
};

struct Notes {
  RingHeader header;
  std::vector<Note> notes;  ///< in the order of time
};

}  // namespace tune::script
