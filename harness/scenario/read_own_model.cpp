#include "scenario/read_own_model.h"

#include "scenario/section.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace tune::scenario {

namespace {

using trial::OwnModel;

constexpr std::array<const char*, 3> kModels = {"model", "torchscript", "plugin"};
constexpr std::int64_t kMostNumbers = 100'000'000;  // of one sample: 400 MB
constexpr std::int64_t kSmallestImage = 8, kLargestImage = 4096;

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

// An image is told by its size, as for models of the catalogue.
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
    section.complain("model",
                     "the key 'workload.model' is missing",
                     "or 'torchscript' or 'plugin', for a model of your own");
  }
  return found;
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
  own.kind = key == "plugin"        ? OwnModel::Kind::plugin
             : key == "torchscript" ? OwnModel::Kind::torchscript
                                    : OwnModel::Kind::none;
  if (!own.exists()) {
    refuse(section, {"input", "loss"}, "for a model of your own: torchscript or plugin");
    return;
  }
  std::string path;
  section.read(key.c_str(), path);
  own.path = (scenario.file.parent_path() / path).lexically_normal().string();
  workload.model = key + ":" + std::filesystem::path(path).filename().string();
  if (own.kind == OwnModel::Kind::torchscript) {
    refuse(section, {"params"}, "an archive has no parameters of this kind");
    section.read("loss", own.loss);
  } else {
    refuse(section, {"loss"}, "a plug-in computes its own loss");
  }
  read_input(section, workload);
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
    return;
  }
  if (own.exists() && (source == "generated-tokens" || source == "token-bin")) {
    data.complain("source",
                  "source " + quote(source) + " is for bert-base and gpt-small",
                  "nobody knows how long a sequence of your own model is",
                  own.kind == OwnModel::Kind::plugin ? "source: plugin" : "source: synthetic");
    return;
  }
  const bool has_images = source == "generated-jpeg" || source == "image-folder";
  if (has_images && !own.takes_images()) {
    data.complain("source",
                  "source " + quote(source) + " delivers images",
                  "'workload.input' is " + shape_text(own.input),
                  "input: [3, 224, 224]");
  }
}

}  // namespace tune::scenario
