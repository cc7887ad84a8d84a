#pragma once

#include "result/result.h"

#include <string>

namespace tune::report {

/// Whether the run tried nothing but what can be put before a command: variables and CPUs.
bool seeks_launch_line(const result::Result& result);

/// "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 OMP_NUM_THREADS=2 python train.py": the
/// command with a cell's setting before it, as it can be pasted into a shell. A model of tune's own
/// has no command: then it says YOUR-COMMAND.
std::string launch_line(const result::Result& result, const result::Cell& cell);

/// The one line where fresh pairs have proven it, else that there is none: "no line is faster than
/// yours". "" of a run that sought none.
std::string launch_answer(const result::Result& result);

}  // namespace tune::report
