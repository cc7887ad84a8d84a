#pragma once

#include "measure/doctor/checks.h"
#include "measure/doctor/observation.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::doctor {

/// Machine and installation, looked at once.
struct Checkup {
  std::vector<Check> checks;  ///< group by group

  Level worst() const;  ///< `unknown` counts as fine
  std::size_t count(Level level) const;
};

Checkup examine(const Observation& observation);

/// One document: checks, facts, readings of the window, names that `forbid` may use. Schema
/// tune-doctor/1; additive.
std::string to_json(const Checkup& checkup, const Observation& observation, const std::string& utc);

/// "Debian GNU/Linux 12 (bookworm), kernel 6.1.0; AMD EPYC 9B14; 2 CPUs, 7.8 GiB".
std::string machine_line(const Observation& observation);

}  // namespace tune::doctor
