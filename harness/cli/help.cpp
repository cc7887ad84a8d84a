#include "base/did_you_mean.h"
#include "base/error.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/expect_word.h"
#include "cli/help_texts.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tune::cli {

namespace {

const std::map<std::string, std::string_view>& topics() {
  static const std::map<std::string, std::string_view> topics = {
      {"environment", kHelpEnvironmentText},
      {"exit-codes", kHelpExitCodesText},
      {"formats", kHelpFormatsText},
      {"scenario", kHelpScenarioText},
      {"statistics", kHelpStatisticsText},
      {"symptoms", kHelpSymptomsText},
  };
  return topics;
}

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : topics()) {
    names.push_back(name);
  }
  return names;
}

Error unknown_topic(const CLI::App& app, const std::string& topic) {
  std::vector<std::string> near = topic_names();
  std::string list;
  for (const std::string& name : near) {
    list += name + ", ";
  }
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
    near.push_back(command->get_name());
  }
  return Error(Error::Parts{"tune help",
                            "unknown word '" + topic + "'",
                            "one of: " + list + "or a command",
                            did_you_mean(topic, near)});
}

ExitCode show(const CLI::App& app, const std::string& topic) {
  if (topic.empty()) {
    std::cout << kHelpText;
    return ExitCode::fine;
  }
  const auto found = topics().find(topic);
  if (found != topics().end()) {
    std::cout << found->second;
    return ExitCode::fine;
  }
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == topic) {
      std::cout << command->help("tune");
      return ExitCode::fine;
    }
  }
  throw unknown_topic(app, topic);
}

}  // namespace

void add_help(CLI::App& app, Invocation& invocation) {
  CLI::App& command =
      add_command(app,
                  {"help",
                   "Explains a topic, or a command as its --help does.",
                   {"tune help exit-codes", "tune help symptoms", "tune help run"}});
  const auto topic = std::make_shared<std::string>();
  command.add_option("TOPIC", *topic, "What to explain; or a command")
      ->type_name(one_of(topic_names()));
  command.callback(
      [&app, &invocation, topic] { invocation.run = [&app, topic] { return show(app, *topic); }; });
}

}  // namespace tune::cli
