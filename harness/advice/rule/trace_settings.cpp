#include "advice/rule/trace_facts.h"
#include "trace/metric/matrix_products.h"
#include "trace/metric/metric.h"
#include "trace/metric/product_precision.h"
#include "trace/role.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tune::rule {

namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using metric::TraceInput;
using profile::Event;
using table::Phase;

constexpr const char* kTrace = "trace";
constexpr double kLittle = 0.1, kMost = 0.5;  // of the time: below, and from it on

std::optional<double> number_of(const FactTable& facts, const char* name) {
  const Result result = facts.value(name);
  const auto* const value = std::get_if<Value>(&result);
  return value != nullptr ? std::optional(std::get<expression::Number>(value->data).value)
                          : std::nullopt;
}

// From the devices that the trace describes; the first speaks for all.
void add_devices(const TraceInput& input, FactTable& facts) {
  const auto& devices = input.timeline.devices;
  if (devices.empty()) {
    return;
  }
  facts.set("device_count",
            {.result = Value::of(static_cast<double>(devices.size())), .source = kTrace});
  const profile::DeviceProperties& first = devices.front();
  if (first.compute_major > 0) {
    constexpr double kTenth = 0.1;
    facts.set("compute_capability",
              {.result = Value::of(static_cast<double>(first.compute_major) +
                                   kTenth * static_cast<double>(first.compute_minor)),
               .source = kTrace});
  }
}

void add_versions(const TraceInput& input, FactTable& facts) {
  for (const auto& [name, key] : {std::pair("cuda_version", "cuda_runtime_version"),
                                  std::pair("driver_cuda_version", "cuda_driver_version")}) {
    const auto found = input.timeline.metadata.find(key);
    if (found == input.timeline.metadata.end()) {
      continue;
    }
    const std::string& text = found->second;
    int version = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error == std::errc() && end == text.data() + text.size() && version > 0) {
      facts.set(name,
                {.result = Value::of(static_cast<double>(version)),
                 .source = std::string("trace: ") + key});
    }
  }
}

Result worker_count(bool is_single) {
  if (is_single) {
    return Value::of(0.0);
  }
  return Unknown{"the loader has workers, and the trace does not say how many"};
}

// Whether the rows of PyTorch's loader say that it runs in the training process.
void add_loader(const TraceInput& input, FactTable& facts) {
  bool has_loader = false;
  bool is_single = false;
  bool is_multiple = false;
  const profile::StringPool& strings = input.timeline.strings;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::string_view name = strings.text(static_cast<profile::StringId>(i));
    const bool is_loader = name.starts_with("enumerate(DataLoader)#");
    has_loader = has_loader || is_loader;
    is_single = is_single || (is_loader && name.find("#_SingleProcess") != name.npos);
    is_multiple = is_multiple || (is_loader && name.find("#_MultiProcessing") != name.npos);
  }
  if (!has_loader || is_single == is_multiple) {
    return;
  }
  facts.set("num_workers",
            {.result = worker_count(is_single), .source = "trace: name of the loader's rows"});
  facts.set("loader_ops_on_main_thread",
            {.result = Value::of(is_single), .source = "trace: name of the loader's rows"});
}

// The part for GPUs of "cpu:gloo,cuda:nccl"; a name alone is for all.
std::string_view device_part(std::string_view backend) {
  constexpr std::string_view kDevice = "cuda:";
  const std::size_t begin = backend.find(kDevice);
  if (begin == std::string_view::npos) {
    return backend;
  }
  backend.remove_prefix(begin + kDevice.size());
  return backend.substr(0, backend.find(','));
}

bool has_nccl_kernels(const TraceInput& input) {
  metric::NamesThat communicates(input.timeline, profile::is_communication_kernel);
  return std::any_of(input.device_work.begin(), input.device_work.end(), [&](std::uint32_t i) {
    const Event& event = input.timeline.events[i];
    return event.category == profile::Category::kernel && communicates(event);
  });
}

// "undefined" is what PyTorch says of a backend that nobody named.
Result backend_of(const TraceInput& input) {
  if (has_nccl_kernels(input)) {
    return Value::of("nccl");
  }
  const profile::RankInfo& rank = input.timeline.rank;
  if (rank.world_size && *rank.world_size < 2) {
    return Unknown{"one process alone exchanges nothing"};
  }
  const std::string_view part = device_part(rank.backend);
  if (part == "nccl" || part == "gloo" || part == "mpi") {
    return Value::of(std::string(part));
  }
  return Unknown{part.empty()
                     ? "distributedInfo names no backend, and no kernel is called like NCCL's"
                     : "distributedInfo calls the backend " + std::string(part) +
                           ", and no kernel is called like NCCL's"};
}

// How the work is spread over devices, by the ranges that PyTorch writes around its forward pass.
void add_parallelism(const TraceInput& input, FactTable& facts) {
  const profile::StringPool& strings = input.timeline.strings;
  const char* api = nullptr;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::string_view name = strings.text(static_cast<profile::StringId>(i));
    if (name == "DistributedDataParallel.forward") {
      api = "DistributedDataParallel";
    } else if (name == "DataParallel.forward" && api == nullptr) {
      api = "DataParallel";
    }
  }
  facts.set("parallel_api",
            {.result = api != nullptr ? Result(Value::of(api))
                                      : Result(Unknown{"no row is called DataParallel.forward or "
                                                       "DistributedDataParallel.forward"}),
             .source = kTrace});
  facts.set("backend",
            {.result = backend_of(input), .source = "trace: distributedInfo, names of kernels"});
}

// A loss or a learning rate may come from pageable memory while batches do not.
Result pinning(double bytes, double pageable_bytes) {
  if (pageable_bytes * 2 > bytes) {
    return Value::of(false);
  }
  if (pageable_bytes == 0) {
    return Value::of(true);
  }
  return Unknown{"some copies are from pinned memory, some are not"};
}

void add_pinning(FactTable& facts) {
  const double bytes = number_of(facts, "h2d_bytes").value_or(0);
  if (bytes > 0) {
    facts.set("pin_memory",
              {.result = pinning(bytes, number_of(facts, "h2d_pageable_bytes").value_or(0)),
               .source = "trace: names of the copies"});
  }
}

void add_precision(FactTable& facts) {
  const auto half = number_of(facts, "half_time_ratio");
  if (!half) {
    return;
  }
  const bool is_bf16 = 2 * number_of(facts, "bf16_time_ratio").value_or(0) >= *half;
  facts.set("amp",
            {.result = *half < kLittle  ? Result(Value::of("none"))
                       : *half >= kMost ? Result(Value::of(is_bf16 ? "bf16" : "fp16"))
                                        : Result(Unknown{"some products are in 16 bits, most are "
                                                         "not"}),
             .source = "trace: precision of products"});
}

// Other products may still run without: the library chooses by their sizes.
void add_tf32(const TraceInput& input, FactTable& facts) {
  if (number_of(facts, "fp32_gemm_ratio").value_or(0) > 0 && metric::has_tf32_products(input)) {
    facts.set("allow_tf32",
              {.result = Value::of(true), .source = "trace: float32 products on tensor cores"});
  }
}

bool is_convolution(std::string_view name) {
  return metric::operator_kind(name) == metric::OperatorKind::convolution;
}

enum class Layout : std::uint8_t { unknown, contiguous, channels_last };

// The shape of the first input of a convolution over images.
Layout layout_of(const TraceInput& input, const Event& event) {
  const profile::OpDetail* const op = input.timeline.op(event);
  if (op == nullptr || op->input_strides == 0) {
    return Layout::unknown;
  }
  const profile::StringPool& strings = input.timeline.strings;
  const auto sizes = table::sizes_in(table::list_element(strings.text(op->input_dims), 0));
  const auto strides = table::sizes_in(table::list_element(strings.text(op->input_strides), 0));
  constexpr std::size_t kOfImages = 4;  // N C H W
  if (!sizes || !strides || sizes->count != kOfImages || strides->count != kOfImages ||
      sizes->values[1] < 2 || sizes->values[2] * sizes->values[3] < 2) {
    return Layout::unknown;
  }
  return strides->values[1] == 1 ? Layout::channels_last
         : strides->last() == 1  ? Layout::contiguous
                                 : Layout::unknown;
}

void add_layout(const TraceInput& input, FactTable& facts) {
  metric::NamesThat convolves(input.timeline, is_convolution);
  double last_ns = 0, known_ns = 0;
  bool has_any = false;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const Event& event = input.timeline.events[i];
    if (event.category != profile::Category::cpu_op || !convolves(event)) {
      continue;
    }
    has_any = true;
    const Layout layout = layout_of(input, event);
    const auto ns = layout == Layout::unknown ? 0 : static_cast<double>(event.duration_ns);
    known_ns += ns;
    last_ns += layout == Layout::channels_last ? ns : 0;
  }
  if (!has_any) {
    return;
  }
  const double share = known_ns > 0 ? last_ns / known_ns : 0;
  facts.set("channels_last",
            {.result = known_ns <= 0     ? Result(Unknown{"convolutions have no Input Strides "
                                                          "(record_shapes=True)"})
                       : share >= kMost  ? Result(Value::of(true))
                       : share < kLittle ? Result(Value::of(false))
                                         : Result(Unknown{"some convolutions are in channels-last "
                                                          "layout, most are not"}),
             .source = "trace: strides of convolutions"});
}

bool is_fused(std::string_view name) {
  return name.starts_with("aten::_fused_");
}

bool is_foreach(std::string_view name) {
  return name.starts_with("aten::_foreach_");
}

const char* word_of_many(const TraceInput& input) {
  metric::NamesThat fused(input.timeline, is_fused), loops_over(input.timeline, is_foreach);
  const char* word = "fused";  // of another library than PyTorch
  for (std::uint32_t i = 0; i < input.phases.size(); ++i) {
    if (input.phases[i] != Phase::optimizer || !input.tree.is_row(i)) {
      continue;
    }
    if (fused(input.timeline.events[i])) {
      return "fused";
    }
    word = loops_over(input.timeline.events[i]) ? "foreach" : word;
  }
  return word;
}

bool is_class_name(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && name.size() <= kLongest && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9');
         });
}

// "SGD" of "Optimizer.step#SGD.step"; "" of other names.
std::string_view optimizer_class_in(std::string_view row) {
  constexpr std::string_view kBegin = "Optimizer.step#", kEnd = ".step";
  if (!row.starts_with(kBegin) || !row.ends_with(kEnd) ||
      row.size() < kBegin.size() + kEnd.size()) {
    return "";
  }
  row.remove_prefix(kBegin.size());
  row.remove_suffix(kEnd.size());
  return is_class_name(row) ? row : "";
}

void add_optimizer_class(const TraceInput& input, FactTable& facts) {
  const profile::StringPool& strings = input.timeline.strings;
  std::string found;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::string_view name =
        optimizer_class_in(strings.text(static_cast<profile::StringId>(i)));
    if (name.empty()) {
      continue;
    }
    if (!found.empty() && found != name) {
      return;  // two classes: code for one would be wrong for the other
    }
    found = name;
  }
  if (!found.empty()) {
    facts.set("optimizer_class",
              {.result = Value::of(found), .source = "trace: name of the optimizer's rows"});
  }
}

void add_optimizer(const TraceInput& input, FactTable& facts) {
  const auto operators = number_of(facts, "optimizer_operator_count");
  const auto many = number_of(facts, "multi_tensor_count");
  const auto parameters = number_of(facts, "parameter_count");
  if (!operators || !many) {
    return;
  }
  constexpr double kLeast = 8;  // where nobody says how many parameters there are
  const bool loops = *many == 0 && *operators >= parameters.value_or(kLeast) && *operators > 0;
  if (*many == 0 && !loops) {
    return;  // a compiled one, or one that calls what nobody knows
  }
  facts.set("optimizer_impl",
            {.result = Value::of(loops ? "loop" : word_of_many(input)),
             .source = "trace: what the optimizer calls"});
}

}  // namespace

void add_settings(const TraceInput& input, FactTable& facts) {
  add_devices(input, facts);
  add_versions(input, facts);
  add_loader(input, facts);
  add_parallelism(input, facts);
  add_pinning(facts);
  add_precision(facts);
  add_tf32(input, facts);
  add_layout(input, facts);
  add_optimizer_class(input, facts);
  add_optimizer(input, facts);
}

}  // namespace tune::rule
