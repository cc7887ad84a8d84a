#include "measure/campaign/settings.h"

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/whole_number.h"
#include "scenario/plan.h"
#include "scenario/read_knobs.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"
#include "trial/trial_spec.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tune::campaign {

namespace {

using scenario::Scenario;

constexpr std::string_view kAxis = "grid.";
constexpr std::int64_t kSecondNs = 1'000'000'000;

[[noreturn]] void complain(const Assignment& assignment, const std::string& why) {
  throw Error(
      {assignment.where, "'" + assignment.value + "' does not fit " + assignment.key, why, ""});
}

std::int64_t count(const Assignment& assignment, std::int64_t min, std::int64_t max) {
  const auto number = parse_whole<std::int64_t>(assignment.value);
  if (!number || *number < min || *number > max) {
    complain(assignment,
             "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max));
  }
  return *number;
}

std::int64_t time(const Assignment& assignment, std::int64_t min_ns, std::int64_t max_ns) {
  const auto ns = parse_time_ns(assignment.value);
  if (!ns) {
    complain(assignment, "must be a time with its unit, such as 90s or 10m");
  }
  if (*ns < min_ns) {
    complain(assignment, "must be at least " + format_time(min_ns));
  }
  if (*ns > max_ns) {
    complain(assignment, "must be at most " + format_time(max_ns));
  }
  return *ns;
}

// The precision of a gain: half of its interval.
double precision(const Assignment& assignment) {
  const auto ratio = parse_ratio(assignment.value);
  if (!ratio || !(*ratio > 0) || *ratio >= 1) {
    complain(assignment, "must be above 0 and below 100%, such as 1%");
  }
  return *ratio;
}

std::string verify_word(const Assignment& assignment) {
  constexpr std::string_view kTop = "top:";
  const std::string& word = assignment.value;
  if (word.starts_with(kTop)) {
    count({assignment.where, assignment.key, word.substr(kTop.size())}, 1, 1000);
  } else if (word != "all" && word != "none") {
    complain(assignment, "must be all, none, or the first few, such as top:3");
  }
  return word;
}

// One of the setting's words.
std::string word(const Assignment& assignment) {
  const trial::Knob choice{.kind = trial::Knob::Kind::choice,
                           .choices = find_setting(assignment.key)->words};
  const std::string problem = complaint_about(choice, assignment.value);
  if (!problem.empty()) {
    complain(assignment, problem);
  }
  return assignment.value;
}

std::uint64_t seed(const Assignment& assignment) {
  const auto number = parse_whole<std::uint64_t>(assignment.value);
  if (!number) {
    complain(assignment, "must be a whole number >= 0");
  }
  return *number;
}

std::string conditions(const std::vector<scenario::Forbid>& all) {
  std::string text;
  for (const scenario::Forbid& each : all) {
    text += (text.empty() ? "" : ", ") + each.text;
  }
  return text;
}

std::string warmup_of(const Scenario& s) {
  return s.warmup_is_auto             ? "auto"
         : s.measure.warmup_steps > 0 ? std::to_string(s.measure.warmup_steps) + " steps"
                                      : format_time(s.measure.warmup_ns);
}

// As in a scenario: `auto`, a number of steps, or a time.
void set_warmup(Scenario& s, const Assignment& a) {
  const bool is_count = parse_whole(a.value).has_value();
  s.warmup_is_auto = a.value == "auto";
  s.measure.warmup_steps = is_count ? count(a, 0, 1'000'000) : trial::Measure().warmup_steps;
  s.measure.warmup_ns = is_count           ? 0
                        : s.warmup_is_auto ? trial::Measure().warmup_ns
                                           : time(a, 0, trial::kLongestTrialNs);
}

// What says how cells are searched.
std::vector<Setting> search_settings() {
  return {
      {"strategy",
       "search",
       "strategy",
       {"guided", "grid", "random"},
       [](Scenario& s, const Assignment& a) { s.strategy = word(a); },
       [](const Scenario& s) { return s.strategy; }},
      {"budget",
       "search",
       "budget",
       {},
       [](Scenario& s, const Assignment& a) {
         s.budget_ns = time(a, kSecondNs, trial::kLongestCampaignNs);
       },
       [](const Scenario& s) { return s.budget_ns ? format_time(*s.budget_ns) : "none"; }},
      {"confirm",
       "search",
       "confirm",
       {},
       [](Scenario& s, const Assignment& a) { s.confirm = count(a, 1, 3); },
       [](const Scenario& s) { return std::to_string(s.confirm); }},
      {"confirm_rounds",
       "search",
       "confirm_rounds",
       {},
       [](Scenario& s, const Assignment& a) { s.confirm_rounds = count(a, 1, 1000); },
       [](const Scenario& s) {
         return s.confirm_rounds ? std::to_string(*s.confirm_rounds) : "as the looks need";
       }},
      {"until",
       nullptr,
       "",
       {},
       [](Scenario& s, const Assignment& a) {
         s.confirm_until = precision(a);
         s.confirm_rounds.reset();  // an explicit --set confirm_rounds comes after it
       }},
      {"verify",
       nullptr,
       "",
       {},
       [](Scenario& s, const Assignment& a) { s.verify = verify_word(a); },
       [](const Scenario& s) { return s.verify.empty() ? "the search's candidates" : s.verify; }},
      {"seed",
       "search",
       "seed",
       {},
       [](Scenario& s, const Assignment& a) {
         s.seed = seed(a);
         s.has_seed = true;
       },
       [](const Scenario& s) {
         return s.has_seed ? std::to_string(s.seed) : "drawn when the run begins";
       }},
  };
}

std::vector<Setting> cell_settings() {
  return {
      {"exhaustive",
       nullptr,
       "",
       {"true", "false"},
       [](Scenario& s, const Assignment& a) { s.exhaustive = word(a) == "true"; },
       [](const Scenario& s) { return std::string(s.exhaustive ? "true" : "false"); }},
      {"only",
       nullptr,
       "",
       {},
       [](Scenario& s, const Assignment& a) {
         s.only.push_back(scenario::read_only(a.value, s.baseline));
       },
       [](const Scenario& s) { return s.only.empty() ? "every cell" : conditions(s.only); }},
      {"grid",
       nullptr,
       "",
       {},
       [](Scenario& s, const Assignment& a) {
         if (a.value != "none") {
           complain(a, "must be none, which leaves the baseline alone");
         }
         s.grid.clear();
       }},
      {"shard",
       nullptr,
       "",
       {},
       [](Scenario& s, const Assignment& a) {
         s.shard = scenario::parse_shard(a.value);
         if (!s.shard) {
           complain(a, "must be a part and how many there are, such as 2/4");
         }
       }},
  };
}

// What says how a trial is measured.
std::vector<Setting> measure_settings() {
  return {
      {"rounds",
       "measure",
       "rounds",
       {},
       [](Scenario& s, const Assignment& a) { s.rounds = count(a, 1, 1000); },
       [](const Scenario& s) { return std::to_string(s.rounds); }},
      {"slices",
       "measure",
       "slices",
       {},
       [](Scenario& s, const Assignment& a) { s.measure.slices = count(a, 1, 1000); },
       [](const Scenario& s) { return std::to_string(s.measure.slices); }},
      {"slice",
       "measure",
       "slice",
       {},
       [](Scenario& s, const Assignment& a) {
         s.measure.slice_ns = time(a, 1, trial::kLongestTrialNs);
       },
       [](const Scenario& s) { return format_time(s.measure.slice_ns); }},
      {"warmup", "measure", "warmup", {}, set_warmup, warmup_of},
      {"trial_timeout",
       "measure",
       "trial_timeout",
       {},
       [](Scenario& s, const Assignment& a) {
         s.trial_timeout_ns = time(a, kSecondNs, trial::kLongestTrialNs);
       },
       [](const Scenario& s) { return format_time(s.trial_timeout_ns); }},
      {"profile",
       "profile",
       "cells",
       {"none", "baseline", "best", "all"},
       [](Scenario& s, const Assignment& a) { s.profile_cells = word(a); },
       [](const Scenario& s) { return s.profile_cells; }},
      {"device",
       "workload",
       "device",
       {"auto", "cpu", "cuda"},
       [](Scenario& s, const Assignment& a) { s.workload.device = word(a); }},
  };
}

trial::KnobValue parse_knob(const trial::Knob& knob, const Assignment& assignment) {
  trial::KnobValue value = assignment.value;
  if (knob.kind == trial::Knob::Kind::boolean &&
      (assignment.value == "true" || assignment.value == "false")) {
    value = assignment.value == "true";
  } else if (knob.kind == trial::Knob::Kind::integer) {
    const auto number = parse_whole<std::int64_t>(assignment.value);
    value = number ? trial::KnobValue(*number) : value;
  }
  const std::string problem = complaint_about(knob, value);
  if (!problem.empty()) {
    complain(assignment, problem);
  }
  return value;
}

std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const Setting& setting : all_settings()) {
    keys.emplace_back(setting.key);
  }
  std::sort(keys.begin(), keys.end());
  for (const trial::Knob& knob : trial::all_knobs()) {
    keys.push_back(knob.name);
  }
  return keys;
}

const trial::Knob& known_knob(const Assignment& assignment, const std::string& name) {
  const trial::Knob* const knob = trial::find_knob(name);
  if (knob == nullptr) {
    throw Error({assignment.where,
                 "unknown key '" + assignment.key + "'",
                 "a knob of 'tune list knobs', or rounds, slices, budget, ...",
                 did_you_mean(name, known_keys())});
  }
  return *knob;
}

// A knob of the plug-in, which has the type of its value in the baseline.
trial::KnobValue parse_plugin_knob(const scenario::Scenario& scenario,
                                   const Assignment& assignment,
                                   const std::string& name) {
  const auto usual = scenario.baseline.find(name);
  if (usual == scenario.baseline.end()) {
    throw Error({assignment.where,
                 "the baseline has no '" + name + "'",
                 "only what the scenario sets of a plug-in can be changed here",
                 ""});
  }
  trial::KnobValue value = assignment.value;
  if (std::holds_alternative<bool>(usual->second) &&
      (assignment.value == "true" || assignment.value == "false")) {
    value = assignment.value == "true";
  } else if (std::holds_alternative<std::int64_t>(usual->second)) {
    const auto number = parse_whole<std::int64_t>(assignment.value);
    value = number ? trial::KnobValue(*number) : value;
  }
  const std::string problem = trial::type_complaint(usual->second, value);
  if (!problem.empty()) {
    complain(assignment, problem);
  }
  return value;
}

// A variable takes any text.
trial::KnobValue parse_variable(const Assignment& assignment, const std::string& name) {
  const auto variable = std::string_view(name).substr(trial::kEnvironmentKnob.size());
  const std::string why_not = trial::why_not_set(variable);
  const std::string problem =
      why_not.empty() ? trial::value_complaint(assignment.value) : "cannot be set: " + why_not;
  if (!problem.empty()) {
    complain(assignment, problem);
  }
  return assignment.value;
}

trial::KnobValue parse_setting(const scenario::Scenario& scenario,
                               const Assignment& assignment,
                               const std::string& name) {
  if (trial::is_environment_knob(name)) {
    return parse_variable(assignment, name);
  }
  return trial::is_plugin_knob(name) ? parse_plugin_knob(scenario, assignment, name)
                                     : parse_knob(known_knob(assignment, name), assignment);
}

// "grid.num_workers": the axis becomes this one value, where there is none it is added.
void set_axis(scenario::Scenario& scenario, const Assignment& assignment) {
  const std::string knob = assignment.key.substr(kAxis.size());
  trial::KnobValue value = parse_setting(scenario, assignment, knob);
  if (trial::is_environment_knob(knob)) {
    scenario.baseline.emplace(knob, std::string(trial::kVariableAsItIs));
  }
  std::erase_if(scenario.grid, [&](const auto& axis) { return axis.first == knob; });
  scenario.grid.emplace_back(knob, std::vector<trial::KnobValue>{std::move(value)});
}

}  // namespace

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> settings = search_settings();
    std::ranges::move(cell_settings(), std::back_inserter(settings));
    std::ranges::move(measure_settings(), std::back_inserter(settings));
    return settings;
  }();
  return all;
}

const Setting* find_setting(std::string_view key) {
  const auto& all = all_settings();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Setting& each) { return key == each.key; });
  return found == all.end() ? nullptr : &*found;
}

void apply_override(scenario::Scenario& scenario,
                    const std::string& assignment,
                    const std::string& where) {
  const std::string blamed = where.empty() ? "--set " + assignment : where;
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error({blamed, "is not an assignment", "must read key=value", ""});
  }
  const Assignment parts{blamed, assignment.substr(0, equals), assignment.substr(equals + 1)};
  if (const Setting* const setting = find_setting(parts.key)) {
    setting->set(scenario, parts);
  } else if (parts.key.starts_with(kAxis)) {
    set_axis(scenario, parts);
  } else {
    scenario.baseline[parts.key] = parse_setting(scenario, parts, parts.key);
  }
}

}  // namespace tune::campaign
