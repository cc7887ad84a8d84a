#pragma once

#include "cli/gate_request.h"
#include "cli/interruption.h"
#include "cli/open_gate.h"
#include "measure/campaign/locks.h"
#include "measure/gate/gate_result.h"
#include "measure/gate/run_process.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tune::cli {

/// Shows on standard error how far a gate is: a line for each process that ended and for each look,
/// and a sign of life every 10 s.
class GateDisplay : public gate::Watcher {
 public:
  virtual void phase_began(const std::string& phase) = 0;
  virtual void tick() = 0;
  virtual void say(const std::string& line) = 0;
  virtual void show_preparation(const std::string& what) = 0;
};

std::unique_ptr<GateDisplay> make_gate_display();

/// Only what went wrong.
std::unique_ptr<GateDisplay> make_quiet_gate_display();

/// Names the beginning and the run directory of a gate or a calibration: `<scenario><suffix>-<UTC>`
/// in tune-runs, or what -o says. Throws tune::Error.
void name_run(gate::GateResult& record, const GateRequest& request, const std::string& suffix);

/// What measures the processes of a gate or a calibration: the worker, the display, and the ears
/// for Ctrl-C. The machine's lock is the caller's.
class GateSitting {
 public:
  /// Throws tune::Error without a worker.
  GateSitting(gate::GateResult& record, const GateRequest& request);

  /// What came before does not count against --time.
  void begin_clock();

  /// Data, machine, seed. False when it was interrupted, which has been told.
  bool prepare(const GateSources& sources);

  /// Makes the run directory, and calls `measure` with what it needs of the world.
  void measure(const GateSources& sources,
               const std::string& greeting,
               const std::function<void(const gate::GateLoop&)>& measure);

  const Interruption& interruption() const { return interruption_; }
  const std::filesystem::path& worker() const { return worker_; }

  /// A line for whoever watches.
  void say(const std::string& line) { display_->say(line); }
  /// The same at most once in ten seconds: what lasts.
  void show_preparation(const std::string& what) { display_->show_preparation(what); }

 private:
  gate::GateResult& record_;
  const GateRequest& request_;
  std::int64_t start_ns_;
  std::filesystem::path worker_;
  Interruption interruption_;
  std::unique_ptr<GateDisplay> display_;
  std::optional<campaign::DirectoryLock> lock_;  ///< of the run directory, once there is one
};

}  // namespace tune::cli
