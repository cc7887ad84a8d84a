#pragma once

#include <vector>

namespace tune::worker {

/// The CPUs that this process may use, in ascending order. An OpenMP library binds the first thread
/// to one of them before main() begins where OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY or
/// KMP_AFFINITY say so, although its other threads use the rest: then they are those of the process
/// that started this one (TUNE_PARENT). What limit_cpus() was called with last comes first.
std::vector<int> usable_cpus();

/// From now on these, to which the first thread has been limited.
void limit_cpus(const std::vector<int>& cpus);

}  // namespace tune::worker
