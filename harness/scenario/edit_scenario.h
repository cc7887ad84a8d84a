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

/// The text of a scenario with `grid` ("  num_workers: [0, 2]\n") as all that is in its `grid:`, at
/// the end; every byte outside of that section as it was.
///
/// What comes out has been read again and compared: nothing but the grid differs. Throws
/// tune::Error where that is impossible, as in a text that is one map in braces.
std::string with_grid(const std::string& text,
                      const std::filesystem::path& file,
                      const std::string& grid);

}  // namespace tune::scenario
