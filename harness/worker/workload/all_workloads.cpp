#include "worker/workload/all_workloads.h"

#include "base/did_you_mean.h"

#include <ATen/Context.h>

#include <stdexcept>

namespace tune::worker {

std::unique_ptr<Model> make_mlp(const trial::Workload& workload);
std::unique_ptr<Model> make_resnet18(const trial::Workload& workload);

namespace {

struct Entry {
  const char* name;
  std::unique_ptr<Model> (*make)(const trial::Workload&);
  std::int64_t smallest_image;  ///< below it the network's shape makes no sense
};

constexpr Entry kWorkloads[] = {
    {"mlp", make_mlp, 4},
    {"resnet18", make_resnet18, 32},
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
                                " makes no classifier (must be from 1 to " +
                                std::to_string(kMostClasses) + ")");
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
  const Entry* const entry = find_entry(workload.model);
  if (entry == nullptr) {
    const std::string near = did_you_mean(workload.model, workload_names());
    throw std::invalid_argument("workload.model: unknown model '" + workload.model + "'" +
                                (near.empty() ? "" : ", did you mean " + near + "?"));
  }
  check_shape(workload, *entry);
}

std::unique_ptr<Model> make_model(const trial::Workload& workload) {
  check_workload(workload);
  at::manual_seed(workload.seed);
  return find_entry(workload.model)->make(workload);
}

std::int64_t count_parameters(const Model& model) {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : model.parameters()) {
    count += parameter.numel();
  }
  return count;
}

}  // namespace tune::worker
