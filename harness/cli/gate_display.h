#pragma once

#include "gate/watcher.h"

#include <memory>
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

}  // namespace tune::cli
