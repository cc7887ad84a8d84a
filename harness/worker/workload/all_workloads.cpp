#include "worker/workload/all_workloads.h"

#include "base/assert.h"
#include "base/sha256.h"
#include "base/text.h"
#include "trial/workload_catalog.h"

#include <ATen/Context.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace tune::worker {

using Make = std::unique_ptr<Model>(const trial::Workload&, const ModelSettings&);
Make make_bert_base;
Make make_gpt_small;
Make make_mlp;
Make make_resnet18;
Make make_resnet50;

namespace {

struct Entry {
  const char* name;
  Make* make;
  std::int64_t smallest_image =
      0;  ///< the smallest that the network's shape supports; 0: no images
};

constexpr Entry kWorkloads[] = {
    {"bert-base", make_bert_base},
    {"gpt-small", make_gpt_small},
    {"mlp", make_mlp, 4},
    {"resnet18", make_resnet18, 32},
    {"resnet50", make_resnet50, 32},
};

constexpr std::int64_t kLargestImage = 4096;
constexpr std::int64_t kMostClasses = 1'000'000;

const Entry* find_entry(const std::string& name) {
  for (const Entry& entry : kWorkloads) {
    if (name == entry.name) {
      return &entry;
    }
  }
  return nullptr;
}

void check_shape(const trial::Workload& workload, const Entry& entry) {
  if (workload.image_size < entry.smallest_image || workload.image_size > kLargestImage) {
    throw std::invalid_argument("workload.image_size: " + std::to_string(workload.image_size) +
                                " does not fit " + entry.name + " (must be from " +
                                std::to_string(entry.smallest_image) + " to " +
                                std::to_string(kLargestImage) + " pixels)");
  }
  if (workload.classes < 1 || workload.classes > kMostClasses) {
    throw std::invalid_argument("workload.classes: " + std::to_string(workload.classes) +
                                " does not make a classifier (must be from 1 to " +
                                std::to_string(kMostClasses) + ")");
  }
}

// A file that has changed since would be compared with its old version.
void check_own(const trial::OwnModel& own) {
  const std::string place = "workload." + std::string(key_of(own.kind)) + ": ";
  if (own.takes_tokens() && own.input.size() != 1) {
    throw std::invalid_argument(
        "workload.input_type: int64 is for sequences of tokens (workload.input is their length)");
  }
  std::error_code failed;
  if (!std::filesystem::is_regular_file(own.path, failed)) {
    throw std::invalid_argument(place + "there is no file " + own.path);
  }
  if (!own.sha256.empty() && sha256_file_hex(own.path) != own.sha256) {
    throw std::invalid_argument(place + own.path +
                                " has changed since the trials were planned (was it built again?)");
  }
}

// A package computes what it was compiled for.
void check_package(const trial::Workload& workload) {
  if (workload.own.kind != trial::OwnModel::Kind::package) {
    return;
  }
  if (workload.task != "infer") {
    throw std::invalid_argument(
        "workload.package: compiled code has no backward pass task: infer?");
  }
  check_package_inputs();
}

void check_params(const trial::Workload& workload) {
  const trial::WorkloadEntry* const model = trial::find_workload(workload.model);
  if (model == nullptr) {
    return;
  }
  const auto complaints = trial::complaints_about(*model, workload.params);
  if (!complaints.empty()) {
    throw std::invalid_argument(trial::to_sentence(complaints.front()));
  }
}

}  // namespace

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kWorkloads) {
    names.emplace_back(entry.name);
  }
  return names;
}

void check_workload(const trial::Workload& workload) {
  if (workload.own.exists()) {
    check_own(workload.own);
    check_package(workload);
    return;
  }
  const Entry* const entry = find_entry(workload.model);
  if (entry == nullptr) {
    const std::string near = did_you_mean(workload.model, workload_names());
    throw std::invalid_argument("workload.model: unknown model '" + workload.model + "'" +
                                (near.empty() ? "" : ", did you mean " + near + "?"));
  }
  if (entry->smallest_image > 0) {
    check_shape(workload, *entry);
  }
  check_params(workload);
}

std::unique_ptr<Model> make_model(const trial::Workload& workload, const ModelSettings& settings) {
  TUNE_ASSERT(workload.own.kind != trial::OwnModel::Kind::plugin);
  if (workload.own.kind == trial::OwnModel::Kind::torchscript) {
    at::manual_seed(workload.seed);
    return make_torchscript(workload);
  }
  if (workload.own.kind == trial::OwnModel::Kind::package) {
    return make_aot_package(workload);
  }
  check_workload(workload);
  at::manual_seed(workload.seed);
  return find_entry(workload.model)->make(workload, settings);
}

std::int64_t count_parameters(const Model& model) {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : model.parameters()) {
    count += parameter.numel();
  }
  return count;
}

}  // namespace tune::worker
