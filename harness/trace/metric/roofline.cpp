#include "trace/metric/roofline.h"

#include "machine/device_peaks.h"
#include "trace/kernel_names.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/table/flop_count.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tune::metric {

namespace {

using table::list_element;

struct Product {
  std::string_view name;
  std::size_t first;  // input of the two that are multiplied
};
constexpr std::array<Product, 5> kProducts = {{{"aten::mm", 0},
                                               {"aten::addmm", 1},
                                               {"aten::bmm", 0},
                                               {"aten::baddbmm", 1},
                                               {"aten::conv2d", 0}}};

const Product* find(std::string_view name) {
  const auto found = std::find_if(
      kProducts.begin(), kProducts.end(), [&](const Product& each) { return each.name == name; });
  return found == kProducts.end() ? nullptr : &*found;
}

std::optional<NumberType> type_of(std::string_view type) {
  if (type == R"("float")") {
    return NumberType::single;
  }
  if (type == R"("c10::Half")" || type == R"("c10::BFloat16")") {
    return NumberType::half;
  }
  return std::nullopt;
}

// How many products each element of the result sums up.
double summed(std::string_view name, const table::Sizes& left, const table::Sizes& right) {
  return name == "aten::conv2d"
             ? right.elements() / static_cast<double>(std::max<std::int64_t>(right.values[0], 1))
             : static_cast<double>(left.last());
}

}  // namespace

bool has_product_cost(std::string_view name) {
  return find(name) != nullptr;
}

std::optional<ProductCost> product_cost(std::string_view name,
                                        std::string_view dims,
                                        std::string_view types,
                                        std::string_view concrete) {
  const Product* const product = find(name);
  const auto flops = product == nullptr ? std::nullopt : table::flop_count(name, dims, concrete);
  if (!flops || *flops <= 0) {
    return std::nullopt;
  }
  const std::size_t first = product->first;
  const auto left = table::sizes_in(list_element(dims, first));
  const auto right = table::sizes_in(list_element(dims, first + 1));
  const auto type = type_of(list_element(types, first));
  if (!left || !right || left->count == 0 || right->count == 0 || !type ||
      type_of(list_element(types, first + 1)) != type) {
    return std::nullopt;
  }
  const double element_bytes = *type == NumberType::half ? 2 : 4;
  const auto operations = static_cast<double>(*flops);
  const double result = operations / 2 / summed(name, *left, *right);
  return ProductCost{.operations = operations,
                     .bytes = (left->elements() + right->elements() + result) * element_bytes,
                     .type = *type};
}

namespace {

using profile::kNone;

constexpr std::array<MetricName, 7> kNames = {{{"kernel_flops", "count"},
                                               {"kernel_bytes", "B"},
                                               {"kernel_call_time", "s"},
                                               {"kernel_share_ratio", "ratio"},
                                               {"peak_flop_rate", "FLOP/s"},
                                               {"peak_memory_rate", "B/s"},
                                               {"roofline_efficiency_ratio", "ratio"}}};
constexpr std::size_t kFirstOfPeaks = 4;
constexpr double kWorthALook = 0.01;  // of the steps; ours

/// Calls of one operator with one shape.
struct Shape {
  ProductCost cost;
  double ns = 0, calls = 0;
  bool uses_tensor_cores = false;
  std::int64_t last_row = -1;

  double seconds() const { return ns * 1e-9; }
  double flop_rate() const { return cost.operations * calls / seconds(); }
};

/// What bounds a shape on a device.
struct Bound {
  double flop_rate = 0, memory_rate = 0;

  double efficiency(const Shape& shape) const {
    return shape.flop_rate() / std::min(flop_rate, shape.cost.intensity() * memory_rate);
  }
};

class Shapes {
 public:
  explicit Shapes(const TraceInput& input)
      : input_(input),
        has_cost_(input.timeline, has_product_cost),
        products_(table::innermost_that(input.tree,
                                        [this](std::uint32_t row) { return is_product(row); })) {}

  // The kernels of a step belong to the innermost product around the call that launched them.
  void add_kernels() {
    for (const std::uint32_t i : input_.device_work) {
      const profile::Event& event = input_.timeline.events[i];
      const auto ns = static_cast<double>(input_.clock.within(event));
      const std::uint32_t row = event.category == profile::Category::kernel && ns > 0
                                    ? product_around(input_.issuing_row[i])
                                    : kNone;
      if (Shape* const shape = row == kNone ? nullptr : shape_of(row)) {
        add(*shape, row, ns);
        shape->uses_tensor_cores =
            shape->uses_tensor_cores ||
            profile::tensor_core_use(input_.timeline.name(event)) == profile::TensorCoreUse::yes;
      }
    }
  }

  // Without kernels the operators themselves, where they enclose no other that has a cost.
  void add_operators() {
    std::vector<bool> encloses(input_.timeline.events.size(), false);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < input_.timeline.events.size(); ++i) {
      if (input_.tree.is_row(i) && is_product(i)) {
        rows.push_back(i);
        if (const std::uint32_t outer = product_around(input_.tree.parent[i]); outer != kNone) {
          encloses[outer] = true;
        }
      }
    }
    for (const std::uint32_t row : rows) {
      const auto ns = static_cast<double>(input_.clock.within(input_.timeline.events[row]));
      Shape* const shape = encloses[row] || ns <= 0 ? nullptr : shape_of(row);
      if (shape != nullptr) {
        add(*shape, row, ns);
      }
    }
  }

  const std::map<std::array<profile::StringId, 4>, Shape>& all() const { return shapes_; }

 private:
  bool is_product(std::uint32_t row) {
    const profile::Event& event = input_.timeline.events[row];
    return event.category == profile::Category::cpu_op && has_cost_(event);
  }

  std::uint32_t product_around(std::uint32_t row) const {
    return row == kNone ? kNone : products_[row];
  }

  static void add(Shape& shape, std::uint32_t row, double ns) {
    shape.ns += ns;
    shape.calls += shape.last_row == row ? 0 : 1;  // kernels of one call follow each other
    shape.last_row = row;
  }

  Shape* shape_of(std::uint32_t row) {
    const profile::Timeline& timeline = input_.timeline;
    const profile::Event& event = timeline.events[row];
    const profile::OpDetail* const op = timeline.op(event);
    if (op == nullptr) {
      return nullptr;
    }
    const std::array<profile::StringId, 4> key = {
        event.name, op->input_dims, op->input_types, op->concrete_inputs};
    if (const auto known = shapes_.find(key); known != shapes_.end()) {
      return &known->second;
    }
    const auto cost = product_cost(timeline.name(event),
                                   timeline.strings.text(op->input_dims),
                                   timeline.strings.text(op->input_types),
                                   timeline.strings.text(op->concrete_inputs));
    return cost ? &shapes_.emplace(key, Shape{.cost = *cost}).first->second : nullptr;
  }

  const TraceInput& input_;
  NamesThat has_cost_;
  std::vector<std::uint32_t> products_;  // by event: the innermost around it
  std::map<std::array<profile::StringId, 4>, Shape> shapes_;
};

std::optional<Bound> bound_of(const Shape& shape,
                              const std::optional<machine::DevicePeaks>& device) {
  if (!device) {
    return std::nullopt;
  }
  const bool is_tf32 = shape.uses_tensor_cores && device->tf32_flop_rate > 0;
  return Bound{.flop_rate = shape.cost.type == NumberType::half ? device->half_flop_rate
                            : is_tf32                           ? device->tf32_flop_rate
                                                                : device->float_flop_rate,
               .memory_rate = device->memory_rate};
}

// Time that the shape would not take at its bound; all of it where no bound is known.
double lost_ns(const Shape& shape, const std::optional<machine::DevicePeaks>& device) {
  const auto bound = bound_of(shape, device);
  return bound ? shape.ns * (1 - bound->efficiency(shape)) : shape.ns;
}

const Shape* worst_of(const Shapes& shapes,
                      const std::optional<machine::DevicePeaks>& device,
                      double steps_ns) {
  const Shape* worst = nullptr;
  const auto rank = [&](const Shape& shape) {
    return std::tuple(shape.ns >= kWorthALook * steps_ns, lost_ns(shape, device));
  };
  for (const auto& [key, shape] : shapes.all()) {
    if (shape.ns > 0 && (worst == nullptr || rank(shape) > rank(*worst))) {
      worst = &shape;
    }
  }
  return worst;
}

}  // namespace

std::vector<Metric> roofline(const TraceInput& input) {
  const bool has_kernels = input.partition.has_device_rows;
  if (const std::string why = has_kernels ? why_no_kernels(input) : why_no_operators(input);
      !why.empty()) {
    return not_applicable(kNames, why);
  }
  Shapes shapes(input);
  if (has_kernels) {
    shapes.add_kernels();
  } else {
    shapes.add_operators();
  }
  const auto steps_ns = static_cast<double>(input.partition.total_ns());
  const auto& devices = input.timeline.devices;
  const auto device =
      !has_kernels || devices.empty() ? std::nullopt : machine::device_peaks(devices.front().name);
  const Shape* const worst = worst_of(shapes, device, steps_ns);
  if (worst == nullptr || steps_ns <= 0) {
    return not_applicable(kNames,
                          "no step calls a matrix product or a convolution whose shape was "
                          "recorded (record_shapes=True)");
  }
  std::vector<Metric> metrics =
      not_applicable(kNames,
                     !has_kernels      ? "what the CPU can do at best is measured by tune probe"
                     : devices.empty() ? "the trace does not name its GPU"
                                       : "peaks of " + devices.front().name + " are not known");
  metrics[0] = over_steps(kNames[0], worst->cost.operations, input);
  metrics[1] = over_steps(kNames[1], worst->cost.bytes, input);
  metrics[2] = over_steps(kNames[2], worst->seconds() / worst->calls, input);
  metrics[3] = over_steps(kNames[3], worst->ns / steps_ns, input);
  if (const auto bound = bound_of(*worst, device)) {
    metrics[kFirstOfPeaks] = over_steps(kNames[kFirstOfPeaks], bound->flop_rate, input);
    metrics[5] = over_steps(kNames[5], bound->memory_rate, input);
    metrics[6] = over_steps(kNames[6], bound->efficiency(*worst), input);
  }
  return metrics;
}

}  // namespace tune::metric
