#include "scenario/read_params.h"

#include "scenario/read_knob_value.h"
#include "scenario/section.h"
#include "trial/model_params.h"
#include "trial/workload_catalog.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace tune::scenario {

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
