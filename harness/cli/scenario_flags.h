#pragma once

#include "scenario/scenario.h"

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// Flags that change a scenario without a file of its own: `tune run` and `tune plan` take the
/// same.
struct ScenarioFlags {
  std::vector<std::string> sets, only;
  std::map<std::string, std::string> values;  ///< of the flags of settings, by key
  std::map<std::string, bool> switches;       ///< likewise, of those that take no value

  /// What the flag of this setting says, "true" of a switch; "" where it was not typed.
  std::string value_of(const std::string& key) const;

  /// Whether the flag of this setting was typed.
  bool has(const std::string& key) const;

  /// "key=value" in the words of --set, with TUNE_TIME where there is no --time. Throws
  /// tune::Error for what does not fit, naming where it comes from.
  std::vector<std::string> overrides() const;

  /// Where the budget of the scenario with these flags comes from: "--time", "--set",
  /// "environment variable TUNE_TIME", else "scenario".
  std::string budget_source() const;
};

/// Says on standard error what the environment has set in place of the scenario.
void tell_environment(const ScenarioFlags& flags);

/// Adds --set, --only, --rounds, --time, --seed, --strategy, --profile, --exhaustive, --shard and
/// --verify; `flags` outlives the command.
void add_scenario_flags(CLI::App& command, ScenarioFlags& flags);

/// The file's scenario, or that of standard input ("-"), with the flags applied. Throws
/// tune::Error.
scenario::Scenario read_with_overrides(const std::string& file,
                                       const std::vector<std::string>& overrides);

/// `<name>-gpu.yaml` in the folder of the scenario; "" where there is none.
std::string file_for_gpu(const std::string& file);

/// The file to plan or run: that for a GPU where there is one and trials would run on a GPU, else
/// the scenario itself. Parts of a run (`shard=`) keep it: those of another
/// machine do, too. Tells a choice on standard error unless `quiet`. Throws tune::Error.
std::string file_for_device(const std::string& file,
                            const std::vector<std::string>& overrides,
                            bool quiet);

/// Whether --only leaves nothing besides the baseline; then it has been said on standard error.
bool leaves_no_cell(const scenario::Scenario& scenario, const std::string& file);

}  // namespace tune::cli
