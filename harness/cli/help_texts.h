#pragma once

#include <string_view>

namespace tune {

// Embedded files (CMakeLists.txt).
extern const std::string_view help_text;              ///< help.txt: `tune --help`
extern const std::string_view help_exit_codes_text;   ///< help/exit-codes.txt
extern const std::string_view help_environment_text;  ///< help/environment.txt
extern const std::string_view help_scenario_text;     ///< help/scenario.txt

}  // namespace tune
