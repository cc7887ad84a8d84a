#pragma once

#include "report/svg.h"
#include "trace/role.h"

#include <string>

namespace tune::report {

/// How a role of the partition is drawn: colour, hatch and label, so that no two look alike. Where
/// a role is a phase of training too, it has the phase's colour.
struct RoleLook {
  Colour colour;
  Drawing::Hatch hatch;
};
RoleLook look_of(profile::Role role);

/// Filled and hatched over its lower part, which leaves room for text above.
void draw_role_box(Drawing& drawing, profile::Role role, const Box& box);

}  // namespace tune::report
