#pragma once

#include "report/markup.h"

#include <cstddef>
#include <string>

namespace tune::report {

/// Fails unless the drawing is what every drawing of ours is: well-formed, named and described,
/// everything within its view box, every coordinate a number, colours as attributes.
void expect_sound_drawing(const Markup& drawing);

/// Its text, titles and descriptions included.
std::string text_of(const Markup& drawing);

/// How many elements of that name it has.
std::size_t elements_of(const Markup& drawing, const std::string& tag);

}  // namespace tune::report
