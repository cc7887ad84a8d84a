#include "trace/metric/costly_gradients.h"

#include "trace/metric/operator_cost.h"

#include <array>
#include <string>
#include <string_view>

namespace tune::metric {

namespace {

constexpr std::array<MetricName, 3> kNames = {{{"index_gradient_ratio", "ratio"},
                                               {"weight_norm_count", "count"},
                                               {"weight_norm_ratio", "ratio"}}};

bool is_index_gradient(std::string_view name) {
  return name.starts_with("autograd::engine::evaluate_function: IndexBackward");
}

bool is_weight_norm(std::string_view name) {
  return name == "aten::_weight_norm" || name == "aten::_weight_norm_interface";
}

bool is_weight_norm_or_gradient(std::string_view name) {
  return is_weight_norm(name) ||
         name.starts_with("autograd::engine::evaluate_function: WeightNorm");
}

}  // namespace

std::vector<Metric> costly_gradients(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const OperatorCost gradients = operator_cost(input, is_index_gradient);
  const double norms = operator_cost(input, is_weight_norm).count;
  std::vector<Metric> metrics = not_applicable(kNames, "no weight is normalised (weight_norm)");
  metrics[0] = gradients.count > 0
                   ? share_of_steps(std::string(kNames[0].id), gradients.ns, input)
                   : not_applicable(kNames[0], "no gradient goes back through x[indices]");
  if (norms > 0) {
    metrics[1] = over_steps(kNames[1], per_step(norms, input), input);
    metrics[2] = share_of_steps(
        std::string(kNames[2].id), operator_cost(input, is_weight_norm_or_gradient).ns, input);
  }
  return metrics;
}

}  // namespace tune::metric
