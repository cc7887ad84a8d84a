#pragma once

#include "cli/terminal.h"
#include "doctor/checkup.h"

#include <string>

namespace tune::cli {

/// What `tune doctor` prints: group by group, of what needs a look why and what to do; what this
/// machine does not say together; the count of each level last.
std::string doctor_text(const doctor::Checkup& checkup,
                        const doctor::Observation& observation,
                        const Terminal& terminal);

/// --plain: id, level, what was found, what to do; one line a check.
std::string doctor_rows(const doctor::Checkup& checkup);

}  // namespace tune::cli
