#include "cli/prepare_inputs.h"

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/observe_script.h"
#include "dataset/data_set.h"
#include "dataset/generated_tokens.h"
#include "dataset/image_folder.h"
#include "dataset/token_bin.h"
#include "machine/preloaded_library.h"
#include "machine/user_folders.h"
#include "measure/runner/run_trial.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"
#include "trial/workload_catalog.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <system_error>
#include <unistd.h>

namespace tune::cli {

namespace {

using dataset::MakingProgress;

std::string words(const dataset::GeneratedSpec& spec, const MakingProgress& progress) {
  if (progress.stage == MakingProgress::Stage::waiting) {
    return "waiting: another process makes this data set";
  }
  return "making " + std::to_string(progress.total) + " images of profile " + spec.profile +
         " (about " + format_bytes(dataset::estimated_bytes(spec)) +
         ", once): " + std::to_string(progress.done) + " done";
}

std::string words(const dataset::TokenSpec& spec, const MakingProgress& progress) {
  if (progress.stage == MakingProgress::Stage::waiting) {
    return "waiting: another process makes this data set";
  }
  return "making " + std::to_string(spec.tokens) +
         " tokens (once): " + std::to_string(progress.done) + " done";
}

// As many as the sequences take, and the one after the last.
dataset::TokenSet make_tokens(const scenario::Scenario& scenario,
                              const std::function<void(const std::string&)>& show) {
  dataset::TokenSpec spec;
  spec.tokens = scenario.data.samples * trial::sequence_length(scenario.workload) + 1;
  spec.vocabulary = trial::vocabulary(scenario.workload);
  return dataset::make_generated_tokens(
      spec, machine::cache_folder(), [&](const MakingProgress& progress) {
        show(words(spec, progress));
      });
}

std::int64_t count_sequences(const dataset::TokenSet& set, const trial::Workload& workload) {
  return dataset::count_sequences(
      set,
      trial::sequence_length(workload),
      workload.own.exists() ? "workload.input" : "workload.params.sequence_length");
}

void describe(const dataset::TokenSet& set, const trial::Workload& workload, trial::Data& data) {
  data.path = set.file.string();
  data.samples = count_sequences(set, workload);
  data.manifest_sha256 = set.manifest_sha256;
}

}  // namespace

PreparedData describe_own_data(const scenario::Scenario& scenario) {
  PreparedData prepared{.data = scenario.data, .notes = {}};
  trial::Data& data = prepared.data;
  try {
    if (data.source == "image-folder") {
      const dataset::DataSet set =
          dataset::describe_image_folder(data.path, scenario.workload.classes);
      data.path = set.root.string();
      data.samples = set.samples;
      data.manifest_sha256 = set.manifest_sha256;
      if (std::string text = dataset::unread_images_text(set.skipped); !text.empty()) {
        prepared.notes.push_back(data.path + ": " + text);
      }
    } else if (data.source == "token-bin") {
      describe(dataset::describe_token_bin(data.path), scenario.workload, data);
    }
  } catch (const MachineError& error) {
    throw MachineError(at_place(scenario.data_place, error));
  } catch (const Error& error) {
    throw Error(at_place(scenario.data_place, error));
  }
  return prepared;
}

PreparedData prepare_data(const scenario::Scenario& scenario,
                          const std::function<void(const std::string&)>& show) {
  PreparedData prepared{.data = scenario.data, .notes = {}};
  trial::Data& data = prepared.data;
  if (data.source == "generated-jpeg") {
    dataset::GeneratedSpec spec;
    spec.profile = data.profile;
    spec.samples = data.samples;
    spec.classes = scenario.workload.classes;
    const dataset::DataSet set =
        dataset::make_generated(spec, machine::cache_folder(), [&](const MakingProgress& progress) {
          show(words(spec, progress));
        });
    data.path = set.root.string();
    data.manifest_sha256 = set.manifest_sha256;
  } else if (data.source == "generated-tokens") {
    describe(make_tokens(scenario, show), scenario.workload, data);
  } else {
    prepared = describe_own_data(scenario);
  }
  return prepared;
}

std::int64_t samples_known(const trial::Data& data, const trial::Workload& workload) {
  return data.source == "token-bin" && data.samples == 0
             ? count_sequences(dataset::describe_token_bin(data.path), workload)
             : data.samples;
}

namespace {

namespace fs = std::filesystem;
using trial::OwnModel;

constexpr std::int64_t kLongestNs = 60'000'000'000;
constexpr std::int64_t kTickNs = 100'000'000;

const char* maker_of(OwnModel::Kind kind) {
  return kind == OwnModel::Kind::plugin    ? "a plug-in is built before it is measured"
         : kind == OwnModel::Kind::package ? "torch._inductor.aoti_compile_and_package writes one"
                                           : "torch.jit.save writes one";
}

// For this process alone; gone with the object.
class CheckFolder {
 public:
  CheckFolder() : path_(machine::runtime_folder() / ("model-check-" + std::to_string(getpid()))) {
    machine::make_private_folder(path_);
  }
  ~CheckFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  CheckFolder(const CheckFolder&) = delete;
  CheckFolder& operator=(const CheckFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::int64_t batch_size(const trial::KnobSettings& knobs) {
  const auto* const size = std::get_if<std::int64_t>(&knobs.at("batch_size"));
  return size == nullptr ? 1 : *size;
}

/// Samples of the batches of the baseline's epochs.
struct Batches {
  std::int64_t usual = 1;
  std::int64_t last = 0;  ///< 0: as many as usual, or nobody knows yet
};

Batches batches_of(const ModelCheck& check) {
  const std::int64_t size = batch_size(check.knobs);
  const bool is_plugins = check.data.source == "plugin";
  const std::int64_t samples = is_plugins ? 0 : samples_known(check.data, check.workload);
  if (samples == 0 || check.data.drop_last) {
    return {.usual = size};
  }
  return samples < size ? Batches{.usual = samples}
                        : Batches{.usual = size, .last = samples % size};
}

// The first step that any trial of the baseline would take, and one more, without its data.
trial::TrialSpec spec_of(const ModelCheck& check, const Batches& batches, const fs::path& folder) {
  trial::TrialSpec spec;
  spec.id = "model-check";
  spec.cell = "baseline";
  spec.workload = check.workload;
  if (check.data.source == "plugin") {
    spec.data = check.data;
  } else {
    spec.data.samples = batches.usual + batches.last;
  }
  spec.knobs = check.knobs;
  spec.measure = {.warmup_steps = 0, .warmup_ns = 0, .slices = 1, .slice_ns = 0, .slice_steps = 1};
  spec.timeout_ns = std::min(check.timeout_ns, kLongestNs);
  spec.folder = (folder / spec.id).string();
  return spec;
}

// Throws PreparationInterrupted as check.show does, but not out of a trial that runs.
runner::TrialOutcome run(const ModelCheck& check, const trial::TrialSpec& spec) {
  std::atomic<int> stop = 0;
  runner::RunOptions options;
  options.worker = check.worker;
  options.stop = &stop;
  options.tick_ns = kTickNs;
  options.on_tick = [&] {
    try {
      check.show("trying " + check.workload.model + " before the first trial");
    } catch (const PreparationInterrupted&) {
      stop = 2;
    }
  };
  runner::TrialOutcome outcome = runner::run_trial(spec, options);
  if (stop != 0) {
    throw PreparationInterrupted();
  }
  return outcome;
}

// Only if it is the last batch that the model does not take: full ones are tried alone.
void refuse_last_batch(const ModelCheck& check,
                       const Batches& batches,
                       const std::string& reason,
                       const fs::path& folder) {
  trial::TrialSpec spec = spec_of(check, {.usual = batches.usual}, folder);
  spec.id += "-full";
  spec.folder = (folder / spec.id).string();
  if (run(check, spec).kind != runner::OutcomeKind::refused) {
    throw Error(Error::Parts{typed_path(check.scenario),
                             "the last batch of an epoch has " + std::to_string(batches.last) +
                                 " samples in place of " + std::to_string(batches.usual),
                             reason,
                             "drop_last: true"});
  }
}

class KnobCheck {
 public:
  KnobCheck(const ModelCheck& check, const std::vector<trial::Knob>& declared)
      : file_(typed_path(check.scenario)),
        plugin_(fs::path(check.workload.own.path).filename().string()),
        declared_(declared) {}

  void look_at(const char* section,
               const std::string& name,
               const std::vector<trial::KnobValue>& values) {
    const std::string place = "'" + std::string(section) + "." + name + "'";
    const auto knob = std::find_if(declared_.begin(),
                                   declared_.end(),
                                   [&](const trial::Knob& each) { return each.name == name; });
    if (knob == declared_.end()) {
      complain_unknown(place, name);
      return;
    }
    for (const trial::KnobValue& value : values) {
      if (const std::string problem = complaint_about(*knob, value); !problem.empty()) {
        std::string what = place;
        what.append(" ").append(problem).append(", says ").append(plugin_);
        complain(what, "is " + trial::to_text(value), "");
      }
    }
  }

  void throw_if_any() const {
    if (!complaints_.empty()) {
      throw Error(complaints_);
    }
  }

 private:
  void complain_unknown(const std::string& place, const std::string& name) {
    std::vector<std::string> names;
    std::string list;
    for (const trial::Knob& each : declared_) {
      names.push_back(each.name);
      list += (list.empty() ? "" : ", ") + each.name;
    }
    complain(place + " is not a knob of " + plugin_,
             list.empty() ? "it has none" : "its knobs: " + list,
             did_you_mean(name, names));
  }

  void complain(std::string problem, std::string why, std::string suggestion) {
    complaints_.push_back({file_, std::move(problem), std::move(why), std::move(suggestion)});
  }

  std::string file_, plugin_;
  const std::vector<trial::Knob>& declared_;
  std::vector<Error::Parts> complaints_;
};

void check_knobs(const ModelCheck& check, const std::vector<trial::Knob>& declared) {
  KnobCheck knobs(check, declared);
  for (const auto& [name, value] : trial::plugin_knobs(check.knobs)) {
    knobs.look_at("baseline", name, {value});
  }
  for (const auto& [name, axis] : check.grid) {
    if (trial::is_plugin_knob(name)) {
      knobs.look_at("grid", name, axis);
    }
  }
  knobs.throw_if_any();
}

}  // namespace

void expect_model_file(const trial::Workload& workload, const std::string& place) {
  const OwnModel& own = workload.own;
  std::error_code failed;
  if (own.exists() && !fs::is_regular_file(own.path, failed)) {
    throw Error(Error::Parts{place,
                             "workload." + std::string(trial::key_of(own.kind)) +
                                 ": there is no file " + typed_path(fs::path(own.path)),
                             maker_of(own.kind),
                             ""});
  }
}

void prepare_model(trial::Workload& workload, const std::string& place) {
  expect_model_file(workload, place);
  if (workload.own.exists()) {
    workload.own.sha256 = sha256_file_hex(workload.own.path);
  }
}

ModelCheck model_check(const scenario::Scenario& scenario,
                       const fs::path& worker,
                       const std::function<void(const std::string&)>& show) {
  ModelCheck check;
  check.scenario = scenario.file;
  check.workload = scenario.workload;
  check.data = scenario.data;
  check.knobs = scenario.baseline;
  check.grid = scenario.grid;
  check.timeout_ns = scenario.trial_timeout_ns;
  check.worker = worker;
  check.show = show;
  return check;
}

void check_model(const ModelCheck& check) {
  if (!check.workload.own.exists()) {
    return;
  }
  const CheckFolder folder;
  const Batches batches = batches_of(check);
  const runner::TrialOutcome outcome = run(check, spec_of(check, batches, folder.path()));
  if (outcome.kind == runner::OutcomeKind::refused) {
    if (batches.last > 0) {
      refuse_last_batch(check, batches, outcome.reason, folder.path());
    }
    throw Error(Error::Parts{typed_path(check.scenario), outcome.reason, "", ""});
  }
  if (outcome.reply) {
    check_knobs(check, outcome.reply->own_knobs);
  }
}

void expect_preloaded_libraries(const scenario::Scenario& scenario) {
  const std::string knob = std::string(trial::kEnvironmentKnob) + "LD_PRELOAD";
  std::vector<trial::KnobValue> words;
  if (const auto usual = scenario.baseline.find(knob); usual != scenario.baseline.end()) {
    words.push_back(usual->second);
  }
  for (const auto& [name, axis] : scenario.grid) {
    if (name == knob) {
      words.insert(words.end(), axis.begin(), axis.end());
    }
  }
  for (const trial::KnobValue& word : words) {
    machine::preloaded_library(trial::to_text(word));
  }
}

std::vector<std::string> look_at_own_files(const scenario::Scenario& scenario) {
  std::vector<Error::Parts> problems;
  std::vector<std::string> notes;
  const auto look = [&](const auto& at_something) {
    try {
      at_something();
    } catch (const MachineError&) {
      throw;
    } catch (const Error& error) {
      problems.insert(problems.end(), error.complaints().begin(), error.complaints().end());
    }
  };
  look([&] { expect_script_folder(scenario); });
  look([&] { expect_model_file(scenario.workload, scenario.model_place); });
  look([&] { expect_preloaded_libraries(scenario); });
  look([&] { notes = describe_own_data(scenario).notes; });
  if (!problems.empty()) {
    throw Error(problems);
  }
  return notes;
}

}  // namespace tune::cli
