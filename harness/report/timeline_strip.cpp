#include "report/timeline_strip.h"

#include "base/assert.h"
#include "base/stats/quantile.h"
#include "base/units.h"
#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/role_look.h"
#include "report/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tune::report {

namespace {

using profile::Interval;
using profile::Intervals;
using profile::Role;

constexpr double kWidth = 960, kEdge = 12, kLeft = 130, kRight = 948;
constexpr double kHeading = 30, kLane = 16, kBlock = 12, kGap = 22;
constexpr double kLeastBlock = 0.5;  // what is shorter is drawn so long
constexpr std::size_t kBlockBytes = 24, kLongestLabel = 90;

/// The steps of one setting that are drawn.
struct Window {
  const RecordedStrip* strip = nullptr;
  std::size_t first = 0, count = 0;
  Interval time;

  const profile::Step& step(std::size_t i) const {
    return strip->partition->steps.steps.at(first + i);
  }
};

std::optional<Window> window_of(const RecordedStrip& strip) {
  const auto drawn = strip.partition == nullptr ? std::nullopt : strip_steps(*strip.partition);
  if (!drawn) {
    return std::nullopt;
  }
  const std::vector<profile::Step>& steps = strip.partition->steps.steps;
  Window window{.strip = &strip, .first = drawn->first, .count = drawn->count};
  window.time = {steps[window.first].interval.begin_ns,
                 steps[window.first + window.count - 1].interval.end_ns};
  return window.time.length_ns() > 0 ? std::optional(window) : std::nullopt;
}

bool has_role(const Window& window, std::size_t role) {
  return !profile::intersect(window.strip->partition->covered[role], {window.time}).empty();
}

std::vector<std::size_t> roles_of(const std::vector<Window>& windows) {
  std::vector<std::size_t> roles;
  for (std::size_t role = 0; role < profile::kRolesOfRows; ++role) {
    const bool is_seen = std::any_of(windows.begin(), windows.end(), [&](const Window& window) {
      return has_role(window, role);
    });
    if (is_seen) {
      roles.push_back(role);
    }
  }
  return roles;
}

struct Scale {
  double units_a_ns = 1;

  double x(const Window& window, std::int64_t ns) const {
    return kLeft + static_cast<double>(ns - window.time.begin_ns) * units_a_ns;
  }
};

Scale scale_of(const std::vector<Window>& windows) {
  std::int64_t longest_ns = 1;
  for (const Window& window : windows) {
    longest_ns = std::max(longest_ns, window.time.length_ns());
  }
  return {(kRight - kLeft) / static_cast<double>(longest_ns)};
}

// Blocks with less than `gap` units between them are one.
std::vector<Box> blocks_of(const Window& window, std::size_t role, const Scale& scale, double gap) {
  std::vector<Box> blocks;
  const Intervals& covered = window.strip->partition->covered[role];
  for (const Interval& run : profile::intersect(covered, {window.time})) {
    const double begin = scale.x(window, run.begin_ns);
    const double end = std::max(scale.x(window, run.end_ns), begin + kLeastBlock);
    if (!blocks.empty() && begin - (blocks.back().x + blocks.back().width) < gap) {
      Box& last = blocks.back();
      last.width = std::max(last.width, end - last.x);
    } else {
      blocks.push_back({begin, 0, end - begin, kBlock});
    }
  }
  return blocks;
}

using Lanes = std::vector<std::vector<Box>>;

Lanes lanes_of(const Window& window, const std::vector<std::size_t>& roles, const Scale& scale) {
  constexpr double kWidestGap = 64;
  Lanes lanes;
  for (double gap = kLeastBlock; gap <= kWidestGap; gap *= 2) {
    lanes.clear();
    std::size_t blocks = 0;
    for (const std::size_t role : roles) {
      lanes.push_back(blocks_of(window, role, scale, gap));
      blocks += lanes.back().size();
    }
    if (blocks * kBlockBytes <= kStripBytes) {
      break;
    }
  }
  return lanes;
}

void draw_text(Drawing& drawing, Point at, const std::string& text, Colour colour) {
  drawing.text(at, text, colour, {.size = 12});
}

std::string heading_of(const Window& window) {
  return shortened(window.strip->label, kLongestLabel) + ": " +
         counted(static_cast<std::int64_t>(window.count), "step") + " of " +
         std::to_string(window.strip->partition->steps.steps.size()) + ", " +
         format_time(window.time.length_ns());
}

// Where steps begin and the last one ends.
void draw_edges(Drawing& drawing, const Window& window, const Scale& scale, const Extent& down) {
  for (std::size_t i = 0; i < window.count; ++i) {
    const double x = scale.x(window, window.step(i).interval.begin_ns);
    drawing.line({x, down.from}, {x, down.to}, Colour::ink, 1, Drawing::Line::dashed);
  }
  const double x = scale.x(window, window.time.end_ns);
  drawing.line({x, down.from}, {x, down.to}, Colour::ink, 1, Drawing::Line::dashed);
}

void draw_strip(Drawing& drawing,
                const Window& window,
                const std::vector<std::size_t>& roles,
                const Scale& scale,
                double top) {
  draw_text(drawing, {kEdge, top + 16}, heading_of(window), Colour::ink);
  Lanes lanes = lanes_of(window, roles, scale);
  const double first = top + kHeading;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const double y = first + kLane * static_cast<double>(i);
    const auto role = static_cast<Role>(roles[i]);
    draw_text(drawing, {kEdge, y + 11}, std::string(profile::role_name(role)), Colour::quiet);
    for (Box& block : lanes[i]) {
      block.y = y;
    }
    if (!lanes[i].empty()) {
      drawing.boxes(lanes[i], look_of(role).colour);
    }
  }
  draw_edges(drawing,
             window,
             scale,
             {.from = first - 4, .to = first + kLane * static_cast<double>(roles.size())});
}

std::string in_words(const std::vector<Window>& windows, const std::vector<std::size_t>& roles) {
  std::string text;
  for (const Window& window : windows) {
    text += text.empty() ? "" : " ";
    text += heading_of(window);
    for (const std::size_t role : roles) {
      const std::int64_t ns = profile::length_ns(
          profile::intersect(window.strip->partition->covered[role], {window.time}));
      text += ", ";
      text += profile::role_name(static_cast<Role>(role));
      text += " in " +
              share_text(static_cast<double>(ns) / static_cast<double>(window.time.length_ns()));
    }
    text += ".";
  }
  return text;
}

}  // namespace

std::size_t typical_steps(const std::vector<profile::Step>& steps, std::size_t count) {
  TUNE_ASSERT(count > 0 && count <= steps.size());
  std::vector<double> lengths;
  lengths.reserve(steps.size());
  for (const profile::Step& step : steps) {
    lengths.push_back(static_cast<double>(step.interval.length_ns()));
  }
  const double middle = stats::median(lengths);
  std::size_t nearest = 0;
  double least = 0;
  for (std::size_t first = 0; first + count <= lengths.size(); ++first) {
    double distance = 0;
    for (std::size_t i = first; i < first + count; ++i) {
      distance += std::fabs(lengths[i] - middle);
    }
    if (first == 0 || distance < least) {
      nearest = first;
      least = distance;
    }
  }
  return nearest;
}

std::optional<StripSteps> strip_steps(const profile::Partition& partition) {
  const std::vector<profile::Step>& steps = partition.steps.steps;
  const std::size_t count = std::min(steps.size(), kMostStripSteps);
  return count == 0 ? std::nullopt : std::optional(StripSteps{typical_steps(steps, count), count});
}

std::optional<Markup> timeline_strips(const TimelineStrips& content) {
  std::vector<Window> windows;
  for (const RecordedStrip& strip : content.strips) {
    if (const auto window = window_of(strip)) {
      windows.push_back(*window);
    }
  }
  const std::vector<std::size_t> roles = roles_of(windows);
  if (roles.empty()) {
    return std::nullopt;
  }
  const double height = kHeading + kLane * static_cast<double>(roles.size()) + kGap;
  Drawing drawing({.id = content.id,
                   .title = "Recorded steps on one scale of time",
                   .description = in_words(windows, roles),
                   .width = kWidth,
                   .height = height * static_cast<double>(windows.size()),
                   .zoom_from = kLeft,
                   .zoom_to = kRight});
  const Scale scale = scale_of(windows);
  double top = 0;
  for (const Window& window : windows) {
    draw_strip(drawing, window, roles, scale, top);
    top += height;
  }
  return drawing.finished();
}

}  // namespace tune::report
