#include "report/role_look.h"

#include <array>
#include <cstddef>

namespace tune::report {

namespace {

// By Role. Copies and fills have one colour: their hatch distinguishes them.
constexpr std::array<RoleLook, profile::kRoles> kLooks = {
    {{Colour::forward, Drawing::Hatch::none},
     {Colour::transfer, Drawing::Hatch::dots},
     {Colour::backward, Drawing::Hatch::falling},
     {Colour::backward, Drawing::Hatch::crossed},
     {Colour::optimizer, Drawing::Hatch::crossed},
     {Colour::data_wait, Drawing::Hatch::rising},
     {Colour::cpu_op, Drawing::Hatch::falling},
     {Colour::other, Drawing::Hatch::upright}}};

constexpr double kHatchedPart = 0.3;

}  // namespace

RoleLook look_of(profile::Role role) {
  return kLooks[static_cast<std::size_t>(role)];
}

void draw_role_box(Drawing& drawing, profile::Role role, const Box& box) {
  const RoleLook look = look_of(role);
  const double hatched = box.height * kHatchedPart;
  drawing.rect(box, look.colour);
  drawing.hatch({box.x, box.y + box.height - hatched, box.width, hatched}, look.hatch);
}

}  // namespace tune::report
