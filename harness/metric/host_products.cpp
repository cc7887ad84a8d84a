#include "metric/host_products.h"

#include "metric/names.h"
#include "metric/operator_kind.h"

#include <utility>
#include <vector>

namespace tune::metric {

namespace {

bool is_convolution(std::string_view name) {
  return operator_kind(name) == OperatorKind::convolution;
}

bool is_product(std::string_view name) {
  return operator_kind(name) == OperatorKind::matrix_product;
}

bool is_eligible(std::string_view name) {
  return can_use_tensor_cores(operator_kind(name));
}

}  // namespace

HostProducts host_products(const TraceInput& input) {
  NamesThat convolves(input.timeline, is_convolution), multiplies(input.timeline, is_product),
      counts(input.timeline, is_eligible);
  ProductPrecision precision_of(input.timeline);
  PrecisionTimes precision;
  std::vector<profile::Interval> convolutions, both;
  convolutions.reserve(64);
  both.reserve(64);
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category != profile::Category::cpu_op) {
      continue;
    }
    if (input.tree.is_row(i) && counts(event) && input.begins_in_step(i)) {
      precision.add(precision_of.of_operator(event), static_cast<double>(input.tree.self_ns[i]));
    }
    if (convolves(event)) {
      convolutions.push_back({event.start_ns, event.end_ns()});
      both.push_back({event.start_ns, event.end_ns()});
    } else if (multiplies(event)) {
      both.push_back({event.start_ns, event.end_ns()});
    }
  }
  const profile::Intervals steps = input.partition.steps.covered();
  return {length_ns(profile::intersect(profile::unite(std::move(convolutions)), steps)),
          length_ns(profile::intersect(profile::unite(std::move(both)), steps)),
          precision};
}

}  // namespace tune::metric
