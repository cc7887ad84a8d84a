#include "worker/usable_cpus.h"

#include "machine/cpu_list.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <sys/types.h>

namespace tune::worker {

namespace {

std::vector<int>& limit() {
  static std::vector<int> cpus;
  return cpus;
}

bool is_bound_by_openmp() {
  constexpr std::array kVariables = {
      "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
  return std::any_of(kVariables.begin(), kVariables.end(), [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  });
}

}  // namespace

std::vector<int> usable_cpus() {
  if (!limit().empty()) {
    return limit();
  }
  std::vector<int> own = machine::allowed_cpus();
  const char* const text = std::getenv("TUNE_PARENT");
  const long starter = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  if (!is_bound_by_openmp() || starter <= 0 || starter > std::numeric_limits<pid_t>::max()) {
    return own;
  }
  const std::vector<int> of_starter = machine::allowed_cpus(static_cast<int>(starter));
  return of_starter.size() > own.size() ? of_starter : own;
}

void limit_cpus(const std::vector<int>& cpus) {
  limit() = cpus;
}

}  // namespace tune::worker
