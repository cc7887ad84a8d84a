#include "scenario/scenario.h"

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "scenario/check_schema.h"
#include "scenario/complaints.h"
#include "scenario/read_model.h"
#include "scenario/read_sections.h"
#include "scenario/read_yaml.h"

namespace tune::scenario {

namespace {

void read_name(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  if (const YamlNode* const description = root.find("description")) {
    scenario.description = description->text;
  }
  const YamlNode* const name = root.find("name");
  if (name == nullptr || complaints.has(name->mark)) {
    return;
  }
  scenario.name = name->text;
  const std::string stem = scenario.file.stem().string();
  if (scenario.name != stem && scenario.file.filename() != kStandardInput) {
    complaints.add(name->mark,
                   "name " + quote(scenario.name) + " does not equal the file name " + quote(stem),
                   "",
                   "name: " + stem);
  }
}

// Scenarios next to the missing file, and those that came with tune.
std::string nearest_scenario(const std::filesystem::path& file) {
  std::vector<std::string> stems;
  std::vector<std::filesystem::path> paths;
  for (const std::filesystem::path& folder :
       {file.parent_path(), std::filesystem::path("scenarios")}) {
    std::error_code ignored;
    const auto entries =
        std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored);
    for (const auto& entry : entries) {
      if (entry.path().extension() == ".yaml") {
        stems.push_back(entry.path().stem().string());
        paths.push_back(folder / entry.path().filename());
      }
    }
  }
  const std::string nearest = did_you_mean(file.stem().string(), stems);
  for (std::size_t i = 0; i < stems.size(); ++i) {
    if (stems[i] == nearest) {
      return paths[i].string();
    }
  }
  return "";
}

// What people name by mistake, with the command that takes it.
void refuse_script(const std::filesystem::path& file) {
  if (file.extension() == ".ipynb") {
    throw Error(notebook_complaint(file.string()));
  }
  if (file.extension() == ".py") {
    throw Error(Error::Parts{file.string(),
                             "is a Python script, not a scenario",
                             kCommandBehindDashes,
                             "tune run -- python " + file.string()});
  }
}

// tune run "python train.py"
void refuse_command(const std::string& file) {
  if (file.starts_with("python") && file.find(' ') != std::string::npos) {
    throw Error(Error::Parts{
        file, "is a command, not a scenario", kCommandBehindDashes, "tune run -- " + file});
  }
}

void refuse_trace(const std::filesystem::path& file, const std::string& text) {
  const bool is_compressed = text.starts_with("\x1f\x8b") || text.starts_with("\x28\xb5\x2f\xfd");
  if (is_compressed || text.find("\"traceEvents\"") != std::string::npos) {
    throw Error(
        Error::Parts{file.string(),
                     is_compressed ? "is compressed, not a scenario" : "is a trace, not a scenario",
                     "a scenario is one YAML file",
                     "tune analyze " + file.string()});
  }
}

}  // namespace

Error::Parts notebook_complaint(const std::string& file) {
  return {file,
          "is a Jupyter notebook",
          "what is measured is a script",
          "jupyter nbconvert --to script " + file};
}

Scenario read_scenario(const std::string& text, const std::filesystem::path& file) {
  Complaints complaints(file == kStandardInput ? "standard input" : file.string());
  const YamlNode root = read_yaml(text, complaints);
  check_schema(root, complaints);

  Scenario scenario;
  scenario.file = std::filesystem::absolute(file).lexically_normal();
  scenario.text = text;
  scenario.sha256 = sha256_hex(text);
  read_name(root, scenario, complaints);
  read_workload(root, scenario, complaints);
  read_data(root, scenario, complaints);
  check_own_data(root, scenario, complaints);
  check_model_reads_data(root, scenario, complaints);
  read_baseline(root, scenario, complaints);
  read_grid(root, scenario, complaints);
  read_forbid(root, scenario, complaints);
  read_measure(root, scenario, complaints);
  read_profile(root, scenario, complaints);
  read_search(root, scenario, complaints);
  read_gate(root, scenario, complaints);
  read_objective(root, scenario, complaints);
  read_constraints(root, scenario, complaints);
  check_last_batch(root, scenario, complaints);
  complaints.throw_if_any();
  return scenario;
}

Scenario load_scenario(const std::filesystem::path& file) {
  const auto type = type_of(file);
  if (type == std::filesystem::file_type::not_found) {
    refuse_command(file.string());
    throw Error(Error::Parts{file.string(), "there is no such file", "", nearest_scenario(file)});
  }
  if (type != std::filesystem::file_type::regular) {
    throw Error(Error::Parts{file.string(), "is not a file", "a scenario is one YAML file", ""});
  }
  refuse_script(file);
  constexpr std::int64_t kLimitBytes = 1 << 20;
  const std::string text = read_file(file, kLimitBytes);
  refuse_trace(file, text);
  return read_scenario(text, file);
}

Scenario::Scenario() = default;
Scenario::Scenario(const Scenario&) = default;
Scenario::Scenario(Scenario&&) noexcept = default;
Scenario& Scenario::operator=(const Scenario&) = default;
Scenario& Scenario::operator=(Scenario&&) noexcept = default;
Scenario::~Scenario() = default;

}  // namespace tune::scenario
