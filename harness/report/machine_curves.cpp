#include "report/machine_curves.h"

#include "base/units.h"
#include "report/headline.h"
#include "report/machine_charts.h"
#include "report/quantity_text.h"
#include "report/svg.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using telemetry::CellTelemetry;
using telemetry::SeriesSummary;
using telemetry::Span;
using telemetry::TrialTelemetry;

constexpr double kWidth = 960, kEdge = 12, kLeft = 84, kRight = 948, kGap = 28;
constexpr double kTop = 56, kHeight = 90, kBase = kTop + kHeight, kBottom = 30;
constexpr double kCharacter = 6.6;  // of 12 px text, generously
constexpr double kNano = 1e-9;
constexpr std::size_t kLongestName = 40, kLongestReason = 60;

/// The scale of one chart, equal for all its panels.
struct Scale {
  double seconds = 0;  ///< of the longest trial
  double most = 0;

  double y(double value) const { return kBase - std::clamp(value / most, 0.0, 1.0) * kHeight; }
};

Scale scale_of(const Chart& chart, const std::vector<CellTelemetry>& cells) {
  Scale scale{.most = chart.least};
  for (const CellTelemetry& cell : cells) {
    for (const ChartLine& line : chart.lines) {
      for (const CurvePiece& piece : pieces_of(cell.example, line)) {
        scale.seconds = std::max(scale.seconds, piece.end_s);
        scale.most = std::max(scale.most, piece.value.value_or(0));
      }
    }
  }
  return scale;
}

/// Where the curves of one trial are drawn.
struct Panel {
  double left = 0, width = 0;
  double seconds = 1;
  std::string name{};  ///< of the cell

  double x(double at_s) const { return left + std::clamp(at_s / seconds, 0.0, 1.0) * width; }
};

// A mean holds for its whole stretch, and gaps stay gaps.
std::vector<std::vector<Point>> runs_of(const std::vector<CurvePiece>& pieces,
                                        const Panel& panel,
                                        const Scale& scale) {
  std::vector<std::vector<Point>> runs;
  bool is_open = false;
  for (const CurvePiece& piece : pieces) {
    if (!piece.value) {
      is_open = false;
      continue;
    }
    const double y = scale.y(*piece.value);
    if (!is_open) {
      runs.emplace_back();
      is_open = true;
    }
    std::vector<Point>& run = runs.back();
    const bool goes_on = run.size() > 1 && coordinate(run.back().y) == coordinate(y);
    if (goes_on) {
      run.back().x = panel.x(piece.end_s);
    } else {
      run.push_back({panel.x(piece.begin_s), y});
      run.push_back({panel.x(piece.end_s), y});
    }
  }
  return runs;
}

// Seconds from the start of the trial; also before it, when a file says so.
double seconds_at(const TrialTelemetry& trial, std::int64_t ns) {
  return (static_cast<double>(ns) - static_cast<double>(trial.start_ns)) * kNano;
}

// The recorded steps of the trial that is drawn.
std::optional<Span> recorded_steps(const CampaignResult& result, const CellTelemetry& cell) {
  for (const campaign::ProfiledCell& profile : result.profiles) {
    const bool is_it = profile.cell == cell.cell && profile.trial == cell.curves_of;
    if (is_it && profile.outcome.end_ns > profile.outcome.start_ns) {
      return Span{profile.outcome.start_ns, profile.outcome.end_ns};
    }
  }
  return std::nullopt;
}

void draw_windows(Drawing& drawing,
                  const CellTelemetry& cell,
                  const Panel& panel,
                  const std::optional<Span>& steps) {
  const TrialTelemetry& trial = cell.example;
  if (trial.window) {
    const double left = panel.x(seconds_at(trial, trial.window->begin_ns));
    const double right = panel.x(seconds_at(trial, trial.window->end_ns));
    drawing.rect({left, kTop, std::max(0.0, right - left), kHeight}, Colour::panel);
  }
  if (steps) {
    constexpr double kThick = 5, kThin = 2;
    const double left = panel.x(seconds_at(trial, steps->begin_ns));
    const double right = panel.x(seconds_at(trial, steps->end_ns));
    drawing.rect({left, kBase, std::max(kThin, right - left), kThick}, Colour::quiet);
  }
}

std::string why_empty(const Chart& chart, const CellTelemetry& cell) {
  const SeriesSummary* const series = cell.example.find(chart.lines.front().id);
  std::string reason = cell.trials == 0 ? cell.reason : "not recorded";
  if (series != nullptr && !series->reason.empty()) {
    reason = series->reason;
  }
  return reason;
}

void draw_panel(Drawing& drawing,
                const Chart& chart,
                const CellTelemetry& cell,
                const Panel& panel,
                const Scale& scale) {
  bool is_empty = true;
  for (const double share : {0.0, 0.5, 1.0}) {
    const double y = scale.y(share * scale.most);
    drawing.line({panel.left, y}, {panel.left + panel.width, y}, Colour::rule);
  }
  for (const ChartLine& line : chart.lines) {
    for (const auto& run : runs_of(pieces_of(cell.example, line), panel, scale)) {
      drawing.polyline(run, line.stroke);
      is_empty = false;
    }
  }
  std::string name = panel.name;
  name += cell.curves_of.empty() ? "" : ", trial " + cell.curves_of;
  drawing.text({panel.left, kTop - 8}, shortened(name, kLongestName), Colour::ink, {.size = 12});
  if (is_empty) {
    drawing.text({panel.left + 8, kTop + kHeight / 2},
                 "not applicable: " + shortened(why_empty(chart, cell), kLongestReason),
                 Colour::quiet,
                 {.size = 12});
    return;
  }
  drawing.text({panel.left, kBase + 20}, "0", Colour::quiet, {.size = 12});
  drawing.text({panel.left + panel.width, kBase + 20},
               format_seconds(panel.seconds),
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
}

void draw_heading(Drawing& drawing, const Chart& chart) {
  constexpr double kLine = 26, kSpace = 20, kY = 20;
  const std::string title = chart.title;
  drawing.text({kEdge, kY}, title, Colour::ink, {.size = 13, .weight = Drawing::Weight::bold});
  double x = kEdge + static_cast<double>(title.size()) * (kCharacter + 1) + kSpace;
  for (const ChartLine& line : chart.lines) {
    const std::string label = line.label;
    drawing.polyline({{x, kY - 4}, {x + kLine, kY - 4}}, line.stroke);
    drawing.text({x + kLine + 6, kY}, label, Colour::quiet, {.size = 12});
    x += kLine + 6 + static_cast<double>(label.size()) * kCharacter + kSpace;
  }
}

void draw_scale(Drawing& drawing, const Chart& chart, const Scale& scale) {
  for (const double share : {0.0, 0.5, 1.0}) {
    const double value = share * scale.most;
    drawing.text({kLeft - 8, scale.y(value) + 4},
                 quantity_text(value, chart.unit),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::end});
  }
}

// "baseline: by the worker 1.72, by all 1.80; ..."
std::string means_text(const Chart& chart, const CampaignResult& result) {
  std::string text = "Means of the measured window. ";
  bool is_first = true;
  for (const CellTelemetry& cell : result.telemetry) {
    std::string numbers;
    for (const ChartLine& line : chart.lines) {
      if (const auto mean = mean_of(cell.example, line)) {
        numbers += numbers.empty() ? "" : ", ";
        numbers += line.label;
        numbers += " ";
        numbers += quantity_text(*mean, chart.unit);
      }
    }
    text += is_first ? "" : "; ";
    is_first = false;
    text += drawn_name(result, cell.cell);
    text += ": ";
    text += numbers.empty() ? "not known" : numbers;
  }
  return text += ".";
}

bool is_drawn(const ChartLine& line, const std::vector<CellTelemetry>& cells) {
  return std::any_of(cells.begin(), cells.end(), [&](const CellTelemetry& cell) {
    return !pieces_of(cell.example, line).empty();
  });
}

bool is_drawn(const Chart& chart, const std::vector<CellTelemetry>& cells) {
  return std::any_of(chart.lines.begin(), chart.lines.end(), [&](const ChartLine& line) {
    return is_drawn(line, cells);
  });
}

Markup draw(const Chart& chart, std::size_t index, const CampaignResult& result) {
  const std::vector<CellTelemetry>& cells = result.telemetry;
  const Scale scale = scale_of(chart, cells);
  Drawing drawing({.id = "machine-" + std::to_string(index),
                   .title = chart.title,
                   .description = means_text(chart, result),
                   .width = kWidth,
                   .height = kBase + kBottom});
  draw_heading(drawing, chart);
  draw_scale(drawing, chart, scale);
  const auto panels = static_cast<double>(cells.size());
  Panel panel{.left = kLeft,
              .width = (kRight - kLeft - kGap * (panels - 1)) / panels,
              .seconds = scale.seconds};
  for (const CellTelemetry& cell : cells) {
    panel.name = drawn_name(result, cell.cell);
    draw_windows(drawing, cell, panel, recorded_steps(result, cell));
    draw_panel(drawing, chart, cell, panel, scale);
    panel.left += panel.width + kGap;
  }
  return drawing.finished();
}

// As the first trial that could have had it says.
std::string why_not_drawn(const ChartLine& line, const std::vector<CellTelemetry>& cells) {
  for (const CellTelemetry& cell : cells) {
    const SeriesSummary* const series = cell.example.find(line.id);
    if (series != nullptr) {
      return series->reason.empty() ? "the trial was too short for a curve" : series->reason;
    }
  }
  return "not recorded";
}

}  // namespace

std::vector<Markup> machine_curves(const CampaignResult& result) {
  std::vector<Markup> drawings;
  drawings.reserve(machine_charts().size());
  for (std::size_t i = 0; i < machine_charts().size(); ++i) {
    if (is_drawn(machine_charts()[i], result.telemetry)) {
      drawings.push_back(draw(machine_charts()[i], i, result));
    }
  }
  return drawings;
}

std::vector<std::string> curves_not_drawn(const CampaignResult& result) {
  std::map<std::string, std::string> missing;  // reason -> what lacks for it
  for (const Chart& chart : machine_charts()) {
    const bool has_others = is_drawn(chart, result.telemetry);
    for (const ChartLine& line : chart.lines) {
      const bool stands_for_all = &line == &chart.lines.front();
      if (is_drawn(line, result.telemetry) || (!has_others && !stands_for_all)) {
        continue;
      }
      std::string& names = missing[why_not_drawn(line, result.telemetry)];
      names += names.empty() ? "" : ", ";
      names += chart.title;
      if (has_others) {
        names += " (";
        names += line.label;
        names += ")";
      }
    }
  }
  std::vector<std::string> lines;
  if (result.telemetry.empty()) {
    return lines;
  }
  lines.reserve(missing.size());
  for (const auto& [reason, names] : missing) {
    std::string line = "not applicable: ";
    line += names;
    line += ": ";
    line += reason;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tune::report
