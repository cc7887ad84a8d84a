#include "trace/metric/einsum_order.h"

#include "trace/metric/operator_cost.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tune::metric {

namespace {

using profile::Category;
using profile::Event;
using profile::kNone;

constexpr std::array<MetricName, 2> kNames = {
    {{"einsum_ratio", "ratio"}, {"einsum_excess_ratio", "ratio"}}};
constexpr std::size_t kMostFactors = 16;

bool is_einsum(std::string_view name) {
  return name == "aten::einsum";
}

bool is_product_of_batch(std::string_view name) {
  return name == "aten::bmm";
}

// One product of [batch, rows, inner] with [batch, inner, columns].
struct Product {
  double batch = 0, rows = 0, inner = 0, columns = 0;

  double multiplications() const { return batch * rows * inner * columns; }
};

std::optional<Product> product_of(const TraceInput& input, const Event& event) {
  const profile::OpDetail* const op = input.timeline.op(event);
  if (op == nullptr) {
    return std::nullopt;
  }
  const std::string_view dims = input.timeline.strings.text(op->input_dims);
  const auto a = table::sizes_in(table::list_element(dims, 0));
  const auto b = table::sizes_in(table::list_element(dims, 1));
  if (!a || !b || a->count != 3 || b->count != 3) {
    return std::nullopt;
  }
  const auto at = [](const table::Sizes& sizes, std::size_t i) {
    return static_cast<double>(sizes.values[i]);
  };
  return Product{at(*a, 0), at(*a, 1), at(*a, 2), at(*b, 2)};
}

struct Call {
  std::vector<Product> products;
  bool is_sized = true;
};

// Sizes of the chain that was multiplied from its first two factors on; empty for anything else.
std::vector<double> chain_of(const Call& call) {
  const Product& first = call.products.front();
  std::vector<double> sizes = {first.rows, first.inner, first.columns};
  for (std::size_t i = 1; i < call.products.size(); ++i) {
    const Product& next = call.products[i];
    if (next.batch != first.batch) {
      return {};
    }
    if (next.inner == sizes.back() && next.rows == sizes.front()) {
      sizes.push_back(next.columns);
    } else if (next.inner == sizes.front() && next.rows == sizes.back()) {
      sizes.insert(sizes.begin(), next.columns);
    } else {
      return {};
    }
  }
  return sizes;
}

// Multiplications of the best order, without the batch.
double fewest(const std::vector<double>& sizes) {
  const std::size_t factors = sizes.size() - 1;
  std::vector<std::vector<double>> cost(factors, std::vector<double>(factors));
  for (std::size_t length = 2; length <= factors; ++length) {
    for (std::size_t i = 0; i + length <= factors; ++i) {
      const std::size_t last = i + length - 1;
      cost[i][last] = std::numeric_limits<double>::max();
      for (std::size_t cut = i; cut < last; ++cut) {
        cost[i][last] = std::min(
            cost[i][last],
            cost[i][cut] + cost[cut + 1][last] + sizes[i] * sizes[cut + 1] * sizes[last + 1]);
      }
    }
  }
  return cost[0][factors - 1];
}

// Calls of einsum within steps that multiply three factors or more: what they multiply, in order.
std::vector<Call> calls_of(const TraceInput& input) {
  const auto& events = input.timeline.events;
  NamesThat sums(input.timeline, is_einsum), multiplies(input.timeline, is_product_of_batch);
  const std::vector<std::uint32_t> around = table::outermost_that(input.tree, [&](std::uint32_t i) {
    return events[i].category == Category::cpu_op && sums(events[i]);
  });
  std::vector<Call> calls;
  std::unordered_map<std::uint32_t, std::size_t> index_of;  // by event
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (around[i] == kNone || !input.begins_in_step(i) || !multiplies(events[i])) {
      continue;
    }
    const auto [found, is_new] = index_of.try_emplace(around[i], calls.size());
    Call& call = is_new ? calls.emplace_back() : calls[found->second];
    const auto product = product_of(input, events[i]);
    call.is_sized = call.is_sized && product.has_value();
    call.products.push_back(product.value_or(Product()));
  }
  std::erase_if(calls, [](const Call& call) {
    return call.products.size() < 2 || call.products.size() >= kMostFactors || !call.is_sized;
  });
  return calls;
}

}  // namespace

std::vector<Metric> einsum_order(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  double done = 0, least = 0;
  for (const Call& call : calls_of(input)) {
    const std::vector<double> sizes = chain_of(call);
    if (sizes.empty()) {
      continue;
    }
    for (const Product& product : call.products) {
      done += product.multiplications();
    }
    least += call.products.front().batch * fewest(sizes);
  }
  if (done <= 0) {
    return not_applicable(
        kNames, "no einsum of three matrices ran, or no shapes were recorded (record_shapes=True)");
  }
  return {share_of_steps(std::string(kNames[0].id), operator_cost(input, is_einsum).ns, input),
          over_steps(kNames[1], std::max(0.0, 1 - least / done), input)};
}

}  // namespace tune::metric
