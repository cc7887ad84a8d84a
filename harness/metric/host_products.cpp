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

}  // namespace

HostProducts host_products(const TraceInput& input) {
  NamesThat convolves(input.timeline, is_convolution), multiplies(input.timeline, is_product);
  std::vector<profile::Interval> convolutions, both;
  convolutions.reserve(64);
  both.reserve(64);
  for (const profile::Event& event : input.timeline.events) {
    if (event.category != profile::Category::cpu_op) {
      continue;
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
          length_ns(profile::intersect(profile::unite(std::move(both)), steps))};
}

}  // namespace tune::metric
