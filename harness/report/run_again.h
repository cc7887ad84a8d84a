#pragma once

#include "report/block.h"

#include <string>
#include <vector>

namespace tune::report {

/// What it takes to measure the same once more, as it is said; what is not known is empty.
struct RunAgain {
  std::vector<std::string> command;    ///< as it can be pasted: repeat_command()
  std::vector<std::string> overrides;  ///< of the scenario, on the command line
  std::string seed, scenario_file, scenario_sha256, version, commit;
};

/// 'Run it again', in every report: the command, and what it depends on.
Blocks run_again(const RunAgain& what);

}  // namespace tune::report
