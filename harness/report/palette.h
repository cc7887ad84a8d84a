#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

/// What a colour says. `better` and `worse` mean direction and nothing else; the parts of a step
/// also differ by hatch and label. Roles of a trace share the colours of phases (role_look.h).
enum class Colour {
  paper,
  panel,
  ink,
  quiet,  ///< secondary text
  rule,   ///< lines that only separate
  better,
  worse,
  unsure,
  data_wait,
  transfer,
  forward,
  backward,
  optimizer,
  other,
  cpu_op
};

struct Swatch {
  Colour colour;
  const char* name;          ///< of the CSS variable and classes
  const char *light, *dark;  ///< #rrggbb
};

/// All colours, in the enum's order.
const std::vector<Swatch>& palette();

const Swatch& swatch(Colour colour);

/// WCAG contrast of two #rrggbb colours, 1 to 21.
double contrast(const std::string& a, const std::string& b);

/// Variables for light, dark and printed pages, and the classes that carry them into drawings,
/// whose own attributes hold for whoever drops the style sheet.
std::string palette_css();

}  // namespace tune::report
