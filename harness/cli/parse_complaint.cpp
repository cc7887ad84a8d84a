#include "cli/parse_complaint.h"

#include "base/did_you_mean.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace tune::cli {

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
    for (const std::string& name : option->get_lnames()) {
      flags.push_back("--" + name);
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

}  // namespace

Error::Parts parse_complaint(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::string where = full_name(command);
  const std::string see = "see `" + where + " --help`";
  const std::vector<std::string> left = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || left.empty()) {
    return {where, error.what(), see, ""};
  }
  const bool is_flag = left.front().size() > 1 && left.front().front() == '-';
  if (is_flag) {
    const std::string flag = left.front().substr(0, left.front().find('='));
    return {where, "unknown flag '" + flag + "'", see, did_you_mean(flag, flags_of(command))};
  }
  const std::vector<std::string> commands = commands_of(command);
  if (!commands.empty()) {
    return {
        where, "unknown command '" + left.front() + "'", see, did_you_mean(left.front(), commands)};
  }
  return {where, "unexpected argument '" + left.front() + "'", see, ""};
}

}  // namespace tune::cli
