#include "report/role_lanes.h"

#include "base/whole_number.h"
#include "report/number_text.h"
#include "report/role_look.h"
#include "report/svg.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::report {

namespace {

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

std::int64_t total_ns(const RoleLanes& lanes) {
  std::int64_t total_ns = 0;
  for (const std::int64_t ns : lanes.exposed_ns) {
    total_ns = saturated_sum(total_ns, ns);
  }
  return total_ns;
}

std::string shares_of(const RoleLanes& lanes, std::size_t role) {
  const auto total = static_cast<double>(total_ns(lanes));
  const auto ratio = [total](std::int64_t ns) { return static_cast<double>(ns) / total; };
  return share_text(ratio(lanes.exposed_ns[role])) + " exposed, " +
         share_text(ratio(lanes.overlapped_ns[role])) + " overlapped";
}

void draw_lane(Drawing& drawing, const RoleLanes& lanes, std::size_t role, double y) {
  const auto scale = (kRight - kLeft) / static_cast<double>(total_ns(lanes));
  // What a file says may sum to more than the steps.
  const double room = kRight - kLeft;
  const double exposed = static_cast<double>(lanes.exposed_ns[role]) * scale;
  const double overlapped = std::clamp(
      static_cast<double>(lanes.overlapped_ns[role]) * scale, 0.0, std::max(0.0, room - exposed));
  const auto of_role = static_cast<Role>(role);
  if (overlapped >= 0.05) {
    drawing.outline({kLeft + exposed, y, overlapped, kHeight}, look_of(of_role).colour);
  }
  if (exposed >= 0.05) {
    draw_role_box(drawing, of_role, {kLeft, y, exposed, kHeight});
  }
}

std::vector<std::size_t> roles_with_time(const RoleLanes& lanes) {
  std::vector<std::size_t> roles;
  roles.reserve(profile::kRoles);
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    if (lanes.exposed_ns[role] > 0 || lanes.overlapped_ns[role] > 0) {
      roles.push_back(role);
    }
  }
  return roles;
}

std::string in_words(const RoleLanes& lanes, const std::vector<std::size_t>& roles) {
  std::string text;
  for (const std::size_t role : roles) {
    text += text.empty() ? "" : "; ";
    text += profile::role_name(static_cast<Role>(role));
    text += " " + shares_of(lanes, role);
  }
  return text + ".";
}

}  // namespace

std::optional<Markup> role_lanes(const RoleLanes& lanes) {
  if (total_ns(lanes) <= 0) {
    return std::nullopt;
  }
  const std::vector<std::size_t> roles = roles_with_time(lanes);
  const double bottom = kTop + kPitch * static_cast<double>(roles.size());
  Drawing drawing({.id = lanes.id,
                   .title = lanes.title,
                   .description = in_words(lanes, roles),
                   .width = kWidth,
                   .height = bottom + kBottom});
  draw_axis(drawing, bottom);
  double y = kTop;
  for (const std::size_t role : roles) {
    const std::string name(profile::role_name(static_cast<Role>(role)));
    const std::string reading = shares_of(lanes, role);
    std::string title = name + ": ";
    drawing.group(title += reading);
    drawing.text({kEdge, y + 14}, name, Colour::ink, {.size = 12});
    draw_lane(drawing, lanes, role, y);
    drawing.text({kText, y + 14}, reading, Colour::ink, {.size = 12});
    drawing.ungroup();
    y += kPitch;
  }
  return drawing.finished();
}

}  // namespace tune::report
