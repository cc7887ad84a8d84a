#pragma once

#include "machine/probe/probe_record.h"

#include <vector>

namespace tune::probe {

/// memory_copy_rate by thread count (bytes read plus bytes written, far more than any cache holds)
/// and page_fault_rate of one thread: how fast the kernel makes new pages of 4 KiB.
std::vector<Number> memory_speed(const std::vector<int>& thread_counts, const Effort& effort);

/// 1, 2, 4, ... and the last one: at most five counts.
std::vector<int> thread_counts(int cpus);

}  // namespace tune::probe
