#include "scenario/read_script.h"

#include "base/error.h"
#include "scenario/read_knobs.h"
#include "scenario/read_yaml.h"
#include "scenario/section.h"
#include "scenario/set_in_section.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::scenario {

namespace {

constexpr std::array<const char*, 13> kOfModels = {"input",
                                                   "input_type",
                                                   "loss",
                                                   "task",
                                                   "image_size",
                                                   "classes",
                                                   "optimizer",
                                                   "lr",
                                                   "momentum",
                                                   "weight_decay",
                                                   "log_every",
                                                   "checkpoint_every",
                                                   "params"};

std::vector<std::string> command_of(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::text) {
    return {"/bin/sh", "-c", node.text};
  }
  std::vector<std::string> words;
  for (const YamlNode& item : node.items) {
    words.push_back(item.text);
  }
  return words;
}

// The words of a command line, as far as a name is looked for in them.
std::vector<std::string> words_for_name(const std::vector<std::string>& command) {
  if (command.size() != 3 || command[1] != "-c") {
    return command;
  }
  std::vector<std::string> words;
  const std::string& line = command[2];
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t'\"", begin), line.size());
    if (end > begin) {
      words.push_back(line.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return words.empty() ? command : words;
}

// Values of knobs, each checked.
trial::KnobSettings read_observed(const YamlNode& node, Complaints& complaints) {
  trial::KnobSettings observed;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlKey& key = node.keys[i];
    const trial::Knob* const knob = trial::find_knob(key.name);
    if (knob == nullptr) {
      complaints.add(key.mark, quote("workload.observed." + key.name) + " is not a knob");
    } else if (auto value = read_knob_value(*knob, node.items[i], complaints)) {
      observed.emplace(key.name, std::move(*value));
    }
  }
  return observed;
}

// Without a word the folder where it runs.
std::vector<std::string> shielded_folders(const YamlNode* written, const std::string& folder) {
  std::vector<std::string> folders;
  if (written == nullptr) {
    folders.push_back(folder);
    return folders;
  }
  for (const YamlNode& item : written->items) {
    const auto path = (std::filesystem::path(folder) / item.text).lexically_normal();
    folders.push_back(path.has_filename() || path == "/" ? path.string()
                                                         : path.parent_path().string());
  }
  return folders;
}

void read_flags(const YamlNode& root, trial::Script& script, Complaints& complaints) {
  const YamlNode* const flags = root.find("flags");
  if (flags == nullptr || flags->kind != YamlNode::Kind::map) {
    return;
  }
  for (std::size_t i = 0; i < flags->keys.size(); ++i) {
    const YamlKey& key = flags->keys[i];
    if (trial::find_knob(key.name) == nullptr) {
      complaints.add(key.mark, quote("flags." + key.name) + " is not a knob");
    } else {
      script.flags.emplace(key.name, flags->items[i].text);
    }
  }
}

// An expression that cannot be compiled would fail each trial.
void read_stop(const YamlNode& root, trial::Script& script, Complaints& complaints) {
  const Section section(root, "stop", complaints);
  section.read("after", script.stop_after);
  section.read("at", script.stop_at);
  try {
    const std::regex compiled(script.stop_at);
  } catch (const std::regex_error&) {
    section.complain("at",
                     "'stop.at' is not a regular expression",
                     "is " + quote(script.stop_at),
                     "a backslash before ( ) [ ] { } * + ? . that are meant literally");
  }
}

bool is_map(const YamlNode* node) {
  return node != nullptr && node->kind == YamlNode::Kind::map;
}

std::string entries_of(const trial::KnobSettings& settings) {
  std::string list;
  for (const auto& [name, value] : settings) {
    const bool is_text = std::holds_alternative<std::string>(value);
    list += (list.empty() ? "" : ", ") + name + ": " + (is_text ? "\"" : "") +
            trial::to_text(value) + (is_text ? "\"" : "");
  }
  return "{" + list + "}";
}

}  // namespace

void expect_observed(const Scenario& scenario) {
  const trial::Script& script = scenario.workload.script;
  if (!script.exists() || !script.observed.empty()) {
    return;
  }
  std::string command;
  for (const std::string& word : words_for_name(script.command)) {
    command += " " + word;
  }
  throw Error(Error::Parts{scenario.file.string(),
                           "'workload.observed' is missing",
                           "nobody has looked yet at what the script does by itself",
                           "tune init -o another.yaml --" + command});
}

std::string with_observed(const std::string& text,
                          const trial::KnobSettings& observed,
                          const std::string& device) {
  const YamlNode root = read_faultless_yaml(text, "scenario");
  const YamlNode* const workload = root.find("workload");
  if (!is_map(workload) || workload->keys.empty()) {
    return text;
  }
  const std::size_t first = offset_of(text, workload->keys.front().mark);
  const std::size_t line =
      text.rfind('\n', first) == std::string::npos ? 0 : text.rfind('\n', first) + 1;
  const std::string indentation = text.substr(line, first - line);
  const bool is_block = indentation.find_first_not_of(' ') == std::string::npos;
  const std::string between = is_block ? "\n" + indentation : ", ";
  std::string added = "observed: " + entries_of(observed) + between;
  if (workload->find("device") == nullptr) {
    added += "device: " + device + between;
  }
  return text.substr(0, first) + added + text.substr(first);
}

void read_script(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "workload", complaints);
  const YamlNode* const command = section.find("command");
  if (command == nullptr) {
    for (const char* const key : {"cwd", "count", "parts", "shield", "setup", "observed"}) {
      if (section.find(key) != nullptr) {
        section.complain(key, quote(std::string("workload.") + key) + " needs 'workload.command'");
      }
    }
    for (const char* const key : {"flags", "stop"}) {
      if (root.find(key) != nullptr) {
        complaints.add(root.find(key)->mark, quote(key) + " needs 'workload.command'");
      }
    }
    return;
  }
  for (const char* const key : kOfModels) {
    if (section.find(key) != nullptr) {
      section.complain(key,
                       quote(std::string("workload.") + key) + " does not go with a command",
                       "the script says it");
    }
  }
  trial::Script& script = scenario.workload.script;
  script.command = command_of(*command);
  if (script.command.empty() || script.command.front().empty()) {
    return;  // the schema has complained
  }
  std::string folder = ".";
  section.read("cwd", folder);
  script.folder = (scenario.file.parent_path() / folder).lexically_normal().string();
  section.read("count", script.count);
  section.read("parts", script.has_parts);
  section.read_time("setup", script.setup_ns, trial::kLongestTrialNs);
  script.shield = shielded_folders(section.find("shield"), script.folder);
  if (const YamlNode* const observed = section.find("observed"); is_map(observed)) {
    script.observed = read_observed(*observed, complaints);
  }
  read_flags(root, script, complaints);
  read_stop(root, script, complaints);
  scenario.model_place = complaints.place(section.mark_of("command"));
  scenario.workload.model = "script:" + trial::script_name(words_for_name(script.command));
}

void check_script_axis(const YamlKey& key, const Scenario& scenario, Complaints& complaints) {
  const trial::Script& script = scenario.workload.script;
  const bool has_flag = script.flags.contains(key.name);
  if (const std::string why = trial::why_not_in_scripts(key.name); !why.empty() && !has_flag) {
    complaints.add(key.mark, quote("grid." + key.name) + " cannot be tried on a script", why);
  }
  if (key.name == "batch_size" && !has_flag) {
    complaints.add(key.mark,
                   "'grid.batch_size' needs the script's own option",
                   "the learning rate and its schedule follow from it",
                   "flags: {batch_size: \"--batch-size {}\"}");
  }
}

}  // namespace tune::scenario
