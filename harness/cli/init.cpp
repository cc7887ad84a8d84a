#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"
#include "cli/observe_script.h"
#include "cli/prepare_inputs.h"
#include "cli/script_scenario.h"
#include "cli/terminal.h"
#include "scenario/scenario.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace tune::cli {

namespace {

constexpr const char* kName = "TEMPLATE_NAME";  // in the templates, where the scenario's name goes

struct Template {
  const char* name;
  std::string_view text;
  const char* summary;
};

const std::array<Template, 3>& templates() {
  static const std::array<Template, 3> all = {
      {{"folder", kInitFolderText, "your JPEG files, one sub-folder a class"},
       {"generated", kInitGeneratedText, "JPEG files that tune makes, once"},
       {"synthetic", kInitSyntheticText, "no files: batches that stay in memory"}}};
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  all.reserve(templates().size());
  for (const Template& each : templates()) {
    all.emplace_back(each.name);
  }
  return all;
}

// A scenario of a script is not made of a template.
void refuse_script(const std::string& name) {
  if (name.ends_with(".ipynb")) {
    throw Error(scenario::notebook_complaint(name));
  }
  if (name.ends_with(".py")) {
    throw Error(Error::Parts{name,
                             "is a Python script, not a template",
                             scenario::kCommandBehindDashes,
                             "tune init -- python " + name});
  }
}

std::string_view template_text(const std::string& name) {
  refuse_script(name);
  expect_word("tune init", name, names());
  return std::find_if(templates().begin(),
                      templates().end(),
                      [&](const Template& each) { return each.name == name; })
      ->text;
}

ExitCode list_templates() {
  for (const Template& each : templates()) {
    std::cout << padded(each.name, 11) << each.summary << '\n';
  }
  return ExitCode::fine;
}

bool is_name(const std::string& stem) {
  return !stem.empty() &&
         stem.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos &&
         stem.front() != '-' && stem.back() != '-' && stem.find("--") == std::string::npos;
}

/// What is written where, and how.
struct Target {
  std::string output = "my-training.yaml";
  bool forces = false;   ///< --force: a file of that name is overwritten
  bool dry_run = false;  ///< the text goes to standard output instead
};

std::filesystem::path new_scenario(const Target& target) {
  const std::string& output = target.output;
  std::filesystem::path file(output);
  if (file.extension() != ".yaml" || !is_name(file.stem().string())) {
    throw Error(Error::Parts{output,
                             "is not a name for a scenario",
                             "small letters, digits and -, ending in .yaml",
                             "my-training.yaml"});
  }
  std::error_code ignored;
  if (!target.forces && !target.dry_run &&
      std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) {
    throw Error(Error::Parts{
        output, "already exists", "it is overwritten with --force only", "-o another.yaml"});
  }
  if (!target.dry_run && file.has_parent_path()) {  // before a script is watched for a minute
    make_folders(file.parent_path(), "-o my-training.yaml");
  }
  return file;
}

ExitCode write_template(const std::string& name, const Target& target) {
  const std::string& output = target.output;
  const std::filesystem::path file = new_scenario(target);
  std::string text(template_text(name));
  text.replace(text.find(kName), std::string_view(kName).size(), file.stem().string());
  if (target.dry_run) {
    std::cout << text;
    return ExitCode::fine;
  }
  write_file_synced(file, text);
  std::cout << output << '\n';
  try {
    look_at_own_files(scenario::load_scenario(file));
  } catch (const Error& error) {  // the template names a folder that only its user can have
    std::cerr << error.what()
              << "\nWrite the path of your images and the number of their classes into " << output
              << ", then: tune plan " << output << '\n';
    return ExitCode::fine;
  }
  std::cerr << "Next: tune plan " << output << '\n';
  return ExitCode::fine;
}

// `-o mine.yaml` may also end the command: so one types it.
void take_output(std::vector<std::string>& command, std::string& output) {
  const std::size_t count = command.size();
  if (count > 2 && command[count - 2] == "-o" && command.back().ends_with(".yaml")) {
    output = command.back();
    command.resize(count - 2);
  }
}

ExitCode write_script_scenario(std::vector<std::string> command,
                               Target target,
                               const CommandOptions& options,
                               bool quiet) {
  constexpr std::int64_t kLongestNs = 1'800'000'000'000;  // some take minutes to their first step
  take_output(command, target.output);
  const std::string& output = target.output;
  const std::filesystem::path file = new_scenario(target);
  if (target.dry_run) {
    std::cout << "would run a few steps of " << joined(command, " ") << " and write " << output
              << '\n';
    return ExitCode::fine;
  }
  const ObservedScript observed = observe_script(workload_of(command, options), kLongestNs, quiet);
  std::error_code failed;
  const std::filesystem::path place =
      std::filesystem::weakly_canonical(std::filesystem::absolute(file), failed).parent_path();
  write_file_synced(file, scenario_of(observed, file.stem().string(), place.string()));
  std::cout << output << '\n';
  std::cerr << "Next: tune plan " << output << ", tune run " << output << '\n';
  return ExitCode::fine;
}

}  // namespace

void add_init(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"init",
       "Writes a commented scenario to start from. Templates: folder (your JPEG files, one "
       "sub-folder a class), generated (JPEG files that tune makes), synthetic (no files). With "
       "a command behind --, your own Python training, it runs that for a few steps and writes "
       "down what it saw.",
       {"tune init",
        "tune init folder -o my-training.yaml",
        "tune init -o mine.yaml -- python train.py"}});
  const auto name = std::make_shared<std::string>("generated");
  const auto target = std::make_shared<Target>();
  command.add_option("TEMPLATE", *name, "folder, generated (default) or synthetic")
      ->type_name(one_of(names()));
  command.add_option("-o,--output", target->output, "File to write; my-training.yaml without it")
      ->type_name("FILE");
  command.add_flag("--force", target->forces, "Overwrite a file of that name");
  command.add_flag("-n,--dry-run",
                   target->dry_run,
                   "Print the template, write nothing; of a command run nothing");
  const auto lists = std::make_shared<bool>(false);
  command.add_flag("--list", *lists, "Names the templates, writes nothing");
  const auto options = std::make_shared<CommandOptions>();
  add_command_options(command, *options);
  command.callback([&invocation, name, target, lists, options] {
    invocation.run = [&invocation, name, target, lists, options] {
      if (!invocation.command.empty()) {
        return write_script_scenario(invocation.command, *target, *options, invocation.quiet);
      }
      return *lists ? list_templates() : write_template(*name, *target);
    };
  });
}

}  // namespace tune::cli
