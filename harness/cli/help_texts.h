#pragma once

#include <string_view>

namespace tune {

// Embedded files (CMakeLists.txt).
extern const std::string_view help_text;              ///< help.txt: `tune --help`
extern const std::string_view help_exit_codes_text;   ///< help/exit-codes.txt
extern const std::string_view help_environment_text;  ///< help/environment.txt
extern const std::string_view help_scenario_text;     ///< help/scenario.txt
extern const std::string_view init_folder_text;       ///< init/folder.yaml: `tune init folder`
extern const std::string_view init_generated_text;    ///< init/generated.yaml
extern const std::string_view init_synthetic_text;    ///< init/synthetic.yaml

}  // namespace tune
