#pragma once

#include "scenario/gate_section.h"
#include "trial/knob_catalog.h"

#include <filesystem>
#include <string>

namespace tune::scenario {

/// The text of a scenario with one more entry of `gate: {accepted: [...]}`, the first of them, and
/// every other byte as it was. A section that is missing is made at the end.
///
/// What comes out has been read again and compared: it is a valid scenario, the entry is there, and
/// nothing else differs. Throws tune::Error where that is not possible; it says what to write by
/// hand. `file` is named in complaints, and its name must be the scenario's.
std::string with_accepted(const std::string& text,
                          const std::filesystem::path& file,
                          const AcceptedRow& accepted);

/// The text of a scenario with these knobs of its `baseline:` set to these values, and every byte
/// that says something else as it was (set_in_section.h). A knob that has its value already, as
/// written or by default, is left alone: the text comes back as it is when all have.
///
/// What comes out has been read again and compared: it is a valid scenario, its baseline has these
/// values, and nothing else differs. Throws tune::Error where that is not possible. `file` is named
/// in complaints, and its name must be the scenario's. The knobs must be in the catalogue.
std::string with_baseline(const std::string& text,
                          const std::filesystem::path& file,
                          const trial::KnobSettings& changes);

}  // namespace tune::scenario
