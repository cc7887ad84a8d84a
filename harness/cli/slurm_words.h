#pragma once

#include "runner/slurm.h"

#include <cstdint>
#include <set>
#include <string>

namespace tune::cli {

/// "1-3,7": tasks of an array.
std::string ranges_of(const std::set<std::int64_t>& numbers);

/// "2 running, 5 waiting (Resources)".
std::string queue_words(const runner::SlurmQueue& queue);

}  // namespace tune::cli
