#include "campaign/overrides.h"

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/whole_number.h"
#include "scenario/plan.h"
#include "scenario/read_knobs.h"
#include "trial/knob_catalog.h"
#include "trial/trial_spec.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tune::campaign {

namespace {

constexpr std::string_view kAxis = "grid.";

struct Assignment {
  std::string where, key, value;
};

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
  if (!ns || *ns < min_ns) {
    complain(assignment, "must be a time with its unit, such as 90s or 10m");
  }
  if (*ns > max_ns) {
    complain(assignment, "must be at most " + format_time(max_ns));
  }
  return *ns;
}

// Of a gain: half of its interval.
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

std::string one_of(const Assignment& assignment,
                   std::initializer_list<std::string_view> words,
                   const char* problem) {
  if (std::find(words.begin(), words.end(), assignment.value) == words.end()) {
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

using Setter = std::function<void(scenario::Scenario&, const Assignment&)>;

const std::map<std::string, Setter>& setters() {
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  using scenario::Scenario;
  static const std::map<std::string, Setter> all = {
      {"rounds", [](Scenario& s, const Assignment& a) { s.rounds = count(a, 1, 1000); }},
      {"strategy",
       [](Scenario& s, const Assignment& a) {
         s.strategy = one_of(a, {"guided", "grid", "random"}, "must be guided, grid or random");
       }},
      {"device",
       [](Scenario& s, const Assignment& a) {
         s.workload.device = one_of(a, {"auto", "cpu", "cuda"}, "must be auto, cpu or cuda");
       }},
      {"confirm", [](Scenario& s, const Assignment& a) { s.confirm = count(a, 1, 3); }},
      {"confirm_rounds",
       [](Scenario& s, const Assignment& a) { s.confirm_rounds = count(a, 1, 1000); }},
      {"until",
       [](Scenario& s, const Assignment& a) {
         s.confirm_until = precision(a);
         s.confirm_rounds.reset();  // a limit that is meant stands behind it
       }},
      {"verify", [](Scenario& s, const Assignment& a) { s.verify = verify_word(a); }},
      {"slices", [](Scenario& s, const Assignment& a) { s.measure.slices = count(a, 1, 1000); }},
      {"slice",
       [](Scenario& s, const Assignment& a) {
         s.measure.slice_ns = time(a, 1, trial::kLongestTrialNs);
       }},
      {"warmup",
       [](Scenario& s, const Assignment& a) {
         s.measure.warmup_ns = time(a, 0, trial::kLongestTrialNs);
         s.warmup_is_auto = false;
       }},
      {"trial_timeout",
       [](Scenario& s, const Assignment& a) {
         s.trial_timeout_ns = time(a, kSecondNs, trial::kLongestTrialNs);
       }},
      {"only",
       [](Scenario& s, const Assignment& a) {
         s.only.push_back(scenario::read_only(a.value, s.baseline));
       }},
      {"budget",
       [](Scenario& s, const Assignment& a) {
         s.budget_ns = time(a, kSecondNs, trial::kLongestCampaignNs);
       }},
      {"profile",
       [](Scenario& s, const Assignment& a) {
         s.profile_cells =
             one_of(a, {"none", "baseline", "best", "all"}, "must be none, baseline, best or all");
       }},
      {"exhaustive",
       [](Scenario& s, const Assignment& a) {
         s.exhaustive = one_of(a, {"true", "false"}, "must be true or false") == "true";
       }},
      {"grid",
       [](Scenario& s, const Assignment& a) {
         one_of(a, {"none"}, "must be none, which leaves the baseline alone");
         s.grid.clear();
       }},
      {"shard",
       [](Scenario& s, const Assignment& a) {
         s.shard = scenario::parse_shard(a.value);
         if (!s.shard) {
           complain(a, "must be a part and how many there are, such as 2/4");
         }
       }},
      {"seed",
       [](Scenario& s, const Assignment& a) {
         s.seed = seed(a);
         s.has_seed = true;
       }},
  };
  return all;
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
  for (const auto& [key, setter] : setters()) {
    keys.push_back(key);
  }
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

trial::KnobValue parse_setting(const scenario::Scenario& scenario,
                               const Assignment& assignment,
                               const std::string& name) {
  return trial::is_plugin_knob(name) ? parse_plugin_knob(scenario, assignment, name)
                                     : parse_knob(known_knob(assignment, name), assignment);
}

// "grid.num_workers": the axis becomes this one value, where there is none it is added.
void set_axis(scenario::Scenario& scenario, const Assignment& assignment) {
  const std::string knob = assignment.key.substr(kAxis.size());
  trial::KnobValue value = parse_setting(scenario, assignment, knob);
  std::erase_if(scenario.grid, [&](const auto& axis) { return axis.first == knob; });
  scenario.grid.emplace_back(knob, std::vector<trial::KnobValue>{std::move(value)});
}

}  // namespace

void apply_override(scenario::Scenario& scenario,
                    const std::string& assignment,
                    const std::string& where) {
  const std::string blamed = where.empty() ? "--set " + assignment : where;
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error({blamed, "is no assignment", "must read key=value", ""});
  }
  const Assignment parts{blamed, assignment.substr(0, equals), assignment.substr(equals + 1)};
  const auto setter = setters().find(parts.key);
  if (setter != setters().end()) {
    setter->second(scenario, parts);
  } else if (parts.key.starts_with(kAxis)) {
    set_axis(scenario, parts);
  } else {
    scenario.baseline[parts.key] = parse_setting(scenario, parts, parts.key);
  }
}

}  // namespace tune::campaign
