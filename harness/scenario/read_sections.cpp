#include "scenario/read_sections.h"

#include "base/units.h"
#include "scenario/read_own_model.h"
#include "scenario/read_params.h"
#include "scenario/section.h"
#include "trial/time_limits.h"
#include "trial/workload_catalog.h"

#include <algorithm>
#include <initializer_list>

namespace tune::scenario {

namespace {

constexpr std::int64_t kSyntheticSamples = 1024, kGeneratedSamples = 2000, kSequences = 4096;

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

void read_workload(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "workload", complaints);
  trial::Workload& workload = scenario.workload;
  section.read("model", workload.model);
  section.read("task", workload.task);
  section.read("image_size", workload.image_size);
  section.read("classes", workload.classes);
  section.read("optimizer", workload.optimizer);
  section.read("lr", workload.lr);
  section.read("momentum", workload.momentum);
  section.read("weight_decay", workload.weight_decay);
  section.read_seed("seed", workload.seed);
  section.read("log_every", workload.log_every);
  section.read("checkpoint_every", workload.checkpoint_every);
  section.read("device", workload.device);
  section.read("build", scenario.build);
  read_own_model(root, scenario, complaints);
  const trial::WorkloadEntry* const entry = trial::find_workload(workload.model);
  if (entry != nullptr &&
      std::find(entry->tasks.begin(), entry->tasks.end(), workload.task) == entry->tasks.end()) {
    section.complain("task", quote(workload.model) + " has no task " + quote(workload.task));
  }
  read_params(root, workload, complaints);
}

void read_data(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "data", complaints);
  trial::Data& data = scenario.data;
  section.read("source", data.source);
  section.read("path", data.path);
  section.read("profile", data.profile);
  section.read("on_error", data.on_error);
  section.read_ratio("max_error_ratio", data.max_error_ratio);
  section.read("drop_last", data.drop_last);
  const bool generated = data.source == "generated-jpeg";
  const bool folder = data.source == "image-folder";
  const bool tokens = data.source == "token-bin";
  data.samples = generated                           ? kGeneratedSamples
                 : folder || tokens                  ? 0
                 : data.source == "generated-tokens" ? kSequences
                                                     : kSyntheticSamples;
  section.read("samples", data.samples);

  const std::string source = quote(data.source);
  if (data.source == "tar") {
    section.complain("source", "source " + source + " is not available in this version");
    return;
  }
  if ((folder || tokens) && section.find("path") == nullptr) {
    section.complain("path",
                     "source " + source + " needs 'path'",
                     folder ? "a folder with one sub-folder a class"
                            : "a file of tokens of 16 bits, one after the other");
  }
  if (!folder && !tokens && section.find("path") != nullptr) {
    section.complain(
        "path", "source " + source + " takes no 'path'", "it is for image-folder and token-bin");
  }
  if (!generated && section.find("profile") != nullptr) {
    section.complain(
        "profile", "source " + source + " takes no 'profile'", "it is for generated-jpeg");
  }
  if ((folder || tokens) && section.find("samples") != nullptr) {
    section.complain("samples",
                     "source " + source + " takes no 'samples'",
                     folder ? "all files are used" : "all of the file is used");
  }
  if (is_one_of(data.profile, {"smooth", "large", "skew", "big-batch"})) {
    section.complain("profile",
                     "profile " + quote(data.profile) + " is not available in this version",
                     "imagenet, tiny and faults are");
  }
  if (generated && data.profile.empty()) {
    data.profile = "imagenet";
  }
  if ((folder || tokens) && !data.path.empty()) {
    data.path = (scenario.file.parent_path() / data.path).lexically_normal().string();
    scenario.data_place = complaints.place(section.mark_of("path"));
  }
}

void read_measure(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "measure", complaints);
  trial::Measure& measure = scenario.measure;
  section.read("slices", measure.slices);
  section.read_time("slice", measure.slice_ns, trial::kLongestTrialNs);
  section.read("slice_steps", measure.slice_steps);
  section.read("rounds", scenario.rounds);
  section.read_time("trial_timeout", scenario.trial_timeout_ns, trial::kLongestTrialNs);
  const YamlNode* const warmup = section.find("warmup");
  scenario.warmup_is_auto = warmup == nullptr || warmup->text == "auto";
  if (warmup != nullptr && warmup->kind == YamlNode::Kind::whole) {
    measure.warmup_steps = warmup->whole;
    measure.warmup_ns = 0;
  } else if (warmup != nullptr && warmup->text != "auto") {
    section.read_time("warmup", measure.warmup_ns, trial::kLongestTrialNs);
  }
  const double least_ns =
      static_cast<double>(measure.warmup_ns) +
      static_cast<double>(measure.slices) * static_cast<double>(measure.slice_ns);
  if (static_cast<double>(scenario.trial_timeout_ns) < least_ns) {
    section.complain(
        "trial_timeout",
        "no trial can end within its 'trial_timeout' of " + format_time(scenario.trial_timeout_ns),
        "warm-up and slices alone take " +
            format_time(static_cast<std::int64_t>(std::min(least_ns, 9e18))));
  }
}

void read_search(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "search", complaints);
  section.read("strategy", scenario.strategy);
  if (section.find("budget") != nullptr) {
    std::int64_t budget_ns = 0;
    section.read_time("budget", budget_ns, trial::kLongestCampaignNs);
    scenario.budget_ns = budget_ns;
  }
  if (section.find("confirm_rounds") != nullptr) {
    std::int64_t rounds = 0;
    section.read("confirm_rounds", rounds);
    scenario.confirm_rounds = rounds;
  }
  section.read_seed("seed", scenario.seed);
  scenario.has_seed = section.find("seed") != nullptr;
  section.read("confirm", scenario.confirm);
}

void check_last_batch(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section data(root, "data", complaints);
  const auto batch = std::get_if<std::int64_t>(&scenario.baseline.at("batch_size"));
  if (scenario.data.drop_last && batch != nullptr && scenario.data.samples > 0 &&
      scenario.data.samples < *batch) {
    data.complain("samples",
                  "an epoch has no batch",
                  std::to_string(scenario.data.samples) + " samples, batches of " +
                      std::to_string(*batch) + ", and 'drop_last'");
  }
}

}  // namespace tune::scenario
