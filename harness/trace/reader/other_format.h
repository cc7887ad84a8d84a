#pragma once

#include <string>

namespace tune::profile {

class TextWindow;

/// Throws Error for what people have next to their traces: archives, tensors, traces of other
/// profilers. They are recognized by how a file begins, for which `text` is filled far enough; JSON
/// and what nobody recognizes is not refused.
void refuse_other_format(const std::string& file, TextWindow& text);

}  // namespace tune::profile
