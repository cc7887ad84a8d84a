// What recorded steps consist of. They come after the measured ones and say why, not how fast.

#include "base/units.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/recorded_steps.h"
#include "report/role_bars.h"
#include "report/role_lanes.h"
#include "report/run_sections.h"
#include "report/timeline_strip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;

constexpr std::size_t kMostOperators = 8, kLongestLine = 800;

// The baseline and the best setting, those of them that were asked to record.
std::vector<const result::Profile*> shown_profiles(const result::Result& result) {
  std::vector<const result::Profile*> shown;
  for (const std::string& cell : {std::string("baseline"), result.summary.best.side.cell}) {
    for (const result::Profile& profile : result.profiles) {
      if (profile.cell == cell) {
        shown.push_back(&profile);
      }
    }
  }
  return shown;
}

// What an older version did not write, or nobody can take, is 0.
profile::RoleTimes role_times(const result::RoleTimes& stored) {
  profile::RoleTimes times{};
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    for (const auto& [name, ns] : stored) {
      if (name == profile::role_name(static_cast<profile::Role>(role))) {
        times[role] = std::max<std::int64_t>(ns, 0);
      }
    }
  }
  return times;
}

/// Where the time of all recorded steps of a setting goes.
struct StepParts {
  std::string setting;  ///< "baseline", "best setting"
  profile::RoleTimes exposed_ns{}, overlapped_ns{};
  std::int64_t steps = 1, total_ns = 0;
  const profile::Partition* partition = nullptr;  ///< step by step, where the trace is at hand
};

const profile::Partition* partition_of(const Run& run, const std::string& cell) {
  return run.directory == nullptr ? nullptr : recorded_steps(*run.directory, cell);
}

std::vector<StepParts> step_parts(const Run& run) {
  std::vector<StepParts> all;
  for (const result::Profile* const profile : shown_profiles(run.result)) {
    StepParts parts{.setting = drawn_name(run.result, profile->cell),
                    .partition = partition_of(run, profile->cell)};
    if (profile->partition) {
      parts.exposed_ns = role_times(profile->partition->exposed_ns);
      parts.overlapped_ns = role_times(profile->partition->overlapped_ns);
      parts.total_ns = profile->partition->total_ns;
      parts.steps = std::max<std::int64_t>(
          1,
          parts.partition == nullptr ? profile->recording.steps
                                     : static_cast<std::int64_t>(parts.partition->parts.size()));
    }
    if (parts.total_ns > 0) {
      all.push_back(std::move(parts));
    }
  }
  return all;
}

std::string part_text(const StepParts& parts, std::int64_t ns) {
  return format_time(ns / parts.steps) + " (" +
         share_text(static_cast<double>(ns) / static_cast<double>(parts.total_ns)) + ")";
}

// Exposed time by role, which sums to the step, and next to it what others hide of the role.
Table parts_table(const std::vector<StepParts>& all) {
  Table table{.caption =
                  "Time of a step in the profiled window, which recording slows: what nothing "
                  "more telling hides, which sums to the step, and what others hide.",
              .columns = {{"part of a step, profiled window"}}};
  for (const StepParts& parts : all) {
    table.columns.push_back({parts.setting, Align::right});
    table.columns.push_back({parts.setting + ", overlapped", Align::right});
  }
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    const auto has_time = [&](const StepParts& parts) {
      return parts.exposed_ns[role] > 0 || parts.overlapped_ns[role] > 0;
    };
    if (std::none_of(all.begin(), all.end(), has_time)) {
      continue;
    }
    std::vector<std::string>& row = table.rows.emplace_back();
    row.emplace_back(profile::role_name(static_cast<profile::Role>(role)));
    for (const StepParts& parts : all) {
      row.push_back(part_text(parts, parts.exposed_ns[role]));
      row.push_back(part_text(parts, parts.overlapped_ns[role]));
    }
  }
  return table;
}

/// What one operator takes of all recorded steps.
struct OperatorTime {
  std::int64_t calls = 0;
  std::int64_t self_ns = 0;
};

using OperatorTimes = std::vector<std::pair<std::string, OperatorTime>>;

// By time of its own, as the table has them. Nothing where there is no such table.
std::optional<OperatorTimes> operator_times(const result::Profile& profile) {
  const auto& tables = profile.tables;
  const auto table = std::find_if(tables.begin(), tables.end(), [](const result::Table& each) {
    return each.id == "operators" && each.reason.empty();
  });
  if (table == tables.end()) {
    return std::nullopt;
  }
  const auto index_of = [&](std::string_view id) {
    const auto& columns = table->columns;
    return static_cast<std::size_t>(
        std::find_if(
            columns.begin(), columns.end(), [&](const auto& column) { return column.id == id; }) -
        columns.begin());
  };
  const std::size_t name_at = index_of("name"), calls_at = index_of("count"),
                    self_at = index_of("self_cpu_time_total");
  OperatorTimes times;
  for (const std::vector<result::Value>& row : table->rows) {
    if (std::max({name_at, calls_at, self_at}) >= row.size()) {
      continue;
    }
    const auto* const name = std::get_if<std::string>(&row[name_at].data);
    const auto* const calls = std::get_if<std::int64_t>(&row[calls_at].data);
    const auto* const self_s = std::get_if<double>(&row[self_at].data);
    if (name != nullptr && calls != nullptr && self_s != nullptr &&
        !name->starts_with("ProfilerStep#")) {
      constexpr double kMostSeconds = 1e9;  // anybody may have written it
      const auto self_ns = std::llround(std::clamp(*self_s, 0.0, kMostSeconds) * 1e9);
      times.emplace_back(*name, OperatorTime{*calls, self_ns});
    }
  }
  return times;
}

std::string operator_text(const result::Profile& profile, const OperatorTime* time) {
  const std::int64_t steps = profile.recording.steps;
  if (time == nullptr || steps <= 0) {
    return "-";
  }
  const std::string calls =
      number_text(static_cast<double>(time->calls) / static_cast<double>(steps)) + " calls";
  return profile.partition ? calls + ", " + format_time(time->self_ns / steps) : calls;
}

// Those that take most of the baseline's host time by themselves.
Table operators_table(const result::Result& result) {
  Table table{.caption = "Calls and time of its own on the host, per recorded step.",
              .columns = {{"operator, by time of its own"}}};
  const std::vector<const result::Profile*> profiles = shown_profiles(result);
  const auto first = profiles.empty() ? std::nullopt : operator_times(*profiles.front());
  if (!first) {
    return table;
  }
  std::vector<std::map<std::string, OperatorTime>> by_name;
  for (const result::Profile* const profile : profiles) {
    table.columns.push_back({drawn_name(result, profile->cell), Align::right});
    const OperatorTimes times = operator_times(*profile).value_or(OperatorTimes());
    by_name.emplace_back(times.begin(), times.end());
  }
  for (std::size_t i = 0; i < std::min(first->size(), kMostOperators); ++i) {
    const std::string& name = (*first)[i].first;
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{name});
    for (std::size_t cell = 0; cell < profiles.size(); ++cell) {
      const auto found = by_name[cell].find(name);
      row.push_back(
          operator_text(*profiles[cell], found == by_name[cell].end() ? nullptr : &found->second));
    }
  }
  return table;
}

// How much longer recorded steps are than the steps before in the same process. In per cent: times
// of this one process would be a second answer to how long a step takes.
std::string dilation_words(double dilation) {
  constexpr double kNothing = 0.0005;  // shown as 0.0 %
  const double longer = dilation - 1;
  if (std::fabs(longer) < kNothing) {
    return "recording did not slow them";
  }
  return longer > 0 ? "recording made them " + share_text(longer) + " longer"
                    : "they were " + share_text(-longer) + " shorter than the steps before";
}

std::string recorded_text(const result::Profile& profile) {
  const result::Recording& recording = profile.recording;
  std::string text =
      counted(recording.steps, "step") + " recorded after the measured window of " + profile.trial;
  if (profile.dilation_ratio) {
    text += "; " + dilation_words(*profile.dilation_ratio);
  }
  if (recording.cap_reached) {
    text += "; the size limit of the trace ended it early";
  }
  if (recording.lost_events > 0) {
    text += "; " + counted(recording.lost_events, "event") + " lost";
  }
  for (const result::RefusedOption& refused : recording.refused) {
    text += "; without " + refused.option + ": " + refused.reason;
  }
  if (!profile.partition && !profile.partition_reason.empty()) {
    text += "; " + profile.partition_reason;
  }
  return text + "; tune analyze " + profile.file;
}

// How much recording stretched the steps, what was refused or lost, and where the trace is; or why
// there is none.
std::vector<std::string> recording_lines(const result::Result& result) {
  std::vector<std::string> lines;
  for (const result::Profile* const profile : shown_profiles(result)) {
    std::string line = drawn_name(result, profile->cell) + ": ";
    line += profile->file_reason.empty()
                ? recorded_text(*profile)
                : "nothing recorded by " + profile->trial + ": " + profile->file_reason;
    lines.push_back(shortened(line, kLongestLine));
  }
  return lines;
}

profile::RoleTimes mean_of(const StepParts& parts) {
  profile::RoleTimes mean_ns = parts.exposed_ns;
  for (std::int64_t& ns : mean_ns) {
    ns /= parts.steps;
  }
  return mean_ns;
}

RoleLanes drawn_lanes(const StepParts& parts, std::size_t number) {
  const std::string id = "lanes-" + std::to_string(number),
                    title = "Exposed and overlapped time of each part, " + parts.setting +
                            ", all recorded steps";
  const profile::Partition* const traced = parts.partition;
  return {.id = id,
          .title = title,
          .exposed_ns = traced == nullptr ? parts.exposed_ns : traced->total.exposed_ns,
          .overlapped_ns = traced == nullptr ? parts.overlapped_ns : traced->total.overlapped_ns};
}

// The baseline above the best setting: mean steps in their parts, then steps as they ran.
void add_drawings(const std::vector<StepParts>& all, Section& section) {
  std::vector<Markup> lanes;
  RoleBars bars{.id = "recorded", .title = "A mean recorded step in its parts", .bars = {}};
  TimelineStrips strips{.id = "timeline", .strips = {}};
  for (const StepParts& parts : all) {
    bars.bars.push_back({.label = parts.setting, .exposed_ns = mean_of(parts)});
    if (auto drawing = role_lanes(drawn_lanes(parts, bars.bars.size()))) {
      lanes.push_back(std::move(*drawing));
    }
    if (parts.partition != nullptr) {
      strips.strips.push_back({.label = parts.setting, .partition = parts.partition});
    }
  }
  if (auto drawing = role_bars(bars)) {
    section.add(Figure{{std::move(*drawing)},
                       "Mean recorded steps, on one scale of time. A moment belongs to the first "
                       "part that has anything at it, so that the parts sum to the step; other is "
                       "what no row of the trace explains."});
  }
  if (!lanes.empty()) {
    section.add(Figure{std::move(lanes),
                       "The baseline above the best setting: of each part, filled what is exposed, "
                       "outlined what parts above it hide. Only exposed time can be gained."});
  }
  if (auto drawing = timeline_strips(strips)) {
    section.add(Figure{{std::move(*drawing)},
                       "When something of each part ran, on one scale of time: up to five steps "
                       "nearest to the median. Dashed lines are where steps begin and end; blocks "
                       "that lie closer than can be seen are joined."});
  }
}

}  // namespace

Section run_recorded_section(const Run& run) {
  Section section{.title = "What a step consists of"};
  const std::vector<std::string> lines = recording_lines(run.result);
  if (lines.empty()) {
    return section;
  }
  const std::vector<StepParts> parts = step_parts(run);
  add_drawings(parts, section);
  if (Table table = parts_table(parts); !table.rows.empty()) {
    section.add(std::move(table));
  }
  if (Table table = operators_table(run.result); !table.rows.empty()) {
    section.add(std::move(table), kInMarkdown | kInHtml);
  }
  return section.add(List{lines}, kInMarkdown | kInHtml);
}

}  // namespace tune::report
