#include "trace/metric/embedding_gradients.h"

#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace tune::metric {

namespace {

constexpr std::array<MetricName, 2> kNames = {
    {{"embedding_row_count", "count"}, {"embedding_used_ratio", "ratio"}}};

bool looks_up(std::string_view name) {
  return name == "aten::embedding" || name == "aten::embedding_bag" ||
         name == "aten::_embedding_bag";
}

bool is_dense_gradient(std::string_view name) {
  return name == "aten::embedding_dense_backward" || name == "aten::_embedding_bag_dense_backward";
}

struct Table {
  double rows = 0, used = 0;
};

// The arguments of a lookup are the table and the indices.
std::optional<Table> table_of(const TraceInput& input, const profile::Event& event) {
  const profile::OpDetail* const op = input.timeline.op(event);
  if (op == nullptr || op->input_dims == 0) {
    return std::nullopt;
  }
  const std::string_view dims = input.timeline.strings.text(op->input_dims);
  const auto weight = table::sizes_in(table::list_element(dims, 0));
  const auto indices = table::sizes_in(table::list_element(dims, 1));
  if (!weight || weight->count != 2 || !indices || indices->count == 0) {
    return std::nullopt;
  }
  return Table{static_cast<double>(weight->values[0]), indices->elements()};
}

}  // namespace

std::vector<Metric> embedding_gradients(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  NamesThat is_lookup(input.timeline, looks_up), is_gradient(input.timeline, is_dense_gradient);
  bool has_gradient = false;
  Table largest;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category != profile::Category::cpu_op || !input.begins_in_step(i)) {
      continue;
    }
    has_gradient = has_gradient || is_gradient(event);
    const auto table = is_lookup(event) ? table_of(input, event) : std::nullopt;
    if (table && (table->rows > largest.rows ||
                  (table->rows == largest.rows && table->used > largest.used))) {
      largest = *table;
    }
  }
  if (!has_gradient) {
    return not_applicable(kNames, "no table of embeddings has a dense gradient");
  }
  return largest.rows > 0
             ? over_steps(kNames, {largest.rows, std::min(1.0, largest.used / largest.rows)}, input)
             : not_applicable(kNames, "no shapes were recorded (record_shapes=True)");
}

}  // namespace tune::metric
