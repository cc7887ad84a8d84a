#include "cli/verbose.h"

#include "base/error.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"
#include "cli/trial_machine.h"
#include "machine/user_folders.h"
#include "machine/worker_torch.h"
#include "measure/campaign/settings.h"
#include "report/markup.h"
#include "scenario/read_yaml.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using scenario::Scenario;

constexpr const char* kDefault = "default";

bool is_of_name(char letter) {
  return std::isupper(static_cast<unsigned char>(letter)) != 0 ||
         std::isdigit(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// The names that a line of help/environment.txt begins with: "  DISPLAY, BROWSER   with one ...".
// One that ends with a star means many, and is left out.
std::vector<std::string> names_in(std::string_view line) {
  std::vector<std::string> names;
  constexpr std::size_t kIndent = 2;
  std::size_t at = kIndent;
  while (line.starts_with("  ") && at < line.size() && is_of_name(line[at])) {
    const std::size_t end = static_cast<std::size_t>(
        std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), is_of_name) -
        line.begin());
    const std::string_view after = line.substr(end);
    if (!after.starts_with('*')) {
      names.emplace_back(line.substr(at, end - at));
    }
    at = after.starts_with(", ") ? end + 2 : line.size();
  }
  return names;
}

std::vector<std::string> variables() {
  std::vector<std::string> all;
  std::string_view rest = kHelpEnvironmentText;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    for (std::string& name : names_in(rest.substr(0, end))) {
      all.push_back(std::move(name));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return all;
}

std::string torch_folder(const fs::path& worker) {
  try {
    const fs::path folder = machine::torch_of_worker(worker).folder;
    return folder.empty() ? "none, this worker needs none" : folder.string();
  } catch (const Error& error) {
    return std::string("none: ") + error.what();
  }
}

void tell_worker() {
  try {
    const fs::path worker = locate_worker_program();
    std::cerr << "worker: " << worker.string()
              << (is_set("TUNE_WORKER_PROGRAM") ? " (environment variable TUNE_WORKER_PROGRAM)\n"
                                                : "\n")
              << "LibTorch: " << torch_folder(worker) << "\n";
  } catch (const Error& error) {
    std::cerr << "worker: none: " << error.what() << "\n";
  }
}

bool is_in_sets(const ScenarioFlags& flags, const std::string& key) {
  return std::any_of(flags.sets.begin(), flags.sets.end(), [&](const std::string& assignment) {
    return assignment.starts_with(key + "=");
  });
}

bool is_written(const scenario::YamlNode& root, const char* section, const std::string& key) {
  const scenario::YamlNode* const found = section == nullptr ? nullptr : root.find(section);
  return found != nullptr && found->find(key) != nullptr;
}

std::string source_of(const scenario::YamlNode& root,
                      const campaign::Setting& setting,
                      const ScenarioFlags& flags) {
  const std::string name = setting.key;
  if (name == "budget" && flags.budget_source() != "scenario") {
    return flags.budget_source();
  }
  if (flags.has(name)) {
    return "--" + name;
  }
  if (is_in_sets(flags, name)) {
    return "--set";
  }
  return is_written(root, setting.section, setting.name) ? "scenario" : kDefault;
}

}  // namespace

std::vector<SettingSource> setting_sources(const Scenario& scenario, const ScenarioFlags& flags) {
  const scenario::YamlNode root =
      scenario::read_faultless_yaml(scenario.text, scenario.file.string());
  std::vector<SettingSource> sources;
  for (const campaign::Setting& setting : campaign::all_settings()) {
    if (setting.shown != nullptr) {
      sources.push_back({setting.key, setting.shown(scenario), source_of(root, setting, flags)});
    }
  }
  for (const auto& [knob, value] : scenario.baseline) {
    sources.push_back({"baseline " + knob,
                       trial::to_text(value),
                       is_in_sets(flags, knob)              ? "--set"
                       : is_written(root, "baseline", knob) ? "scenario"
                                                            : kDefault});
  }
  return sources;
}

void tell_surroundings() {
  for (const std::string& name : variables()) {
    if (is_set(name.c_str())) {
      std::cerr << "environment: " << name << "=" << one_line(std::getenv(name.c_str())) << "\n";
    }
  }
  std::cerr << "cache: " << machine::cache_folder().string()
            << "\nhistory and limits: " << machine::data_folder().string()
            << "\nlock: " << machine::runtime_folder().string() << "\n";
  tell_worker();
}

void tell_settings(const Scenario& scenario, const ScenarioFlags& flags) {
  std::cerr << "settings (a flag wins over the environment, that over the scenario, that over the "
               "default)\n";
  for (const SettingSource& setting : setting_sources(scenario, flags)) {
    std::cerr << "  " << setting.name << " " << one_line(setting.value) << ": " << setting.source
              << "\n";
  }
}

}  // namespace tune::cli
