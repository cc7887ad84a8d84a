#include "scenario/read_sections.h"

#include "base/text.h"
#include "base/units.h"
#include "scenario/objective.h"
#include "scenario/read_model.h"
#include "scenario/read_script.h"
#include "scenario/section.h"
#include "trial/trial_spec.h"
#include "trial/workload_catalog.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace tune::scenario {

namespace {

constexpr std::int64_t kSyntheticSamples = 1024, kGeneratedSamples = 2000, kSequences = 4096;

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// It reads what it reads.
void read_data_of_script(const Section& section, trial::Data& data) {
  if (section.written()) {
    section.complain(
        "source", "'data' does not go with 'workload.command'", "the script reads its own data");
  }
  data.source = "script";
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
  read_script(root, scenario, complaints);
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
  const YamlNode* const workload = root.find("workload");
  if (workload != nullptr && workload->find("command") != nullptr) {
    read_data_of_script(section, data);
    return;
  }
  if (root.find("data") == nullptr && root.kind == YamlNode::Kind::map) {
    complaints.add(root.mark, "the key 'data' is missing");
    return;
  }
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

namespace {

// What is not written is what the device of the trials has.
void read_activities(const Section& section, Scenario& scenario) {
  const YamlNode* const node = section.find("activities");
  if (node == nullptr || node->kind != YamlNode::Kind::list) {
    return;
  }
  trial::Profile& profile = scenario.profile;
  scenario.activities_are_written = true;
  const auto has = [node](const char* name) {
    return std::any_of(node->items.begin(), node->items.end(), [name](const YamlNode& item) {
      return item.text == name;
    });
  };
  profile.cpu = has("cpu");
  profile.cuda = has("cuda");
}

}  // namespace

void read_profile(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "profile", complaints);
  trial::Profile& profile = scenario.profile;
  section.read("cells", scenario.profile_cells);
  read_activities(section, scenario);
  section.read("wait", profile.wait);
  section.read("warmup", profile.warmup);
  section.read("active", profile.active);
  section.read("repeat", profile.repeat);
  section.read("record_shapes", profile.record_shapes);
  section.read("profile_memory", profile.profile_memory);
  section.read("with_stack", profile.with_stack);
  section.read("with_flops", profile.with_flops);
  section.read("with_modules", profile.with_modules);
  if (profile.with_stack) {
    section.complain("with_stack",
                     "'with_stack' is not available",
                     "the worker is a C++ program, and has no Python frames",
                     "with_stack: false");
  }
}

namespace {

enum class Unit { rate, seconds, bytes, ratio, joules };

struct LimitedMetric {
  const char* name;
  Unit unit;
  const char* example;
};

constexpr std::array<LimitedMetric, 6> kMetrics = {{
    {"throughput", Unit::rate, "min: 120 (samples per second)"},
    {"step_time", Unit::seconds, "max: 250ms"},
    {"epoch_time", Unit::seconds, "max: 10m"},
    {"peak_memory_bytes", Unit::bytes, "max: 4GiB"},
    {"peak_memory_ratio", Unit::ratio, "max: 90%"},
    {"energy_per_sample", Unit::joules, "max: 0.5 (joules of the GPU)"},
}};

const LimitedMetric* find_metric(std::string_view name) {
  for (const LimitedMetric& metric : kMetrics) {
    if (name == metric.name) {
      return &metric;
    }
  }
  return nullptr;
}

std::optional<double> parse_limit(const YamlNode& node, Unit unit) {
  if (node.kind == YamlNode::Kind::whole || node.kind == YamlNode::Kind::real) {
    const double value =
        node.kind == YamlNode::Kind::real ? node.real : static_cast<double>(node.whole);
    return unit == Unit::seconds ? std::nullopt : std::optional(value);
  }
  if (unit == Unit::seconds) {
    const auto ns = parse_time_ns(node.text);
    return ns ? std::optional(static_cast<double>(*ns) * 1e-9) : std::nullopt;
  }
  if (unit == Unit::bytes) {
    const auto bytes = parse_bytes(node.text);
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
  }
  return unit == Unit::ratio ? parse_ratio(node.text) : std::nullopt;
}

// Nothing when it is not written, or is not a limit of that metric.
std::optional<double> read_limit(const YamlNode* node,
                                 const LimitedMetric& metric,
                                 Complaints& complaints) {
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto value = parse_limit(*node, metric.unit);
  if (!(value && *value >= 0) && !complaints.has(node->mark)) {
    complaints.add(node->mark,
                   quote(node->text) + " is not a limit of " + metric.name,
                   metric.unit == Unit::seconds ? "the unit is mandatory" : "",
                   metric.example);
  }
  return value;
}

std::string text_of(const YamlNode* node) {
  return node == nullptr ? "" : node->text;
}

void complain_about_metric(const YamlKey& key, Complaints& complaints) {
  std::vector<std::string> names;
  std::string all;
  for (const LimitedMetric& metric : kMetrics) {
    names.emplace_back(metric.name);
    all += (all.empty() ? "" : ", ") + std::string(metric.name);
  }
  complaints.add(key.mark,
                 "unknown metric " + quote(key.name),
                 "known are " + all,
                 did_you_mean(key.name, names));
}

}  // namespace

void read_objective(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "objective", complaints);
  scenario.objective.is_minimized = section.find("minimize") != nullptr;
  section.read(scenario.objective.is_minimized ? "minimize" : "maximize",
               scenario.objective.metric);
  if (scenario.objective.metric == "mfu") {
    const std::string why = why_no_mfu(scenario.workload);
    if (!why.empty()) {
      section.complain("maximize", "'mfu' is not available with this workload", why, "throughput");
    }
    // The recorded shapes give the number; the order of the cells does not need it.
    const YamlNode* const profile = root.find("profile");
    if (profile == nullptr || profile->find("record_shapes") == nullptr) {
      scenario.profile.record_shapes = true;
    }
  }
  const YamlNode* const price = root.find("price_per_hour");
  if (price != nullptr && price->kind == YamlNode::Kind::real) {
    scenario.price_per_hour = price->real;
  } else if (price != nullptr && price->kind == YamlNode::Kind::whole) {
    scenario.price_per_hour = static_cast<double>(price->whole);
  }
}

void read_constraints(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const YamlNode* const section = root.find("constraints");
  if (section == nullptr || section->kind != YamlNode::Kind::map) {
    return;
  }
  for (std::size_t i = 0; i < section->keys.size(); ++i) {
    const LimitedMetric* const metric = find_metric(section->keys[i].name);
    if (metric == nullptr) {
      complain_about_metric(section->keys[i], complaints);
      continue;
    }
    Constraint constraint;
    constraint.metric = metric->name;
    const YamlNode& limits = section->items[i];
    constraint.min = read_limit(limits.find("min"), *metric, complaints);
    constraint.min_text = text_of(limits.find("min"));
    constraint.max = read_limit(limits.find("max"), *metric, complaints);
    constraint.max_text = text_of(limits.find("max"));
    if (constraint.min && constraint.max && *constraint.min > *constraint.max) {
      complaints.add(section->keys[i].mark, "no cell can keep both", "min is above max", "");
    }
    scenario.constraints.push_back(std::move(constraint));
  }
}

}  // namespace tune::scenario
