#pragma once

#include "trial/trial_spec.h"
#include "trial/workload_catalog.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune::trial {

/// A number of the workload's model: from its params, else the catalogue's. The model must be in
/// the catalogue and have that number.
std::int64_t whole_param(const Workload& workload, std::string_view name);
double real_param(const Workload& workload, std::string_view name);

/// Its samples are sequences of tokens: of a model of the catalogue by its name, of the user's own
/// by its input_type.
bool reads_tokens(const Workload& workload);

/// Of a workload that reads tokens: how many a sample has, and how many different ones there are.
/// Numbers of the catalogue's model; `input` and `classes` of the user's own, at most 65,536, for a
/// token has 16 bits.
std::int64_t sequence_length(const Workload& workload);
std::int64_t vocabulary(const Workload& workload);

/// What is wrong with one of the params.
struct ParamComplaint {
  std::string param;  ///< its name, as written
  std::string problem, why, suggestion;
};

/// "params.heads: does not divide 768 (...)": as a worker says it.
std::string to_sentence(const ParamComplaint& complaint);

/// Names that the model does not have, values of another type or out of range, heads that do not
/// divide the width. Empty when all is well.
std::vector<ParamComplaint> complaints_about(const WorkloadEntry& model,
                                             const KnobSettings& params);

}  // namespace tune::trial
