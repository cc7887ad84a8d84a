#pragma once

#include <string_view>

namespace tune {

// Embedded files (CMakeLists.txt).
extern const std::string_view kHelpText;             ///< help.txt: `tune --help`
extern const std::string_view kHelpDiagnosisText;    ///< help/diagnosis.txt
extern const std::string_view kHelpExitCodesText;    ///< help/exit-codes.txt
extern const std::string_view kHelpEnvironmentText;  ///< help/environment.txt
extern const std::string_view kHelpFormatsText;      ///< help/formats.txt
extern const std::string_view kHelpReasonCodesText;  ///< help/reason-codes.txt
extern const std::string_view kHelpScenarioText;     ///< help/scenario.txt
extern const std::string_view kHelpSymptomsText;     ///< help/symptoms.txt
extern const std::string_view kHelpStatisticsText;   ///< help/statistics.txt
extern const std::string_view kCompletionBashText;   ///< completion/bash.sh, with its gaps
extern const std::string_view kCompletionZshText;    ///< completion/zsh.sh
extern const std::string_view kCompletionFishText;   ///< completion/fish.fish
extern const std::string_view kInitFolderText;       ///< init/folder.yaml: `tune init folder`
extern const std::string_view kInitGeneratedText;    ///< init/generated.yaml
extern const std::string_view kInitSyntheticText;    ///< init/synthetic.yaml

// Compiled in from reports/templates (tune_embed).
extern const std::string_view kLivePageHtml;
extern const std::string_view kLivePageScript;

}  // namespace tune

namespace tune::cli {

/// The version of this program, e.g. "0.1.0".
constexpr std::string_view version() {
  return TUNE_VERSION;
}

/// The commit that this program was built from, 12 digits; "unknown" without a clone.
std::string_view commit();

}  // namespace tune::cli
