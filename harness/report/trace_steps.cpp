// The steps of a trace one by one.

#include "base/stats/quantile.h"
#include "base/units.h"
#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/svg.h"
#include "report/table_blocks.h"
#include "report/trace_sections.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostColumns = 240;
constexpr double kWidth = 960, kLeft = 84, kRight = 948, kTop = 26, kHeight = 150;
constexpr double kBase = kTop + kHeight, kBottom = 30;
constexpr double kWidestColumn = 48;
constexpr std::size_t kLongestName = 40;

struct Column {
  const profile::Step* longest = nullptr;
  std::size_t steps = 0;

  std::int64_t ns() const { return longest->interval.length_ns(); }
};

std::vector<Column> columns_of(const std::vector<profile::Step>& steps) {
  const std::size_t each = (steps.size() + kMostColumns - 1) / kMostColumns;
  std::vector<Column> columns;
  columns.reserve(steps.size() / each + 1);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i % each == 0) {
      columns.push_back({&steps[i], 0});
    }
    Column& column = columns.back();
    ++column.steps;
    const bool is_longer = steps[i].interval.length_ns() > column.ns();
    column.longest = is_longer ? &steps[i] : column.longest;
  }
  return columns;
}

std::int64_t median_ns(const std::vector<profile::Step>& steps) {
  std::vector<double> lengths;
  lengths.reserve(steps.size());
  for (const profile::Step& step : steps) {
    lengths.push_back(static_cast<double>(step.interval.length_ns()));
  }
  return std::llround(stats::median(std::move(lengths)));
}

double y_of(std::int64_t ns, std::int64_t most_ns) {
  return kBase - static_cast<double>(ns) / static_cast<double>(most_ns) * kHeight;
}

void draw_axis(Drawing& drawing, std::int64_t most_ns) {
  const LinearScale y{.low = 0, .high = static_cast<double>(most_ns), .from = kBase, .to = kTop};
  draw_rows(drawing, y, {.from = kLeft, .to = kRight}, [](double ns) {
    return format_time(std::llround(ns));
  });
}

void draw_column(Drawing& drawing, const Column& column, std::int64_t most_ns, const Box& place) {
  std::string tip = shortened(column.longest->name, kLongestName);
  tip += ": " + format_time(column.ns());
  if (column.steps > 1) {
    tip += ", the longest of " + std::to_string(column.steps);
  }
  const double y = y_of(column.ns(), most_ns);
  drawing.group(tip);
  drawing.rect({place.x, y, place.width, std::max(kBase - y, 0.5)}, Colour::transfer);
  drawing.ungroup();
}

std::string in_words(const std::vector<profile::Step>& steps,
                     std::int64_t middle_ns,
                     std::int64_t most_ns) {
  const auto least = std::min_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) {
    return a.interval.length_ns() < b.interval.length_ns();
  });
  return counted(static_cast<std::int64_t>(steps.size()), "step") + ", " +
         format_time(least->interval.length_ns()) + " to " + format_time(most_ns) + ", median " +
         format_time(middle_ns) + ".";
}

// A column a step, with a line at their median. Of more than kMostColumns steps each column is the
// longest of several that follow each other. Nothing for less than two steps.
std::optional<Markup> step_plot(const std::vector<profile::Step>& steps) {
  if (steps.size() < 2) {
    return std::nullopt;
  }
  const std::vector<Column> columns = columns_of(steps);
  std::int64_t most_ns = 1;
  for (const Column& column : columns) {
    most_ns = std::max(most_ns, column.ns());
  }
  const std::int64_t middle_ns = median_ns(steps);
  Drawing drawing({.id = "steps",
                   .title = "Duration of each step",
                   .description = in_words(steps, middle_ns, most_ns),
                   .width = kWidth,
                   .height = kBase + kBottom});
  draw_axis(drawing, most_ns);
  const double pitch = (kRight - kLeft) / static_cast<double>(columns.size());
  const double width = std::min(pitch * 0.8, kWidestColumn);
  double x = kLeft + (pitch - width) / 2;
  for (const Column& column : columns) {
    draw_column(drawing, column, most_ns, {x, kTop, width, kHeight});
    x += pitch;
  }
  const double y = y_of(middle_ns, most_ns);
  drawing.line({kLeft, y}, {kRight, y}, Colour::ink, 1.5, Drawing::Line::dashed);
  drawing.text({kRight, kTop - 10},
               "dashed: median " + format_time(middle_ns),
               Colour::ink,
               {.size = 12, .anchor = Drawing::Anchor::end});
  drawing.text({kLeft, kBase + 20},
               shortened(steps.front().name, kLongestName),
               Colour::quiet,
               {.size = 12});
  drawing.text({kRight, kBase + 20},
               shortened(steps.back().name, kLongestName),
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
  return drawing.finished();
}

}  // namespace

Section trace_steps_section(const TraceAnalysis& analysis) {
  constexpr std::size_t kMostSteps = 200, kMostUnfolded = 10;
  const auto& steps = analysis.input.partition.steps;
  Section section{.title = "Steps"};
  if (const auto plot = step_plot(steps.steps)) {
    const bool is_grouped = steps.steps.size() > kMostColumns;
    section.add(Figure{{*plot},
                       is_grouped
                           ? "Each column is the longest of several steps that follow each other."
                           : "Each column is a step, by the clock of the host."});
  }
  for (table::Table table : analysis.tables) {
    if (table.id == "steps") {
      table::keep_top(table, kMostSteps);
      Blocks rows = table_blocks(table, "Parts of each step: exposed time, summing to it");
      if (table.rows.size() > kMostUnfolded) {
        section.add(Folded{"Each step in its parts", std::move(rows)});
      } else {
        section.add(std::move(rows));
      }
    }
  }
  return section;
}

}  // namespace tune::report
