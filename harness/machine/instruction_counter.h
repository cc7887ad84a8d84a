#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::machine {

/// Instructions that a process executes in user mode, as the processor counts them
/// (perf_event_open(2)): how much work its code does, whoever else uses the machine. It counts the
/// threads that the process has when the counter is made, and all that they start later; processes
/// that it starts are not counted (before Linux 5.13 they are).
class InstructionCounter {
 public:
  /// What is counted: `type` and `config` of perf_event_attr. Tests count what a machine without
  /// the hardware's counter has.
  struct Event {
    std::uint32_t type;
    std::uint64_t config;
  };
  static const Event kInstructions;

  /// `process`: an id; 0 is this process.
  explicit InstructionCounter(int process = 0, const Event& event = kInstructions);
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;

  /// Since the counter was made. Nothing when the kernel or the hypervisor has no such counter for
  /// us, or when other counters left this one only a part of the time, which the kernel scales up
  /// to an estimate.
  std::optional<std::int64_t> read();

  /// Why there is nothing: "perf_event_open: No such file or directory"; "" when there is.
  const std::string& problem() const { return problem_; }

 private:
  void close_all();

  std::vector<int> threads_;  // one descriptor each
  std::string problem_;
};

}  // namespace tune::machine
