#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"

#include <CLI/App.hpp>

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
      {"diagnosis", kHelpDiagnosisText},
      {"environment", kHelpEnvironmentText},
      {"exit-codes", kHelpExitCodesText},
      {"formats", kHelpFormatsText},
      {"reason-codes", kHelpReasonCodesText},
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

std::vector<const CLI::App*> commands_below(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

Error unknown_topic(const CLI::App& app, const std::string& topic) {
  std::vector<std::string> near = topic_names();
  std::string list;
  for (const std::string& name : near) {
    list += name + ", ";
  }
  for (const CLI::App* const command : commands_below(app)) {
    near.push_back(command->get_name());
  }
  return Error(Error::Parts{"tune help",
                            "unknown word '" + topic + "'",
                            "one of: " + list + "or a command",
                            did_you_mean(topic, near)});
}

// "show" of "baseline"; null where there is none.
const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* const command : commands_below(app)) {
    if (command->get_name() == name) {
      return command;
    }
  }
  return nullptr;
}

Error unknown_command(const CLI::App& app, const std::string& path, const std::string& word) {
  std::vector<std::string> names;
  std::string list;
  for (const CLI::App* const command : commands_below(app)) {
    names.push_back(command->get_name());
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return Error(
      Error::Parts{"tune help " + path,
                   "there is no command '" + word + "'",
                   list.empty() ? "tune " + path + " has none below it" : "one of: " + list,
                   did_you_mean(word, names)});
}

// "baseline set": the command of the first word, then one of its own.
ExitCode show(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) {
    std::cout << kHelpText;
    return ExitCode::fine;
  }
  const auto found = topics().find(words.front());
  if (found != topics().end() && words.size() == 1) {
    std::cout << found->second;
    return ExitCode::fine;
  }
  const CLI::App* command = command_named(app, words.front());
  if (command == nullptr) {
    throw unknown_topic(app, words.front());
  }
  std::string path = words.front();
  std::string before = "tune";
  for (std::size_t i = 1; i < words.size(); ++i) {
    const CLI::App* const below = command_named(*command, words[i]);
    if (below == nullptr) {
      throw unknown_command(*command, path, words[i]);
    }
    before = "tune " + path;
    path += " " + words[i];
    command = below;
  }
  std::cout << command->help(before);
  return ExitCode::fine;
}

}  // namespace

void add_help(CLI::App& app, Invocation& invocation) {
  CLI::App& command =
      add_command(app,
                  {"help",
                   "Explains a topic, or a command as its --help does.",
                   {"tune help exit-codes", "tune help symptoms", "tune help baseline set"}});
  const auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("TOPIC", *words, "What to explain; or a command, word by word")
      ->type_name(one_of(topic_names()));
  command.callback(
      [&app, &invocation, words] { invocation.run = [&app, words] { return show(app, *words); }; });
}

}  // namespace tune::cli
