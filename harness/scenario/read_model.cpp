#include "scenario/read_model.h"

#include "scenario/read_knobs.h"
#include "scenario/section.h"
#include "trial/workload_catalog.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::scenario {

namespace {

using trial::OwnModel;

constexpr std::array<const char*, 5> kModels = {
    "model", "torchscript", "package", "plugin", "command"};
constexpr std::int64_t kMostNumbers = 100'000'000;  // of one sample: 400 MB
constexpr std::int64_t kSmallestImage = 8, kLargestImage = 4096;
constexpr std::int64_t kLeastVocabulary = 128;  // of generated tokens (dataset/generated_tokens.h)

std::string key_text(const std::string& key) {
  return quote("workload." + key);
}

void refuse(const Section& section, std::initializer_list<const char*> keys, const char* why) {
  for (const char* const key : keys) {
    if (section.find(key) != nullptr) {
      section.complain(key, key_text(key) + " does not belong to this model", why);
    }
  }
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return text + "]";
}

bool is_image(const std::vector<std::int64_t>& shape) {
  return shape.size() == 3 && shape[0] == 3 && shape[1] == shape[2] && shape[1] >= kSmallestImage &&
         shape[1] <= kLargestImage;
}

// An image is given by its size, as for models of the catalogue.
void read_input(const Section& section, trial::Workload& workload) {
  const YamlNode* const written = section.find("input");
  if (written == nullptr || written->kind != YamlNode::Kind::list) {
    return;
  }
  std::vector<std::int64_t> shape;
  std::int64_t numbers = 1;
  for (const YamlNode& item : written->items) {
    if (item.kind != YamlNode::Kind::whole || item.whole < 1) {
      return;  // the schema has complained
    }
    shape.push_back(item.whole);
    numbers = item.whole > kMostNumbers / numbers ? kMostNumbers + 1 : numbers * item.whole;
  }
  if (numbers > kMostNumbers) {
    section.complain("input",
                     "a sample of " + shape_text(shape) + " is too large",
                     "at most 100 million numbers");
    return;
  }
  if (section.find("image_size") != nullptr) {
    section.complain(
        "image_size", key_text("image_size") + " does not go with 'input'", "'input' says it");
  }
  if (is_image(shape)) {
    workload.image_size = shape[1];
  } else {
    workload.own.input = std::move(shape);
  }
}

// The first of the keys that name a model; complains about none and about a second one.
std::string model_key(const Section& section) {
  std::string found;
  for (const char* const key : kModels) {
    if (section.find(key) == nullptr) {
      continue;
    }
    if (found.empty()) {
      found = key;
    } else {
      section.complain(
          key, key_text(key) + " does not go with " + quote(found), "a trial has one model");
    }
  }
  if (found.empty()) {
    section.complain(
        "model",
        "the key 'workload.model' is missing",
        "or 'command', for your own script; 'torchscript', 'package' or 'plugin', for a "
        "model of your own");
  }
  return found;
}

std::string sample_text(const trial::Workload& workload) {
  const std::int64_t size = workload.image_size;
  return "a sample is " + shape_text(workload.own.takes_images()
                                         ? std::vector{std::int64_t{3}, size, size}
                                         : workload.own.input);
}

bool is_sequence(const OwnModel& own) {
  return own.input.size() == 1;
}

// What the source holds says the type.
void read_as_tokens(const Section& workload, const Section& data, Scenario& scenario) {
  const std::string source = quote(scenario.data.source);
  OwnModel& own = scenario.workload.own;
  if (!is_sequence(own)) {
    data.complain("source",
                  "source " + source + " delivers sequences of tokens",
                  sample_text(scenario.workload),
                  "input: [128]");
  }
  if (workload.find("input_type") != nullptr && !own.takes_tokens()) {
    workload.complain("input_type",
                      "'workload.input_type' does not fit source " + source,
                      "tokens are whole numbers",
                      "int64");
  }
  if (scenario.data.source == "generated-tokens" && scenario.workload.classes < kLeastVocabulary) {
    workload.complain("classes",
                      "source " + source + " has at least " + std::to_string(kLeastVocabulary) +
                          " different tokens",
                      "'workload.classes' is " + std::to_string(scenario.workload.classes));
  }
  own.input_type = OwnModel::InputType::int64;
}

void check_input_type(const Section& workload, const Scenario& scenario) {
  const std::string& source = scenario.data.source;
  const OwnModel& own = scenario.workload.own;
  if (source == "plugin") {
    workload.complain("input_type",
                      "'workload.input_type' does not go with source 'plugin'",
                      "the plug-in makes its own batches");
  } else if (own.takes_tokens() && source != "synthetic") {
    workload.complain("input_type",
                      "'workload.input_type' does not fit source " + quote(source),
                      "it delivers images",
                      "float32");
  } else if (own.takes_tokens() && !is_sequence(own)) {
    workload.complain("input_type",
                      "'workload.input_type' int64 is for sequences of tokens",
                      sample_text(scenario.workload),
                      "input: [128]");
  }
}

// Where no task is written, it is the only one that a package has.
void read_task_of_package(const Section& section, trial::Workload& workload) {
  if (section.find("task") != nullptr && workload.task != "infer") {
    section.complain("task",
                     key_text("task") + " does not go with 'package'",
                     "compiled code has no backward pass",
                     "infer");
  }
  workload.task = "infer";
}

}  // namespace

void read_own_model(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "workload", complaints);
  if (!section.written()) {
    return;  // something has been said about it
  }
  const std::string key = model_key(section);
  trial::Workload& workload = scenario.workload;
  OwnModel& own = workload.own;
  for (const OwnModel::Kind kind :
       {OwnModel::Kind::torchscript, OwnModel::Kind::package, OwnModel::Kind::plugin}) {
    own.kind = key == trial::key_of(kind) ? kind : own.kind;
  }
  if (key == "command") {
    return;  // read_script()
  }
  if (!own.exists()) {
    refuse(section,
           {"input", "input_type", "loss"},
           "for a model of your own: torchscript, package or plugin");
    return;
  }
  std::string path;
  section.read(key.c_str(), path);
  own.path = (scenario.file.parent_path() / path).lexically_normal().string();
  scenario.model_place = complaints.place(section.mark_of(key.c_str()));
  workload.model = key + ":" + std::filesystem::path(path).filename().string();
  if (own.kind == OwnModel::Kind::torchscript) {
    refuse(section, {"params"}, "an archive has no parameters of this kind");
    section.read("loss", own.loss);
  } else if (own.kind == OwnModel::Kind::package) {
    refuse(section, {"params", "loss"}, "a package is compiled for inference");
    read_task_of_package(section, workload);
  } else {
    refuse(section, {"loss"}, "a plug-in computes its own loss");
  }
  read_input(section, workload);
  std::string type;
  section.read("input_type", type);
  if (type == "int64") {
    own.input_type = OwnModel::InputType::int64;
  }
}

void check_own_data(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section data(root, "data", complaints);
  const std::string& source = scenario.data.source;
  const OwnModel& own = scenario.workload.own;
  if (source == "plugin") {
    if (data.find("samples") == nullptr) {
      scenario.data.samples = 0;  // the plug-in knows
    }
    if (own.kind != OwnModel::Kind::plugin) {
      data.complain(
          "source", "source 'plugin' needs a plug-in", "'workload.plugin' names none", "synthetic");
    }
  }
  if (!own.exists()) {
    return;
  }
  const Section workload(root, "workload", complaints);
  if (source == "generated-tokens" || source == "token-bin") {
    read_as_tokens(workload, data, scenario);
  } else if (workload.find("input_type") != nullptr) {
    check_input_type(workload, scenario);
  }
  const bool has_images = source == "generated-jpeg" || source == "image-folder";
  if (has_images && !own.takes_images()) {
    data.complain("source",
                  "source " + quote(source) + " delivers images",
                  "'workload.input' is " + shape_text(own.input),
                  "input: [3, 224, 224]");
  }
}

namespace {

void check_image_keys(const Section& section, const trial::WorkloadEntry& model) {
  const std::string name = quote(model.name);
  if (section.find("image_size") != nullptr) {
    section.complain("image_size",
                     name + " takes no 'image_size'",
                     "it reads tokens",
                     "params: {sequence_length: 128}");
  }
  if (section.find("classes") != nullptr) {
    section.complain("classes",
                     name + " takes no 'classes'",
                     "its classes are the tokens of the vocabulary",
                     "params: {vocabulary: 8192}");
  }
}

}  // namespace

void read_params(const YamlNode& root, trial::Workload& workload, Complaints& complaints) {
  const Section section(root, "workload", complaints);
  if (const YamlNode* const params = section.find("params");
      params != nullptr && params->kind == YamlNode::Kind::map) {
    for (std::size_t i = 0; i < params->items.size(); ++i) {
      if (auto value = to_knob_value(params->items[i])) {
        workload.params.emplace(params->keys[i].name, std::move(*value));
      }
    }
  }
  const trial::WorkloadEntry* const model = trial::find_workload(workload.model);
  if (model == nullptr) {
    return;  // something has been said about it
  }
  if (model->reads_tokens()) {
    check_image_keys(section, *model);
  }
  const YamlNode* const written = root.find("workload");
  for (const trial::ParamComplaint& complaint : trial::complaints_about(*model, workload.params)) {
    const Section params(*written, "params", complaints);
    params.complain(complaint.param.c_str(),
                    quote("params." + complaint.param) + ": " + complaint.problem,
                    complaint.why,
                    complaint.suggestion);
  }
}

void check_model_reads_data(const YamlNode& root,
                            const Scenario& scenario,
                            Complaints& complaints) {
  const trial::WorkloadEntry* const model = trial::find_workload(scenario.workload.model);
  const std::string& source = scenario.data.source;
  if (model == nullptr || source == "synthetic" || source == "tar") {
    return;
  }
  const bool has_tokens = source == "generated-tokens" || source == "token-bin";
  if (has_tokens != model->reads_tokens()) {
    const Section data(root, "data", complaints);
    data.complain("source",
                  quote(model->name) + " cannot read " + quote(source),
                  model->reads_tokens() ? "it reads tokens" : "it reads images",
                  model->reads_tokens() ? "generated-tokens" : "generated-jpeg");
  }
}

}  // namespace tune::scenario
