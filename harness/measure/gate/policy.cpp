#include "measure/gate/policy.h"

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/whole_number.h"
#include "measure/campaign/epoch_time.h"
#include "measure/campaign/taint.h"
#include "measure/gate/work.h"

#include <algorithm>
#include <cmath>

namespace tune::gate {

namespace {

using trial::TrialSpec;

std::optional<double> epoch_time(const trial::TrialReply& reply, const TrialSpec& spec) {
  const auto time = campaign::epoch_time(reply, spec);
  return time ? std::optional(time->total_s) : std::nullopt;
}

std::optional<double> throughput(const trial::TrialReply& reply, const TrialSpec& /*spec*/) {
  return campaign::clean_rate(reply).rate;
}

std::optional<double> peak_memory(const trial::TrialReply& reply, const TrialSpec& /*spec*/) {
  const std::int64_t bytes = trial::peak_memory_bytes(reply);
  return bytes > 0 ? std::optional(static_cast<double>(bytes)) : std::nullopt;
}

template <std::int64_t trial::Structure::*count>
std::optional<double> counted_value(const trial::TrialReply& reply, const TrialSpec& /*spec*/) {
  return reply.structure ? std::optional(static_cast<double>(*reply.structure.*count))
                         : std::nullopt;
}

}  // namespace

const std::vector<Metric>& all_metrics() {
  using trial::Structure;
  static const std::vector<Metric> metrics = {
      {"epoch_time", "s", false, false, "time of one pass over the data", epoch_time},
      {"throughput", "samples/s", true, false, "samples per second", throughput},
      {"peak_memory_bytes", "B", false, false, "largest resident size of the process", peak_memory},
      {"cpu_time", "s", false, false, "CPU time of one step, all threads", cpu_time},
      {"instructions",
       "instructions",
       false,
       false,
       "instructions of one step, all threads, in user mode",
       instructions},
      {"operators",
       "calls",
       false,
       true,
       "operator calls of one step",
       counted_value<&Structure::operators>},
      {"backward_operators",
       "calls",
       false,
       true,
       "operator calls of one step's backward pass",
       counted_value<&Structure::backward_operators>},
      {"allocations",
       "calls",
       false,
       true,
       "tensor allocations of one step",
       counted_value<&Structure::allocations>},
      {"allocated_bytes",
       "B",
       false,
       true,
       "bytes that one step allocates",
       counted_value<&Structure::allocated_bytes>},
      {"batch_bytes", "B", false, true, "bytes of one batch", counted_value<&Structure::batch_bytes>},
  };
  return metrics;
}

const Metric* find_metric(std::string_view name) {
  const auto& metrics = all_metrics();
  const auto found = std::find_if(
      metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

std::vector<std::string> metric_names(bool counted) {
  std::vector<std::string> names;
  for (const Metric& metric : all_metrics()) {
    if (metric.is_counted == counted) {
      names.push_back(metric.name);
    }
  }
  return names;
}

std::vector<std::string> all_metric_names() {
  std::vector<std::string> names = metric_names(false);
  const std::vector<std::string> counted = metric_names(true);
  names.insert(names.end(), counted.begin(), counted.end());
  return names;
}

bool gates(const Policy& policy, std::string_view metric) {
  return std::any_of(policy.budgets.begin(), policy.budgets.end(), [&](const Budget& budget) {
    return budget.metric == metric;
  });
}

double log_worsening(const Metric& metric, double baseline, double candidate) {
  const double log_ratio = std::log(candidate / baseline);
  return metric.higher_is_better ? -log_ratio : log_ratio;
}

namespace {

constexpr double kSmallestBudget = 0.0001;
constexpr std::int64_t kMostPairs = 1000;

const Metric& known_metric(const std::string& name, const std::string& where) {
  const Metric* const metric = find_metric(name);
  if (metric == nullptr) {
    const std::vector<std::string> names = all_metric_names();
    std::string list;
    for (const std::string& known : names) {
      list += (list.empty() ? "" : ", ") + known;
    }
    throw Error(
        {where, "unknown metric '" + name + "'", "known: " + list, did_you_mean(name, names)});
  }
  return *metric;
}

void check_ratio(double ratio, const std::string& where) {
  if (!std::isfinite(ratio) || ratio < kSmallestBudget || ratio >= 1) {
    throw Error({where,
                 "is not a budget",
                 ratio <= 0  ? "a budget of 0 would need endless measuring: noise alone exceeds it"
                 : ratio < 1 ? "it must be at least 0.01%"
                             : "a budget of 100 % or more would let everything pass",
                 "3%"});
  }
}

double read_ratio(const std::string& text, bool is_counted, const std::string& where) {
  const auto ratio = parse_ratio(text);
  if (!ratio) {
    throw Error({where, "'" + text + "' is not a budget", "must read 3% or 0.03", "3%"});
  }
  if (!is_counted || *ratio != 0) {  // counts have no noise
    check_ratio(*ratio, where);
  }
  return *ratio;
}

std::vector<Budget>& list_of(Policy& policy, const Metric& metric) {
  return metric.is_counted ? policy.structural : policy.budgets;
}

}  // namespace

const char* to_string(Mode mode) {
  return mode == Mode::enforce ? "enforce" : mode == Mode::warn ? "warn" : "shadow";
}

const char* to_string(Inconclusive inconclusive) {
  return inconclusive == Inconclusive::warn   ? "warn"
         : inconclusive == Inconclusive::pass ? "pass"
                                              : "fail";
}

stats::LookSchedule look_schedule(const Policy& policy) {
  const std::size_t rows = std::max<std::size_t>(policy.budgets.size(), 1);
  if (policy.looks.empty()) {
    return stats::make_looks(stats::kGateAlpha, rows);
  }
  return {.pairs = policy.looks, .alpha = stats::kGateAlpha, .rows = rows};
}

void check_policy(const Policy& policy) {
  for (const auto* list : {&policy.budgets, &policy.structural}) {
    for (const Budget& budget : *list) {
      known_metric(budget.metric, "gate");
      if (list == &policy.budgets) {
        check_ratio(budget.ratio, "gate budget of " + budget.metric);
      }
    }
  }
  if (!std::isfinite(policy.min_effect_ratio) || policy.min_effect_ratio < 0 ||
      policy.min_effect_ratio >= 1) {
    throw Error({"--min-effect", "is not an effect", "must be from 0 to below 100%", "1%"});
  }
  for (const Budget& budget : policy.budgets) {
    if (budget.ratio < policy.min_effect_ratio) {
      throw Error({"gate budget of " + budget.metric,
                   "is smaller than the smallest effect of interest",
                   "a change below --min-effect never counts as slower",
                   "a larger budget, or a smaller --min-effect"});
    }
  }
  if (policy.looks.empty()) {
    return;
  }
  const stats::LookSchedule looks = look_schedule(policy);
  const double level = looks.alpha_per_look() / static_cast<double>(looks.rows);
  const auto least = static_cast<std::int64_t>(std::ceil(-std::log2(level)));
  if (looks.pairs.front() < least) {
    throw Error({"--looks",
                 "the first look comes too early",
                 "with " + std::to_string(looks.rows) + " gated metrics and " +
                     std::to_string(looks.pairs.size()) + " looks nothing can be called below " +
                     std::to_string(least) + " pairs",
                 ""});
  }
}

void apply_budget(Policy& policy, const std::string& text, const std::string& where) {
  for (const std::string& part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) {
      const double ratio = read_ratio(part, false, where);
      for (Budget& budget : policy.budgets) {
        budget.ratio = ratio;
      }
      continue;
    }
    const Metric& metric = known_metric(part.substr(0, equals), where);
    const double ratio = read_ratio(part.substr(equals + 1), metric.is_counted, where);
    auto& list = list_of(policy, metric);
    const auto row = std::find_if(list.begin(), list.end(), [&](const Budget& budget) {
      return budget.metric == metric.name;
    });
    if (row == list.end()) {
      list.push_back({metric.name, ratio});
    } else {
      row->ratio = ratio;
    }
  }
}

void choose_metrics(Policy& policy,
                    const std::vector<std::string>& names,
                    const std::string& where) {
  const double ratio = policy.budgets.empty() ? Budget().ratio : policy.budgets.front().ratio;
  const Policy before = policy;
  policy.budgets.clear();
  policy.structural.clear();
  for (const std::string& name : names) {
    const Metric& metric = known_metric(name, where);
    auto& list = list_of(policy, metric);
    const bool is_new = std::none_of(
        list.begin(), list.end(), [&](const Budget& budget) { return budget.metric == name; });
    if (is_new) {
      const auto& known = metric.is_counted ? before.structural : before.budgets;
      const auto same = std::find_if(
          known.begin(), known.end(), [&](const Budget& budget) { return budget.metric == name; });
      const double otherwise = metric.is_counted ? 0 : ratio;
      list.push_back({name, same == known.end() ? otherwise : same->ratio});
    }
  }
}

void accept_rows(Policy& policy,
                 const std::vector<scenario::AcceptedRow>& rows,
                 const std::string& today) {
  for (const scenario::AcceptedRow& row : rows) {
    const Metric& metric = known_metric(row.row, "gate.accepted");
    check_ratio(row.max_ratio, "gate.accepted of " + row.row);
    auto& list = list_of(policy, metric);
    const auto budget = std::find_if(
        list.begin(), list.end(), [&](const Budget& each) { return each.metric == row.row; });
    if (budget == list.end()) {
      continue;
    }
    const std::string reason = " (" + row.reason + ")";
    if (row.until < today) {
      policy.accepted.push_back("what was accepted of " + row.row +
                                " counts no more, it ended on " + row.until + reason);
    } else if (row.max_ratio > budget->ratio) {
      policy.accepted.push_back("accepted until " + row.until + ": " + row.row +
                                " may get worse by " + scenario::share_text(row.max_ratio) +
                                " instead of " + scenario::share_text(budget->ratio) + reason);
      budget->ratio = row.max_ratio;
    }
  }
}

void choose_looks(Policy& policy, const std::string& text, const std::string& where) {
  policy.looks.clear();
  for (const std::string& part : split(text, ',')) {
    const auto pairs = parse_whole(part);
    const std::int64_t before = policy.looks.empty() ? 0 : policy.looks.back();
    if (!pairs || *pairs <= before || *pairs > kMostPairs) {
      throw Error({where,
                   "'" + text + "' is not a list of looks",
                   "numbers of pairs, ascending, at most " + std::to_string(kMostPairs),
                   "10,16,24"});
    }
    policy.looks.push_back(*pairs);
  }
}

}  // namespace tune::gate
