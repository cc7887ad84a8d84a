#include "report/role_bars.h"

#include "base/units.h"
#include "base/whole_number.h"
#include "report/number_text.h"
#include "report/role_look.h"
#include "report/svg.h"

#include <algorithm>

namespace tune::report {

namespace {

using profile::Role;

constexpr double kWidth = 960, kEdge = 12, kRight = 948;
constexpr double kTop = 44, kBottom = 10;
constexpr double kLabelWidth = 168;  // left of the bars, where there are several
constexpr std::size_t kLongestLabel = 24;

struct Layout {
  double left = 0, bar_height = 0, pitch = 0;
  std::int64_t longest_ns = 0;

  double width_of(std::int64_t ns) const {
    return static_cast<double>(ns) / static_cast<double>(longest_ns) * (kRight - left);
  }
};

std::string share_of(std::int64_t ns, std::int64_t total_ns) {
  return share_text(static_cast<double>(ns) / static_cast<double>(total_ns));
}

// Parts that no bar has are left out: a training on the CPU has none of a GPU.
void draw_legend(Drawing& drawing, const std::vector<RoleBar>& bars) {
  double x = kEdge;
  for (std::size_t i = 0; i < profile::kRoles; ++i) {
    if (std::none_of(
            bars.begin(), bars.end(), [i](const RoleBar& bar) { return bar.exposed_ns[i] > 0; })) {
      continue;
    }
    const auto role = static_cast<Role>(i);
    const std::string name(profile::role_name(role));
    drawing.legend_entry();
    draw_role_box(drawing, role, {x, 10, 18, 14});
    drawing.text({x + 24, 21}, name, Colour::quiet, {.size = 12});
    drawing.ungroup();
    x += 24 + static_cast<double>(name.size()) * 6.6 + 20;
  }
}

void draw_part(Drawing& drawing, Role role, const std::string& share, const Box& box) {
  draw_role_box(drawing, role, box);
  const std::string full = std::string(profile::role_name(role)) + " " + share;
  const std::string& label = fits(full, box.width) ? full : share;
  if (fits(label, box.width)) {
    drawing.text({box.x + box.width / 2, box.y + box.height * 0.35 + 4},
                 label,
                 Colour::paper,
                 {.size = 12, .anchor = Drawing::Anchor::middle});
  }
}

void draw_bar(Drawing& drawing, const RoleBar& bar, const Layout& layout, double y) {
  const std::int64_t total_ns = bar.total_ns();
  if (layout.left > kEdge) {
    drawing.text({kEdge, y + layout.bar_height * 0.5 + 4},
                 shortened(bar.label, kLongestLabel),
                 Colour::ink,
                 {.size = 12});
  }
  double x = layout.left;
  for (std::size_t i = 0; i < profile::kRoles; ++i) {
    const std::int64_t ns = bar.exposed_ns[i];
    const double width = layout.width_of(ns);
    if (width >= 0.05) {
      const auto role = static_cast<Role>(i);
      const std::string share = share_of(ns, total_ns);
      drawing.group(shortened(bar.label, 80) + ", " + std::string(profile::role_name(role)) + ": " +
                    format_time(ns) + ", " + share);
      draw_part(drawing, role, share, {x, y, width, layout.bar_height});
      drawing.ungroup();
    }
    x += width;
  }
}

std::string in_words(const std::vector<RoleBar>& bars) {
  constexpr std::size_t kMostDescribed = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(bars.size(), kMostDescribed); ++i) {
    const RoleBar& bar = bars[i];
    const auto largest = std::max_element(bar.exposed_ns.begin(), bar.exposed_ns.end());
    if (*largest <= 0) {
      continue;
    }
    const auto role = static_cast<Role>(largest - bar.exposed_ns.begin());
    text += (text.empty() ? "" : " ") + shortened(bar.label, 80);
    text += ": " + format_time(bar.total_ns()) + ", most of it ";
    text += profile::role_name(role);
    text += " (" + share_of(*largest, bar.total_ns()) + ").";
  }
  return text;
}

}  // namespace

std::int64_t RoleBar::total_ns() const {
  std::int64_t total_ns = 0;
  for (const std::int64_t ns : exposed_ns) {
    total_ns = saturated_sum(total_ns, ns);
  }
  return total_ns;
}

std::optional<Markup> role_bars(const RoleBars& content) {
  const bool is_alone = content.bars.size() == 1;
  Layout layout{.left = is_alone ? kEdge : kEdge + kLabelWidth,
                .bar_height = is_alone ? 42.0 : 26.0,
                .pitch = is_alone ? 52.0 : 32.0};
  std::vector<RoleBar> bars = content.bars;
  bars.resize(std::min(bars.size(), kMostBars));
  for (const RoleBar& bar : bars) {
    layout.longest_ns = std::max(layout.longest_ns, bar.total_ns());
  }
  if (layout.longest_ns <= 0) {
    return std::nullopt;
  }
  Drawing drawing({.id = content.id,
                   .title = content.title,
                   .description = in_words(bars),
                   .width = kWidth,
                   .height = kTop + layout.pitch * static_cast<double>(bars.size()) + kBottom});
  draw_legend(drawing, bars);
  double y = kTop;
  for (const RoleBar& bar : bars) {
    draw_bar(drawing, bar, layout, y);
    y += layout.pitch;
  }
  return drawing.finished();
}

}  // namespace tune::report
