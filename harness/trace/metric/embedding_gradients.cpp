#include "trace/metric/embedding_gradients.h"

#include "trace/metric/parameters.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace tune::metric {

namespace {

constexpr std::array<MetricName, 3> kNames = {{{"embedding_row_count", "count"},
                                               {"embedding_used_ratio", "ratio"},
                                               {"embedding_parameter_ratio", "ratio"}}};

bool looks_up(std::string_view name) {
  return name == "aten::embedding" || name == "aten::embedding_bag" ||
         name == "aten::_embedding_bag";
}

bool is_dense_gradient(std::string_view name) {
  return name == "aten::embedding_dense_backward" || name == "aten::_embedding_bag_dense_backward";
}

using Shape = std::pair<std::int64_t, std::int64_t>;  // rows and width

// The first argument is the table, or the gradient of one.
std::optional<Shape> shape_of(const TraceInput& input, const profile::Event& event) {
  const profile::OpDetail* const op = input.timeline.op(event);
  if (op == nullptr || op->input_dims == 0) {
    return std::nullopt;
  }
  const auto sizes =
      table::sizes_in(table::list_element(input.timeline.strings.text(op->input_dims), 0));
  return sizes && sizes->count == 2 ? std::optional(Shape{sizes->values[0], sizes->values[1]})
                                    : std::nullopt;
}

struct Table {
  double rows = 0, used = 0;
};

// The arguments of a lookup are the table and the indices.
std::optional<Table> table_of(const TraceInput& input,
                              const profile::Event& event,
                              const Shape& shape) {
  const std::string_view dims = input.timeline.strings.text(input.timeline.op(event)->input_dims);
  const auto indices = table::sizes_in(table::list_element(dims, 1));
  return indices && indices->count > 0
             ? std::optional(Table{static_cast<double>(shape.first), indices->elements()})
             : std::nullopt;
}

// What a step stores of gradients.
struct Stored {
  std::size_t dense = 0;       // gradients of tables
  std::vector<double> shaped;  // bytes of gradients that are shaped as a table
  double all_bytes = 0;
  bool are_sized = true;

  // A layer after the model may be shaped as the table (logits over a vocabulary): there are no
  // more tables than dense gradients.
  std::optional<double> table_ratio() {
    if (!are_sized || all_bytes <= 0) {
      return std::nullopt;
    }
    std::sort(shaped.begin(), shaped.end(), std::greater<>());
    double bytes = 0;
    for (std::size_t i = 0; i < std::min(dense, shaped.size()); ++i) {
      bytes += shaped[i];
    }
    return bytes / all_bytes;
  }
};

// Goes over the rows in the order in which they begin: a table is looked up before its gradient.
class Tables {
 public:
  explicit Tables(const TraceInput& input)
      : input_(input),
        is_lookup_(input.timeline, looks_up),
        is_gradient_(input.timeline, is_dense_gradient),
        stores_(input.timeline, stores_gradient),
        by_step_(input.partition.steps.steps.size()) {}

  void look_at(const profile::Event& event, std::size_t step) {
    Stored& stored = by_step_[step];
    if (is_gradient_(event)) {
      has_gradient = true;
      ++stored.dense;
    } else if (is_lookup_(event)) {
      look_up(event);
    } else if (stores_(event)) {
      const auto bytes = gradient_bytes(input_, event);
      const auto shape = shape_of(input_, event);
      stored.are_sized = stored.are_sized && bytes;
      stored.all_bytes += bytes.value_or(0);
      if (shape && bytes && shapes_.contains(*shape)) {
        stored.shaped.push_back(*bytes);
      }
    }
  }

  // The largest share of any step.
  std::optional<double> table_ratio() {
    std::optional<double> most;
    for (Stored& stored : by_step_) {
      most = std::max(most, stored.table_ratio());
    }
    return most;
  }

  bool has_gradient = false;
  Table largest;

 private:
  void look_up(const profile::Event& event) {
    const auto shape = shape_of(input_, event);
    const auto table = shape ? table_of(input_, event, *shape) : std::nullopt;
    if (!table) {
      return;
    }
    shapes_.insert(*shape);
    if (std::pair(table->rows, table->used) > std::pair(largest.rows, largest.used)) {
      largest = *table;
    }
  }

  const TraceInput& input_;
  NamesThat is_lookup_, is_gradient_, stores_;
  std::vector<Stored> by_step_;
  std::set<Shape> shapes_;
};

}  // namespace

std::vector<Metric> embedding_gradients(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  Tables tables(input);
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category == profile::Category::cpu_op && input.begins_in_step(i)) {
      tables.look_at(event, input.step_of[i]);
    }
  }
  if (!tables.has_gradient) {
    return not_applicable(kNames, "no table of embeddings has a dense gradient");
  }
  const Table& largest = tables.largest;
  if (largest.rows <= 0) {
    return not_applicable(kNames, "no shapes were recorded (record_shapes=True)");
  }
  const auto ratio = tables.table_ratio();
  return {over_steps(kNames[0], largest.rows, input),
          over_steps(kNames[1], std::min(1.0, largest.used / largest.rows), input),
          ratio ? over_steps(kNames[2], *ratio, input)
                : not_applicable(kNames[2], "no row says how large a gradient is that is stored")};
}

}  // namespace tune::metric
