#include "doctor/checkup.h"

#include "base/units.h"
#include "doctor/checks.h"

#include <algorithm>
#include <iterator>

namespace tune::doctor {

namespace {

void add(Checkup& checkup, const char* group, std::vector<Check> checks) {
  for (Check& check : checks) {
    check.group = group;
  }
  std::move(checks.begin(), checks.end(), std::back_inserter(checkup.checks));
}

}  // namespace

Level Checkup::worst() const {
  Level worst = Level::ok;
  for (const Check& check : checks) {
    if (check.level != Level::unknown && check.level > worst) {
      worst = check.level;
    }
  }
  return worst;
}

std::size_t Checkup::count(Level level) const {
  return static_cast<std::size_t>(std::count_if(
      checks.begin(), checks.end(), [&](const Check& check) { return check.level == level; }));
}

Checkup examine(const Observation& observation) {
  Checkup checkup;
  add(checkup, "load", load_checks(observation));
  add(checkup, "processor", processor_checks(observation));
  add(checkup, "memory", memory_checks(observation));
  add(checkup, "storage", storage_checks(observation));
  add(checkup, "limits", limit_checks(observation));
  add(checkup, "gpu", gpu_checks(observation));
  add(checkup, "installation", installation_checks(observation));
  return checkup;
}

std::string machine_line(const Observation& observation) {
  const machine::MachineFacts& facts = observation.machine;
  const auto known = [](const std::string& text, const char* otherwise) {
    return text.empty() ? std::string(otherwise) : text;
  };
  return known(facts.distribution, "an unknown distribution") + ", kernel " +
         known(facts.kernel, "unknown") + "; " + known(facts.cpu_model, "an unknown CPU") + "; " +
         std::to_string(facts.cpus) + (facts.cpus == 1 ? " CPU, " : " CPUs, ") +
         format_bytes(facts.memory_limit_bytes);
}

}  // namespace tune::doctor
