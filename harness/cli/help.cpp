#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/expect_word.h"
#include "cli/help_texts.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <map>
#include <memory>

namespace tune::cli {

namespace {

const std::map<std::string, std::string_view>& topics() {
  static const std::map<std::string, std::string_view> topics = {
      {"environment", kHelpEnvironmentText},
      {"exit-codes", kHelpExitCodesText},
      {"scenario", kHelpScenarioText},
      {"symptoms", kHelpSymptomsText},
  };
  return topics;
}

ExitCode show(const std::string& topic) {
  if (topic.empty()) {
    std::cout << kHelpText;
    return ExitCode::fine;
  }
  std::vector<std::string> names;
  for (const auto& [name, text] : topics()) {
    names.push_back(name);
  }
  expect_word("tune help", topic, names);
  std::cout << topics().at(topic);
  return ExitCode::fine;
}

}  // namespace

void add_help(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(app,
                                  {"help",
                                   "Explains a topic: exit-codes, environment, scenario, symptoms.",
                                   {"tune help exit-codes", "tune help symptoms"}});
  const auto topic = std::make_shared<std::string>();
  command.add_option("TOPIC", *topic, "What to explain");
  command.callback([&invocation, topic] { invocation.run = [topic] { return show(*topic); }; });
}

}  // namespace tune::cli
