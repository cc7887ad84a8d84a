#pragma once

#include "report/block.h"
#include "result/result.h"

#include <string>
#include <vector>

namespace tune::report {

/// Whether the seed was drawn: neither the scenario nor the command says it.
bool is_seed_drawn(const result::Result& result);

/// The command that measures the same once more: as it was typed, without -o, for that folder now
/// holds this run, and with the seed where `is_seed_asked_for` and the command lacks it.
std::vector<std::string> repeat_command(const result::Provenance& provenance,
                                        bool is_seed_asked_for);

/// The command of a gate with the commits that it compared in place of the revisions that named
/// them: HEAD~1 is another commit tomorrow. `compared`: "HEAD~1 at 0123456789ab", a side in words.
std::vector<std::string> with_commits(std::vector<std::string> command,
                                      const std::vector<std::string>& compared);

struct SeedWords {
  std::string seed;           ///< "7, drawn"; "" where it is not known
  bool is_asked_for = false;  ///< the command needs it
  std::string lead = "Run it again:";
};

/// 'Run it again', in every report: the command, and what it depends on.
Blocks run_again(const result::Result& result, const SeedWords& words);

}  // namespace tune::report
