#include "cli/global_flags.h"

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/verbose.h"
#include "scenario/scenario.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
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
  CLI::Option* const color =
      app.add_option("--color", color_, "Colours; auto: where a terminal shows them");
  color->type_name(one_of(colors()));
  app.add_flag("--no-color", no_color_, "As --color never")->excludes(color);
  app.add_option("--progress", progress_, "auto: drawn on a terminal; never: plain lines")
      ->type_name(one_of(progress_kinds()));
}

void GlobalFlags::settle(Invocation& invocation) const {
  const std::string color =
      no_color_ ? "never" : word_of("--color", color_, "TUNE_COLOR", colors());
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

namespace {

const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  return named.empty() ? app : innermost(*named.front());
}

std::string full_name(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? "tune" : full_name(*parent) + " " + app.get_name();
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* const option : app.get_options()) {
    const bool is_old_name = option->get_group().empty();
    for (const std::string& name : option->get_lnames()) {
      if (!is_old_name) {
        flags.push_back("--" + name);
      }
    }
  }
  if (const CLI::App* const parent = app.get_parent()) {
    const std::vector<std::string> more = flags_of(*parent);
    flags.insert(flags.end(), more.begin(), more.end());
  }
  return flags;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// "--mode: enforec not in {enforce,warn,shadow}": the nearest word of that list, or "".
std::string near_word(const std::string& problem) {
  const std::string between = " not in {";
  const std::size_t at = problem.find(between);
  const std::size_t colon = problem.find(": ");
  if (at == std::string::npos || colon == std::string::npos || colon > at) {
    return "";
  }
  std::vector<std::string> words;
  std::string word;
  for (const char letter : problem.substr(at + between.size())) {
    if (letter == ',' || letter == '}') {
      words.push_back(word);
      word.clear();
    } else {
      word += letter;
    }
  }
  return did_you_mean(problem.substr(colon + 2, at - colon - 2), words);
}

// What is left over explains more than what is missing: a misspelt flag's value was taken for FILE.
bool is_about_leftovers(const CLI::ParseError& error) {
  return dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
         dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
}

// What people put before their script, here in the place of a file.
bool runs_scripts(std::string_view program) {
  constexpr std::array<std::string_view, 6> kPrograms = {
      "torchrun", "accelerate", "deepspeed", "uv", "poetry", "conda"};
  return program.starts_with("python") ||
         std::find(kPrograms.begin(), kPrograms.end(), program) != kPrograms.end();
}

// "" where it takes none, or was given none.
std::string first_argument(const CLI::App& command) {
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_positional() && !option->results().empty()) {
      return option->results().front();
    }
  }
  return "";
}

}  // namespace

void refuse_empty_words(const CLI::App& app) {
  for (const CLI::Option* const option : app.get_options()) {
    const std::vector<std::string>& words = option->results();
    if (std::find(words.begin(), words.end(), "") != words.end()) {
      throw Error(Error::Parts{
          full_name(app), option->get_name() + " is an empty word", "it names nothing", ""});
    }
  }
  for (const CLI::App* const command : app.get_subcommands()) {
    refuse_empty_words(*command);
  }
}

Error::Parts parse_complaint(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::string where = full_name(command);
  const std::string see = "see `" + where + " --help`";
  const std::vector<std::string> left = app.remaining(true);
  const std::vector<std::string> commands = commands_of(command);
  if (!is_about_leftovers(error) || left.empty()) {
    const bool lacks_command = !commands.empty() && left.empty() &&
                               dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (lacks_command) {
      std::string list;
      for (const std::string& name : commands) {
        list += (list.empty() ? "" : ", ") + name;
      }
      return {where, "a command is missing", list, where + " " + commands.front()};
    }
    return {where, error.what(), see, near_word(error.what())};
  }
  const bool is_flag = left.front().size() > 1 && left.front().front() == '-';
  if (is_flag) {
    const std::string flag = left.front().substr(0, left.front().find('='));
    if (const std::string program = first_argument(command); runs_scripts(program)) {
      return {where,
              "unknown flag '" + flag + "'",
              scenario::kCommandBehindDashes,
              where + " -- " + program + " " + left.front() + " ..."};
    }
    return {where, "unknown flag '" + flag + "'", see, did_you_mean(flag, flags_of(command))};
  }
  // A command that also takes a file has taken the misspelt word for one.
  const std::string file = first_argument(command);
  const std::string& word = file.empty() ? left.front() : file;
  const std::string near = did_you_mean(word, commands);
  if (!commands.empty() && (file.empty() || !near.empty())) {
    return {where, "unknown command '" + word + "'", see, near};
  }
  if (left.front().ends_with(".py")) {  // tune run python train.py
    return {where,
            "unexpected argument '" + left.front() + "'",
            scenario::kCommandBehindDashes,
            where + " -- " + (file.empty() ? "python" : file) + " " + left.front()};
  }
  return {where, "unexpected argument '" + left.front() + "'", see, ""};
}

}  // namespace tune::cli
