#pragma once

#include "scenario/scenario.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

/// Throws tune::Error when the file of a model of the user's own is not there; `place` is where the
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
/// size of batch), or the grid asks of the plug-in what it does not have. Nothing for a model of the
/// catalogue. What crashes, hangs, throws or runs out of memory is an outcome of trials, and left to
/// them.
void check_model(const ModelCheck& check);

}  // namespace tune::cli
