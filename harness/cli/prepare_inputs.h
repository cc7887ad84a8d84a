#pragma once

#include "base/error.h"
#include "scenario/scenario.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

/// Thrown by `show` to give up; whatever was half made is gone then.
struct PreparationInterrupted {
  ExitCode code = ExitCode::interrupted;
};

/// Data as the trials get them.
struct PreparedData {
  trial::Data data;
  std::vector<std::string> notes;  ///< what is not read of the user's own, a sentence each
};

/// The scenario's data: a generated set is made once into the cache, the user's own folder is
/// listed, the user's own file of tokens is looked at. `show` hears in words how far it is.
/// Throws tune::Error, about the user's own with the place of the scenario that names it.
PreparedData prepare_data(const scenario::Scenario& scenario,
                          const std::function<void(const std::string&)>& show);

/// The user's own data alone, as prepare_data() sees them; what tune makes is left as it is.
PreparedData describe_own_data(const scenario::Scenario& scenario);

/// How many samples an epoch has as far as that is known before the data are prepared: 0 where they
/// are listed first, or only a plug-in knows. Throws tune::Error about the user's own file of
/// tokens as prepare_data() does.
std::int64_t samples_known(const trial::Data& data, const trial::Workload& workload);

/// Throws tune::Error when the file of a model of the user's own is missing; `place` is where the
/// scenario names it.
void expect_model_file(const trial::Workload& workload, const std::string& place);

/// The same, and writes down which file it is: its SHA-256, which workers compare. Nothing for a
/// model of the catalogue.
void prepare_model(trial::Workload& workload, const std::string& place);

/// What a worker is asked before a campaign with a model of the user's own.
struct ModelCheck {
  std::filesystem::path scenario;  ///< named in complaints
  trial::Workload workload;        ///< as prepare_model() left it
  trial::Data data;                ///< whether it is the plug-in's own, and how many samples
  trial::KnobSettings knobs;       ///< of the baseline
  std::vector<std::pair<std::string, std::vector<trial::KnobValue>>> grid;
  std::int64_t timeout_ns = 120'000'000'000;  ///< of one trial
  std::filesystem::path worker;
  std::function<void(const std::string&)> show;  ///< as that of prepare_data()
};

ModelCheck model_check(const scenario::Scenario& scenario,
                       const std::filesystem::path& worker,
                       const std::function<void(const std::string&)>& show);

/// Has a worker make the model and run two steps of the baseline on resident batches, the second
/// one as small as the last of an epoch where that is known, and asks what knobs a plug-in has.
/// Throws tune::Error with what is wrong: the worker refuses (no such module, another LibTorch, a
/// shape that does not fit), the last batch of an epoch alone (an archive that was traced with one
/// size of batch), or the grid asks of the plug-in what it does not have. Nothing for a model of
/// the catalogue. What crashes, hangs, throws or runs out of memory is an outcome of trials, and
/// left to them.
void check_model(const ModelCheck& check);

/// Throws tune::Error where LD_PRELOAD's axis names a library that this machine does not have.
void expect_preloaded_libraries(const scenario::Scenario& scenario);

/// Looks at what the paths of a scenario name, the user's own model and data, before anything runs.
/// Gives what is not read of them, a sentence each. Throws tune::Error with everything that is not
/// there or cannot be used, each with its place in the scenario.
std::vector<std::string> look_at_own_files(const scenario::Scenario& scenario);

}  // namespace tune::cli
