#include "trial/model_params.h"

#include "base/assert.h"
#include "base/did_you_mean.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace tune::trial {

namespace {

const ModelParam* find_param(const WorkloadEntry& model, std::string_view name) {
  const auto found = std::find_if(model.params.begin(),
                                  model.params.end(),
                                  [&](const ModelParam& param) { return param.name == name; });
  return found == model.params.end() ? nullptr : &*found;
}

const KnobValue& value_of(const Workload& workload, std::string_view name) {
  const auto written = workload.params.find(std::string(name));
  if (written != workload.params.end()) {
    return written->second;
  }
  const WorkloadEntry* const model = find_workload(workload.model);
  const ModelParam* const param = model == nullptr ? nullptr : find_param(*model, name);
  TUNE_ASSERT(param != nullptr);
  return param->default_value;
}

std::optional<double> number_in(const KnobValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  const auto* const real = std::get_if<double>(&value);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

std::string short_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", number);
  return text.data();
}

ParamComplaint unknown_param(const WorkloadEntry& model, const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (const ModelParam& param : model.params) {
    names.push_back(param.name);
    list += (list.empty() ? "" : ", ") + param.name;
  }
  return {.param = name,
          .problem = model.name + (names.empty() ? " has no params" : " has no such number"),
          .why = names.empty() ? "it has one shape" : "params of " + model.name + ": " + list,
          .suggestion = did_you_mean(name, names)};
}

// "" when the value fits.
std::string misfit(const ModelParam& param, const KnobValue& value) {
  const bool is_whole = std::holds_alternative<std::int64_t>(param.default_value);
  const auto number = number_in(value);
  const bool fits = number && *number >= param.min && *number <= param.max &&
                    (!is_whole || std::holds_alternative<std::int64_t>(value));
  return fits ? ""
              : std::string(is_whole ? "must be a whole number from " : "must be a number from ") +
                    short_text(param.min) + " to " + short_text(param.max);
}

std::int64_t whole_in(const WorkloadEntry& model,
                      const KnobSettings& params,
                      const std::string& name) {
  const auto written = params.find(name);
  return std::get<std::int64_t>(written == params.end() ? find_param(model, name)->default_value
                                                        : written->second);
}

// Both are of the right type and range.
void add_misfit_of_heads(const WorkloadEntry& model,
                         const KnobSettings& params,
                         std::vector<ParamComplaint>& complaints) {
  if (find_param(model, "heads") == nullptr) {
    return;
  }
  const std::int64_t heads = whole_in(model, params, "heads");
  const std::int64_t hidden = whole_in(model, params, "hidden");
  if (hidden % heads != 0) {
    const bool is_written = params.contains("heads");
    complaints.push_back({.param = is_written ? "heads" : "hidden",
                          .problem = std::to_string(heads) + " heads do not divide a width of " +
                                     std::to_string(hidden),
                          .why = "each head has an equal part of hidden",
                          .suggestion = ""});
  }
}

}  // namespace

std::int64_t whole_param(const Workload& workload, std::string_view name) {
  return std::get<std::int64_t>(value_of(workload, name));
}

double real_param(const Workload& workload, std::string_view name) {
  return number_in(value_of(workload, name)).value_or(0);
}

bool reads_tokens(const Workload& workload) {
  return workload.own.exists() ? workload.own.takes_tokens() : reads_tokens(workload.model);
}

std::int64_t sequence_length(const Workload& workload) {
  if (!workload.own.exists()) {
    return whole_param(workload, "sequence_length");
  }
  TUNE_ASSERT(workload.own.input.size() == 1);
  return workload.own.input.front();
}

std::int64_t vocabulary(const Workload& workload) {
  constexpr std::int64_t kDifferentTokens = 65'536;
  return workload.own.exists() ? std::min(workload.classes, kDifferentTokens)
                               : whole_param(workload, "vocabulary");
}

std::string to_sentence(const ParamComplaint& complaint) {
  std::string text = "workload.params." + complaint.param + ": " + complaint.problem;
  text += complaint.why.empty() ? "" : " (" + complaint.why + ")";
  text += complaint.suggestion.empty() ? "" : " " + complaint.suggestion + "?";
  return text;
}

std::vector<ParamComplaint> complaints_about(const WorkloadEntry& model,
                                             const KnobSettings& params) {
  std::vector<ParamComplaint> complaints;
  for (const auto& [name, value] : params) {
    const ModelParam* const param = find_param(model, name);
    if (param == nullptr) {
      complaints.push_back(unknown_param(model, name));
      continue;
    }
    if (const std::string problem = misfit(*param, value); !problem.empty()) {
      complaints.push_back(
          {.param = name, .problem = problem, .why = "is " + to_text(value), .suggestion = ""});
    }
  }
  if (complaints.empty()) {
    add_misfit_of_heads(model, params, complaints);
  }
  return complaints;
}

}  // namespace tune::trial
