#pragma once

#include "result/result.h"

#include <string>

namespace tune::report {

// A setting as code, of all its knobs together.

enum class Language { python, cpp };

/// What code is written for; "" where it is not known.
struct CodeContext {
  std::string device;     ///< cpu, cuda
  std::string optimizer;  ///< its class: SGD
};

/// A line a knob, the loader's options in one call; what no code is known for is a comment.
std::string setting_code(const result::Setting& changed,
                         const CodeContext& context,
                         Language language);

/// A unified difference of the scenario's baseline.
std::string setting_patch(const result::Setting& changed, const result::Setting& baseline);

}  // namespace tune::report
