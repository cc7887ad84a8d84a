#pragma once

#include "trace/timeline.h"

#include <string>

namespace tune::profile {

class TextWindow;

/// Throws Error for what people have next to their traces: archives, tensors, traces of other
/// profilers. They are recognized by how a file begins, for which `text` is filled far enough, and
/// by its name where that says nothing; JSON and what nobody recognizes is not refused.
void refuse_other_format(const std::string& file, TextWindow& text);

/// The same for JSON that has been read and holds no row of a PyTorch profiler: by what is next to
/// the rows, and by their categories.
void refuse_other_json(const Timeline& timeline);

}  // namespace tune::profile
