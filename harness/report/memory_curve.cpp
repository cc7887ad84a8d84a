#include "report/memory_curve.h"

#include "base/units.h"
#include "report/svg.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace tune::report {

namespace {

using table::Cell;

constexpr double kWidth = 960, kEdge = 12, kLeft = 84, kRight = 948, kTop = 34, kHeight = 150;
constexpr double kBase = kTop + kHeight, kBottom = 30;

struct Moment {
  std::int64_t time_ns = 0, allocated_bytes = 0;
  std::optional<std::int64_t> reserved_bytes;
};

struct Curve {
  std::string device;
  std::vector<Moment> moments;
};

// What one drawing needs.
struct Scale {
  double begin_ns = 0, end_ns = 1;
  double low_bytes = 0, high_bytes = 1;

  double x(std::int64_t ns) const {
    return kLeft + (static_cast<double>(ns) - begin_ns) / (end_ns - begin_ns) * (kRight - kLeft);
  }
  double y(double bytes) const {
    return kBase - (bytes - low_bytes) / (high_bytes - low_bytes) * kHeight;
  }
};

std::optional<std::int64_t> whole(const table::Table& table,
                                  const table::Row& row,
                                  const char* column) {
  const auto* const value = std::get_if<std::int64_t>(&cell(table, row, column));
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::vector<Curve> curves_of(const table::Table& table) {
  std::vector<Curve> curves;
  for (const table::Row& row : table.rows) {
    const auto* const device = std::get_if<std::string>(&cell(table, row, "device"));
    const auto time_ns = whole(table, row, "time");
    const auto allocated_bytes = whole(table, row, "allocated");
    if (device == nullptr || !time_ns || !allocated_bytes) {
      continue;
    }
    if (curves.empty() || curves.back().device != *device) {
      curves.push_back({*device, {}});
    }
    curves.back().moments.push_back({*time_ns, *allocated_bytes, whole(table, row, "reserved")});
  }
  return curves;
}

Scale scale_of(const std::vector<Moment>& moments) {
  Scale scale{.begin_ns = static_cast<double>(moments.front().time_ns),
              .end_ns = static_cast<double>(moments.back().time_ns)};
  scale.end_ns = scale.end_ns > scale.begin_ns ? scale.end_ns : scale.begin_ns + 1e6;
  for (const Moment& moment : moments) {
    const auto allocated = static_cast<double>(moment.allocated_bytes);
    const auto reserved = static_cast<double>(moment.reserved_bytes.value_or(0));
    scale.low_bytes = std::min({scale.low_bytes, allocated, reserved});
    scale.high_bytes = std::max({scale.high_bytes, allocated, reserved});
  }
  return scale;
}

std::string bytes_text(double bytes) {
  const std::string size =
      format_bytes(static_cast<std::int64_t>(std::min(bytes < 0 ? -bytes : bytes, 9e18)));
  return bytes < 0 ? "-" + size : size;
}

void draw_axes(Drawing& drawing, const Curve& curve, const Scale& scale) {
  const double middle = (scale.low_bytes + scale.high_bytes) / 2;
  for (const double bytes : {scale.low_bytes, middle, scale.high_bytes}) {
    drawing.line({kLeft, scale.y(bytes)}, {kRight, scale.y(bytes)}, Colour::rule);
    drawing.text({kLeft - 8, scale.y(bytes) + 4},
                 bytes_text(bytes),
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::end});
  }
  drawing.text({kLeft, kBase + 20},
               format_time(curve.moments.front().time_ns) + " after the first row",
               Colour::quiet,
               {.size = 12});
  drawing.text({kRight, kBase + 20},
               format_time(curve.moments.back().time_ns),
               Colour::quiet,
               {.size = 12, .anchor = Drawing::Anchor::end});
}

// A level holds until the next is known.
std::vector<Point> steps_of(const std::vector<Moment>& moments,
                            const Scale& scale,
                            std::int64_t (*level)(const Moment&)) {
  std::vector<Point> points;
  points.reserve(moments.size() * 2);
  for (const Moment& moment : moments) {
    const double x = scale.x(moment.time_ns);
    if (!points.empty()) {
      points.push_back({x, points.back().y});
    }
    points.push_back({x, scale.y(static_cast<double>(level(moment)))});
  }
  return points;
}

std::string in_words(const Curve& curve) {
  const auto peak = std::max_element(
      curve.moments.begin(), curve.moments.end(), [](const Moment& a, const Moment& b) {
        return a.allocated_bytes < b.allocated_bytes;
      });
  return curve.device + ": most allocated " +
         bytes_text(static_cast<double>(peak->allocated_bytes)) + ", " +
         format_time(peak->time_ns) + " after the first row.";
}

Markup draw(const Curve& curve, const std::string& id) {
  const Scale scale = scale_of(curve.moments);
  Drawing drawing({.id = id,
                   .title = "Memory of " + curve.device + " over time",
                   .description = in_words(curve),
                   .width = kWidth,
                   .height = kBase + kBottom});
  drawing.text({kEdge, 20}, in_words(curve), Colour::ink, {.size = 12});
  std::vector<Point> area =
      steps_of(curve.moments, scale, [](const Moment& moment) { return moment.allocated_bytes; });
  area.push_back({area.back().x, scale.y(0)});
  area.push_back({area.front().x, scale.y(0)});
  drawing.polygon(area, Colour::forward);
  draw_axes(drawing, curve, scale);
  const bool is_reserved_known =
      std::all_of(curve.moments.begin(), curve.moments.end(), [](const Moment& moment) {
        return moment.reserved_bytes.has_value();
      });
  if (is_reserved_known) {
    drawing.polyline(
        steps_of(curve.moments,
                 scale,
                 [](const Moment& moment) { return moment.reserved_bytes.value_or(0); }),
        {.colour = Colour::ink, .width = 1.5, .style = Drawing::Line::dashed});
  }
  return drawing.finished();
}

}  // namespace

std::vector<Markup> memory_curves(const table::Table& timeline, const std::string& id) {
  std::vector<Markup> drawings;
  if (!timeline.is_applicable()) {
    return drawings;
  }
  for (const Curve& curve : curves_of(timeline)) {
    if (curve.moments.size() > 1 && drawings.size() < kMostMemoryCurves) {
      drawings.push_back(draw(curve, id + "-" + std::to_string(drawings.size())));
    }
  }
  return drawings;
}

}  // namespace tune::report
