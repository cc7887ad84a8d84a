#include "report/what_if_text.h"

#include "base/units.h"
#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using profile::CriticalPath;
using profile::PathPart;

constexpr double kWorthNamingRatio = 0.005;
constexpr std::size_t kNamed = 3;

double step_ns(const TraceAnalysis& analysis) {
  const auto& steps = analysis.input.partition.steps;
  return static_cast<double>(steps.total_ns()) /
         static_cast<double>(std::max<std::size_t>(steps.steps.size(), 1));
}

double new_step_ns(const TraceAnalysis& analysis, const profile::WhatIfPath& path) {
  return time_if(step_ns(analysis), analysis.input.critical_path, path.length_ns);
}

std::string time_text(double ns) {
  return format_time(std::llround(ns));
}

// "10.2ms instead of 12.1ms".
std::string change_text(const TraceAnalysis& analysis, const profile::WhatIfPath& path) {
  return time_text(new_step_ns(analysis, path)) + " instead of " + time_text(step_ns(analysis));
}

std::string factor_text(double factor) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", factor);
  return text.data();
}

// "kernel gemm x 0.5".
std::string change_name(const profile::WhatIf& change) {
  std::string text(profile::path_part_name(change.part));
  text += change.name.empty() ? "" : " " + change.name;
  text += " x " + factor_text(change.factor);
  return text;
}

}  // namespace

std::string bound_line(const TraceAnalysis& analysis) {
  const CriticalPath& path = analysis.input.critical_path;
  if (!path.is_applicable() || path.length_ns == 0) {
    return "";
  }
  const auto part_ns = path.part_ns();
  std::vector<std::size_t> parts(profile::kPathParts);
  std::iota(parts.begin(), parts.end(), std::size_t{0});
  std::stable_sort(parts.begin(), parts.end(), [&part_ns](std::size_t a, std::size_t b) {
    return part_ns[a] > part_ns[b];
  });
  std::string text = "the critical path:";
  for (std::size_t i = 0; i < kNamed; ++i) {
    const double share =
        static_cast<double>(part_ns[parts[i]]) / static_cast<double>(path.length_ns);
    if (share >= kWorthNamingRatio) {
      text += i > 0 ? ", " : " ";
      text += profile::path_part_name(static_cast<PathPart>(parts[i]));
      text += " " + share_text(share);
    }
  }
  const auto longest = static_cast<PathPart>(parts.front());
  const profile::WhatIfPath without = path_if(analysis.input.timeline, path, {{.part = longest}});
  const bool is_other = time_text(step_ns(analysis)) != time_text(new_step_ns(analysis, without));
  if (is_other) {
    text += "; if ";
    text += profile::path_part_name(longest);
    text += " took no time, a step would take at least " + change_text(analysis, without);
  }
  return text;
}

std::vector<std::string> what_if_lines(const TraceAnalysis& analysis) {
  if (analysis.what_if.empty()) {
    return {};
  }
  std::string names;
  for (const profile::WhatIf& change : analysis.what_if) {
    names += (names.empty() ? "" : ", ") + change_name(change);
  }
  const CriticalPath& path = analysis.input.critical_path;
  if (!path.is_applicable()) {
    return {"what if " + names + ": not known, " + path.reason};
  }
  const profile::WhatIfPath changed = path_if(analysis.input.timeline, path, analysis.what_if);
  const double before_ns = step_ns(analysis);
  std::string line = "what if " + names + ": a step takes ";
  line += change_text(analysis, changed);
  if (before_ns > 0) {
    line += " (" + gain_text(new_step_ns(analysis, changed) / before_ns - 1) + ")";
  }
  line += "; that is " + counted(changed.changed_edges, "edge") + " of ";
  line += format_time(changed.changed_ns) + " in all";
  return {line,
          "what if: everything else takes as long as it did and waits for the same, so a shorter "
          "step is the best that can come of it"};
}

Json what_if_json(const TraceAnalysis& analysis) {
  if (analysis.what_if.empty()) {
    return nullptr;
  }
  Json changes = Json::array();
  for (const profile::WhatIf& change : analysis.what_if) {
    changes.push_back({{"part", profile::path_part_name(change.part)},
                       {"name", change.name},
                       {"factor", change.factor}});
  }
  const CriticalPath& path = analysis.input.critical_path;
  Json json = {{"changes", std::move(changes)}};
  Json times;
  if (path.is_applicable()) {
    const profile::WhatIfPath changed = path_if(analysis.input.timeline, path, analysis.what_if);
    times = {{"path_ns", path.length_ns},
             {"new_path_ns", changed.length_ns},
             {"step_ns", std::llround(step_ns(analysis))},
             {"new_step_ns", std::llround(new_step_ns(analysis, changed))},
             {"changed_edges", changed.changed_edges},
             {"changed_ns", changed.changed_ns}};
  }
  put_or_reason(json, "times", std::move(times), path.reason);
  return json;
}

}  // namespace tune::report
