#include "report/chart_scale.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/pareto_front.h"
#include "report/quantity_text.h"
#include "report/run_charts.h"
#include "report/run_words.h"
#include "report/svg.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kLeft = 76, kRight = 940, kTop = 44, kBase = 330, kBottom = 48;
constexpr double kMark = 5;

// How a chart calls what settings cost.
struct CostWords {
  const char *id, *title, *axis, *least, *unit;
};

CostWords words_of(Cost cost) {
  return cost == Cost::energy ? CostWords{.id = "pareto-energy",
                                          .title = "Throughput against energy",
                                          .axis = "GPU energy a sample",
                                          .least = "the least energy takes",
                                          .unit = "J"}
                              : CostWords{.id = "pareto",
                                          .title = "Throughput against peak memory",
                                          .axis = "peak memory",
                                          .least = "the least memory has",
                                          .unit = "B"};
}

struct Plot {
  LinearScale x, y;

  Point at(const RateAndCost& point) const { return {x.at(point.cost), y.at(point.rate)}; }
};

Plot plot_of(const std::vector<RateAndCost>& points) {
  std::vector<double> costs, rates;
  costs.reserve(points.size());
  rates.reserve(points.size());
  for (const RateAndCost& point : points) {
    costs.push_back(point.cost);
    rates.push_back(point.rate);
  }
  return {.x = scale_over(costs, {kLeft, kRight}), .y = scale_over(rates, {kBase, kTop})};
}

void draw_diamond(Drawing& drawing, Point at) {
  drawing.polygon({{at.x, at.y - kMark - 1},
                   {at.x + kMark + 1, at.y},
                   {at.x, at.y + kMark + 1},
                   {at.x - kMark - 1, at.y}},
                  Colour::ink);
}

void draw_cross(Drawing& drawing, Point at) {
  drawing.line({at.x - 4, at.y - 4}, {at.x + 4, at.y + 4}, Colour::worse, 2);
  drawing.line({at.x - 4, at.y + 4}, {at.x + 4, at.y - 4}, Colour::worse, 2);
}

void draw_mark(Drawing& drawing, const RateAndCost& point, Point at) {
  if (!point.cell->broken_constraints.empty()) {
    draw_cross(drawing, at);
  } else if (point.is_on_front) {
    draw_diamond(drawing, at);
  } else {
    drawing.hollow_circle(at, 4, Colour::quiet);
  }
}

std::string reading_of(const RateAndCost& point, const CostWords& words) {
  std::string text = setting_words(*point.cell) + ": " + number_text(point.rate);
  text += " samples/s, " + quantity_text(point.cost, words.unit);
  text += point.cell->broken_constraints.empty() ? "" : ", breaks a constraint";
  return text;
}

// At a higher cost the rate stays until the next setting of the front.
void draw_front(Drawing& drawing, const std::vector<RateAndCost>& points, const Plot& plot) {
  std::vector<const RateAndCost*> front;
  for (const RateAndCost& point : points) {
    if (point.is_on_front) {
      front.push_back(&point);
    }
  }
  std::sort(
      front.begin(), front.end(), [](const auto* a, const auto* b) { return a->cost < b->cost; });
  std::vector<Point> line;
  for (const RateAndCost* const point : front) {
    const Point at = plot.at(*point);
    if (!line.empty()) {
      line.push_back({at.x, line.back().y});
    }
    line.push_back(at);
  }
  if (line.size() > 1) {
    drawing.polyline(line, {.colour = Colour::quiet, .width = 1.5, .style = Drawing::Line::dashed});
  }
}

void draw_name(Drawing& drawing, const char* name, Point at) {
  const bool is_right = at.x > (kLeft + kRight) / 2;
  drawing.text({is_right ? at.x - 10 : at.x + 10, at.y - 8},
               name,
               Colour::ink,
               {.size = 12,
                .anchor = is_right ? Drawing::Anchor::end : Drawing::Anchor::start,
                .weight = Drawing::Weight::bold});
}

void draw_legend(Drawing& drawing) {
  drawing.legend_entry();
  draw_diamond(drawing, {18, 20});
  drawing.text({32, 24}, "Pareto front", Colour::quiet, {.size = 12});
  drawing.ungroup();
  drawing.legend_entry();
  drawing.hollow_circle({142, 20}, 4, Colour::quiet);
  drawing.text({154, 24}, "another one is better in both", Colour::quiet, {.size = 12});
  drawing.ungroup();
  drawing.legend_entry();
  draw_cross(drawing, {352, 20});
  drawing.text({364, 24}, "breaks a constraint", Colour::quiet, {.size = 12});
  drawing.ungroup();
}

std::string in_words(const std::vector<RateAndCost>& points, const CostWords& words) {
  const auto on_front = std::count_if(
      points.begin(), points.end(), [](const RateAndCost& point) { return point.is_on_front; });
  std::string text = counted(static_cast<std::int64_t>(points.size()), "setting") + ", " +
                     std::to_string(on_front) + " on the Pareto front";
  const auto fastest = std::max_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.rate < b.rate; });
  const auto cheapest = std::min_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
  return text + ". The fastest is " + reading_of(*fastest, words) + "; " + words.least + " " +
         reading_of(*cheapest, words) + ".";
}

}  // namespace

std::optional<Markup> pareto_plot(const result::Result& result,
                                  std::vector<RateAndCost> points,
                                  Cost cost) {
  points.resize(std::min(points.size(), kMostParetoPoints));
  if (points.size() < 2) {
    return std::nullopt;
  }
  const CostWords words = words_of(cost);
  const Plot plot = plot_of(points);
  Drawing drawing({.id = words.id,
                   .title = words.title,
                   .description = in_words(points, words),
                   .width = kWidth,
                   .height = kBase + kBottom});
  draw_legend(drawing);
  draw_rows(drawing, plot.y, {kLeft, kRight}, number_text);
  draw_columns(
      drawing, plot.x, kBase, [&words](double value) { return quantity_text(value, words.unit); });
  drawing.text({12, kTop - 4}, "samples/s", Colour::quiet, {.size = 12});
  drawing.text({kRight, kBase + 40},
               words.axis,
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
  draw_front(drawing, points, plot);
  const result::Cell *const baseline = baseline_of(result), *const best = best_of(result);
  for (const RateAndCost& point : points) {
    drawing.group(reading_of(point, words));
    draw_mark(drawing, point, plot.at(point));
    drawing.ungroup();
    if (point.cell == baseline) {
      draw_name(drawing, "baseline", plot.at(point));
    } else if (point.cell == best) {
      draw_name(drawing, "best", plot.at(point));
    }
  }
  return drawing.finished();
}

}  // namespace tune::report
