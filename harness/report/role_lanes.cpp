#include "report/role_lanes.h"

#include "report/number_text.h"
#include "report/role_look.h"
#include "report/svg.h"

#include <cstdint>
#include <string>

namespace tune::report {

namespace {

using profile::Partition;
using profile::Role;

constexpr double kWidth = 960, kEdge = 12, kLeft = 130, kRight = 700, kText = 712;
constexpr double kTop = 30, kPitch = 26, kHeight = 18, kBottom = 8;

void draw_axis(Drawing& drawing, double bottom) {
  for (const int percent : {0, 25, 50, 75, 100}) {
    const double x = kLeft + percent / 100.0 * (kRight - kLeft);
    drawing.line({x, kTop - 6}, {x, bottom}, Colour::rule);
    drawing.text({x, kTop - 12},
                 std::to_string(percent) + " %",
                 Colour::quiet,
                 {.size = 12, .anchor = Drawing::Anchor::middle});
  }
}

std::string shares_of(const Partition& partition, std::size_t role) {
  const auto total = static_cast<double>(partition.total_ns());
  const auto ratio = [total](std::int64_t ns) { return static_cast<double>(ns) / total; };
  return share_text(ratio(partition.total.exposed_ns[role])) + " exposed, " +
         share_text(ratio(partition.total.overlapped_ns[role])) + " overlapped";
}

bool is_applicable(const Partition& partition, std::size_t role) {
  return partition.has_device_rows || role >= static_cast<std::size_t>(profile::kFirstHostRole);
}

std::string reading_of(const Partition& partition, std::size_t role) {
  if (!is_applicable(partition, role)) {
    return "not applicable: no row of a device";
  }
  return role < profile::kRolesOfRows && partition.rows[role] == 0 ? "no rows"
                                                                   : shares_of(partition, role);
}

void draw_lane(Drawing& drawing, const Partition& partition, std::size_t role, double y) {
  const auto scale = (kRight - kLeft) / static_cast<double>(partition.total_ns());
  const double exposed = static_cast<double>(partition.total.exposed_ns[role]) * scale;
  const double overlapped = static_cast<double>(partition.total.overlapped_ns[role]) * scale;
  const auto of_role = static_cast<Role>(role);
  if (overlapped >= 0.05) {
    drawing.outline({kLeft + exposed, y, overlapped, kHeight}, look_of(of_role).colour);
  }
  if (exposed >= 0.05) {
    draw_role_box(drawing, of_role, {kLeft, y, exposed, kHeight});
  }
}

std::string description(const Partition& partition) {
  std::string text;
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    const std::int64_t ns = partition.total.exposed_ns[role] + partition.total.overlapped_ns[role];
    if (ns > 0) {
      text += text.empty() ? "" : "; ";
      text += profile::role_name(static_cast<Role>(role));
      text += " " + shares_of(partition, role);
    }
  }
  return text + ".";
}

}  // namespace

std::optional<Markup> role_lanes(const Partition& partition) {
  if (partition.total_ns() <= 0) {
    return std::nullopt;
  }
  const double bottom = kTop + kPitch * static_cast<double>(profile::kRoles);
  Drawing drawing({.id = "lanes",
                   .title = "Exposed and overlapped time of each part, of all steps",
                   .description = description(partition),
                   .width = kWidth,
                   .height = bottom + kBottom});
  draw_axis(drawing, bottom);
  double y = kTop;
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    const std::string name(profile::role_name(static_cast<Role>(role)));
    const bool applies = is_applicable(partition, role);
    const std::string reading = reading_of(partition, role);
    std::string title = name + ": ";
    drawing.group(title += reading);
    drawing.text({kEdge, y + 14}, name, Colour::ink, {.size = 12});
    if (applies) {
      draw_lane(drawing, partition, role, y);
    }
    drawing.text({kText, y + 14}, reading, applies ? Colour::ink : Colour::quiet, {.size = 12});
    drawing.ungroup();
    y += kPitch;
  }
  return drawing.finished();
}

}  // namespace tune::report
