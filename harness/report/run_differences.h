#pragma once

#include "result/result.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// One of the two that `tune compare` puts beside each other.
struct ComparedRun {
  std::string name;  ///< as the user named it
  result::Result result;
  /// Variables that its workers inherited: "OMP_NUM_THREADS=2". Nothing: not known.
  std::optional<std::vector<std::string>> variables;
};

/// Something that was not the same.
struct RunDifference {
  std::string what;  ///< "CPU", "LibTorch", "data"
  std::string a, b;  ///< "" where only checksums are known
  std::string code;  ///< "OTHER_CPU": report/reason_code.h
  /// Another machine, text of the scenario or data: the numbers answer different questions.
  bool is_obstacle = false;
};

/// What was not the same but for the setting: what gate::differences() looks at, and the programs.
/// What one of them does not know is not compared.
std::vector<RunDifference> run_differences(const ComparedRun& a, const ComparedRun& b);

/// "CPUs 4 -> 2", "text of the scenario".
std::string words_of(const RunDifference& difference);

}  // namespace tune::report
