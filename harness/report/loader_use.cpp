#include "report/loader_use.h"

#include "base/units.h"
#include "measure/campaign/measured_facts.h"
#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/role_look.h"
#include "report/svg.h"
#include "report/trial_steps.h"

#include <algorithm>
#include <array>
#include <variant>

namespace tune::report {

namespace {

constexpr double kNano = 1e-9, kMillisecondNs = 1e6;

std::int64_t workers_of(const campaign::CellResult& cell) {
  const auto knob = cell.cell.knobs.find("num_workers");
  const auto* const workers =
      knob == cell.cell.knobs.end() ? nullptr : std::get_if<std::int64_t>(&knob->second);
  return workers == nullptr ? 0 : std::max<std::int64_t>(0, *workers);
}

std::vector<StockPoint> stock_of(const trial::TrialReply& reply) {
  std::vector<StockPoint> points;
  for (const trial::Slice& slice : reply.slices) {
    const double since_s =
        (static_cast<double>(slice.start_ns) - static_cast<double>(reply.slices.front().start_ns)) *
        kNano;
    points.push_back({since_s, slice.stock_before});
    points.push_back({since_s + static_cast<double>(slice.wall_ns) * kNano, slice.stock_after});
  }
  return points;
}

// Sums over trials, of thread CPU time and bytes.
struct Sums {
  double read_ns = 0, decode_ns = 0, resize_ns = 0, bytes = 0;
};

void add(const trial::LoaderReport& loader, Sums& sums, LoaderUse& use) {
  use.samples += std::max<std::int64_t>(0, loader.samples);
  use.errors += std::max<std::int64_t>(0, loader.errors);
  sums.read_ns += static_cast<double>(loader.read_ns);
  sums.decode_ns += static_cast<double>(loader.decode_ns);
  sums.resize_ns += static_cast<double>(loader.resize_ns);
  sums.bytes += static_cast<double>(loader.bytes_read);
  if (loader.resident_ratio) {
    use.least_resident =
        std::min(use.least_resident.value_or(*loader.resident_ratio), *loader.resident_ratio);
    use.most_resident =
        std::max(use.most_resident.value_or(*loader.resident_ratio), *loader.resident_ratio);
  }
}

constexpr double kWidth = 960, kEdge = 12, kRight = 948, kTop = 62, kBar = 30, kPitch = 62;
constexpr double kLeft = 84, kHatch = 10;
constexpr double kStockTop = 44, kStockBase = 174, kStockBottom = 34;
constexpr std::size_t kLongestLabel = 80;

struct Stage {
  const char* label;
  double LoaderUse::*ms;
  Colour colour;
  Drawing::Hatch hatch;
};
constexpr std::array<Stage, 3> kStages = {
    {{"read", &LoaderUse::read_ms, Colour::transfer, Drawing::Hatch::dots},
     {"decode", &LoaderUse::decode_ms, Colour::data_wait, Drawing::Hatch::rising},
     {"resize", &LoaderUse::resize_ms, Colour::optimizer, Drawing::Hatch::crossed}}};

constexpr std::array<Drawing::Stroke, 2> kStrokes = {
    {{Colour::ink, 1.5, Drawing::Line::dashed}, {Colour::transfer, 2, Drawing::Line::solid}}};

bool is_drawable_use(const LoaderUse& use) {
  return std::all_of(kStages.begin(), kStages.end(), [&](const Stage& stage) {
    return is_drawable(use.*stage.ms) && use.*stage.ms >= 0;
  });
}

std::string reading_of(const NamedLoader& loader) {
  std::string text = shortened(loader.label, kLongestLabel) + ": " +
                     format_seconds(loader.use.cpu_ms() * 1e-3) + " of CPU per sample";
  for (const Stage& stage : kStages) {
    text += ", ";
    text += stage.label;
    text += " " + format_seconds(loader.use.*stage.ms * 1e-3);
  }
  return text;
}

void draw_legend(Drawing& drawing) {
  double x = kEdge;
  for (const Stage& stage : kStages) {
    const Box box = {x, 10, 18, 14};
    drawing.legend_entry();
    drawing.rect(box, stage.colour);
    drawing.hatch(box, stage.hatch);
    drawing.text({x + 24, 21}, stage.label, Colour::quiet, {.size = 12});
    drawing.ungroup();
    x += 90;
  }
}

void draw_bar(Drawing& drawing, const NamedLoader& loader, double longest_ms, double y) {
  drawing.group(reading_of(loader));
  drawing.text({kEdge, y - 7}, reading_of(loader), Colour::ink, {.size = 12});
  double x = kEdge;
  for (const Stage& stage : kStages) {
    const double width = loader.use.*stage.ms / longest_ms * (kRight - kEdge);
    if (width >= 0.05) {
      drawing.rect({x, y, width, kBar}, stage.colour);
      drawing.hatch({x, y + kBar - kHatch, width, kHatch}, stage.hatch);
      if (fits(stage.label, width)) {
        drawing.text({x + width / 2, y + 15},
                     stage.label,
                     Colour::paper,
                     {.size = 12, .anchor = Drawing::Anchor::middle});
      }
    }
    x += width;
  }
  drawing.ungroup();
}

template <class Reading>
std::string joined(const std::vector<const NamedLoader*>& loaders, Reading reading) {
  std::string text;
  for (const NamedLoader* const loader : loaders) {
    text += text.empty() ? "" : ". ";
    text += reading(*loader);
  }
  return text + ".";
}

std::string stock_reading(const NamedLoader& loader) {
  std::int64_t least = loader.use.stock.front().samples, most = least;
  for (const StockPoint& point : loader.use.stock) {
    least = std::min(least, point.samples);
    most = std::max(most, point.samples);
  }
  return shortened(loader.label, kLongestLabel) + ", trial " +
         shortened(loader.use.trial, kLongestLabel) + ": " + std::to_string(least) + " to " +
         counted(most, "sample") + " ahead";
}

std::vector<const NamedLoader*> with_stock(const std::vector<NamedLoader>& loaders) {
  std::vector<const NamedLoader*> kept;
  bool is_any_ahead = false;
  for (const NamedLoader& loader : loaders) {
    const auto& stock = loader.use.stock;
    const bool is_sound =
        stock.size() > 1 && std::all_of(stock.begin(), stock.end(), [](const StockPoint& point) {
          return is_drawable(point.at_s) && point.samples >= 0 &&
                 is_drawable(static_cast<double>(point.samples));
        });
    if (is_sound && kept.size() < kStrokes.size()) {
      kept.push_back(&loader);
      is_any_ahead = is_any_ahead || std::any_of(stock.begin(), stock.end(), [](const auto& point) {
                       return point.samples > 0;
                     });
    }
  }
  return is_any_ahead ? kept : std::vector<const NamedLoader*>();
}

void draw_stock(Drawing& drawing, const std::vector<const NamedLoader*>& loaders) {
  std::vector<double> times_s, samples;
  for (const NamedLoader* const loader : loaders) {
    for (const StockPoint& point : loader->use.stock) {
      times_s.push_back(point.at_s);
      samples.push_back(static_cast<double>(point.samples));
    }
  }
  const LinearScale x = scale_from_zero(times_s, {kLeft, kRight});
  const LinearScale y = scale_from_zero(samples, {kStockBase, kStockTop});
  draw_rows(drawing, y, {kLeft, kRight}, number_text);
  double legend = kEdge;
  for (std::size_t i = 0; i < loaders.size(); ++i) {
    std::vector<Point> line;
    for (const StockPoint& point : loaders[i]->use.stock) {
      line.push_back({x.at(point.at_s), y.at(static_cast<double>(point.samples))});
    }
    drawing.polyline(line, kStrokes[i]);
    drawing.legend_entry();
    drawing.polyline({{legend, 16}, {legend + 26, 16}}, kStrokes[i]);
    drawing.text(
        {legend + 32, 20}, shortened(stock_reading(*loaders[i]), 62), Colour::ink, {.size = 12});
    drawing.ungroup();
    legend += (kRight - kEdge) / 2;
  }
  draw_columns(drawing, x, kStockBase, format_seconds);
}

}  // namespace

std::optional<double> LoaderUse::most_rate() const {
  return workers > 0 && cpu_ms() > 0 ? std::optional(static_cast<double>(workers) * 1e3 / cpu_ms())
                                     : std::nullopt;
}

std::optional<LoaderUse> loader_use(const campaign::CampaignResult& result,
                                    const campaign::CellResult& cell) {
  LoaderUse use{.workers = workers_of(cell)};
  Sums sums;
  for (const campaign::TrialRecord* const trial : campaign::window_trials(result, cell)) {
    const trial::TrialReply& reply = *trial->outcome.reply;
    ++use.trials;
    add(reply.loader, sums, use);
    use.stock = stock_of(reply);
    use.trial = trial->spec.id;
  }
  if (use.trials == 0) {
    return std::nullopt;
  }
  const auto samples = static_cast<double>(std::max<std::int64_t>(1, use.samples));
  use.read_ms = sums.read_ns / kMillisecondNs / samples;
  use.decode_ms = sums.decode_ns / kMillisecondNs / samples;
  use.resize_ms = sums.resize_ns / kMillisecondNs / samples;
  use.bytes_per_sample = sums.bytes / samples;
  return use;
}

std::optional<Markup> loader_bars(const std::vector<NamedLoader>& loaders) {
  std::vector<const NamedLoader*> drawn;
  double longest_ms = 0;
  for (const NamedLoader& loader : loaders) {
    if (is_drawable_use(loader.use)) {
      drawn.push_back(&loader);
      longest_ms = std::max(longest_ms, loader.use.cpu_ms());
    }
  }
  if (!(longest_ms > 0)) {
    return std::nullopt;
  }
  Drawing drawing({.id = "loader",
                   .title = "CPU time of a sample in the loader",
                   .description = joined(drawn, reading_of),
                   .width = kWidth,
                   .height = kTop + kPitch * static_cast<double>(drawn.size()) - 20});
  draw_legend(drawing);
  double y = kTop;
  for (const NamedLoader* const loader : drawn) {
    draw_bar(drawing, *loader, longest_ms, y);
    y += kPitch;
  }
  return drawing.finished();
}

std::optional<Markup> stock_plot(const std::vector<NamedLoader>& loaders) {
  const auto drawn = with_stock(loaders);
  if (drawn.empty()) {
    return std::nullopt;
  }
  Drawing drawing({.id = "stock",
                   .title = "Samples made ahead of the training",
                   .description = joined(drawn, stock_reading),
                   .width = kWidth,
                   .height = kStockBase + kStockBottom});
  draw_stock(drawing, drawn);
  return drawing.finished();
}

}  // namespace tune::report
