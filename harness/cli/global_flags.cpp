#include "cli/global_flags.h"

#include "base/error.h"
#include "cli/commands.h"
#include "cli/expect_word.h"
#include "cli/flag_or_environment.h"
#include "cli/verbose.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <system_error>
#include <vector>

namespace tune::cli {

namespace {

const std::vector<std::string>& colors() {
  static const std::vector<std::string> words = {"auto", "always", "never"};
  return words;
}

const std::vector<std::string>& progress_kinds() {
  static const std::vector<std::string> words = {"auto", "never"};
  return words;
}

// One of `words`, or "" when neither the flag nor the environment says anything.
std::string word_of(const std::string& flag,
                    const std::string& value,
                    const char* variable,
                    const std::vector<std::string>& words) {
  const GivenValue given = flag_or_environment(flag, value, variable);
  if (!given.value.empty()) {
    expect_word(given.source, given.value, words);
  }
  return given.value;
}

void enter(const std::string& folder) {
  std::error_code failed;
  std::filesystem::current_path(folder, failed);
  if (failed) {
    throw Error(Error::Parts{"-C " + folder, "cannot enter", failed.message(), ""});
  }
}

}  // namespace

void GlobalFlags::add_to(CLI::App& app, Invocation& invocation) {
  app.add_option("-C", folder_, "Change to this folder first")->type_name("DIR");
  CLI::Option* const quiet =
      app.add_flag("-q,--quiet", invocation.quiet, "Only errors on standard error");
  app.add_flag("-v,--verbose",
               invocation.verbose,
               "Also which folders, programs and variables are used, and where each setting of a "
               "run comes from")
      ->excludes(quiet);
  app.add_option("--color", color_, "Colours; auto: where a terminal shows them")
      ->type_name(one_of(colors()));
  app.add_option("--progress", progress_, "auto: drawn on a terminal; never: plain lines")
      ->type_name(one_of(progress_kinds()));
}

void GlobalFlags::settle(Invocation& invocation) const {
  const std::string color = word_of("--color", color_, "TUNE_COLOR", colors());
  invocation.color = color == "always"  ? ColorWish::always
                     : color == "never" ? ColorWish::never
                                        : ColorWish::automatic;
  const std::string progress = word_of("--progress", progress_, "TUNE_PROGRESS", progress_kinds());
  invocation.plain_progress = progress == "never";
  if (!folder_.empty()) {
    enter(folder_);
  }
  if (invocation.verbose) {
    tell_surroundings();
  }
}

}  // namespace tune::cli
