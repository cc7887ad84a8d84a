#pragma once

#include "scenario/gate_section.h"

#include <filesystem>
#include <string>

namespace tune::scenario {

/// The text of a scenario with one more entry of `gate: {accepted: [...]}`, the first of them, and
/// every other byte as it was. A section that is missing is made at the end.
///
/// What comes out has been read again and compared: it is a valid scenario, the entry is there, and
/// nothing else differs. Throws tune::Error where that cannot be had; it says what to write by
/// hand. `file` is named in complaints, and its name must be the scenario's.
std::string with_accepted(const std::string& text,
                          const std::filesystem::path& file,
                          const AcceptedRow& accepted);

}  // namespace tune::scenario
