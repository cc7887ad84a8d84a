#include "report/knob_code.h"

#include "base/text.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace tune::report {

namespace {

/// `{}` is replaced by the value, `{device}` by the device, `{Optimizer}` by its class.
struct KnobCode {
  std::string_view knob, value;  ///< the value: "" for any
  std::string_view python, cpp;
};

// Arguments of one call: DataLoader(...), DataLoaderOptions().
constexpr std::array<KnobCode, 7> kLoaderCode = {
    {{"batch_size", "", "batch_size={}", ".batch_size({})"},
     {"num_workers", "", "num_workers={}", ".workers({})"},
     {"prefetch_factor", "", "prefetch_factor={}", ".max_jobs({})"},
     {"pin_memory", "true", "pin_memory=True", ""},
     {"persistent_workers", "true", "persistent_workers=True", ""},
     {"in_order", "false", "in_order=False", ".enforce_ordering(false)"},
     {"multiprocessing_context", "", "multiprocessing_context='{}'", ""}}};

constexpr std::array<KnobCode, 20> kCode = {{
    {"amp",
     "bf16",
     "with torch.autocast('{device}', dtype=torch.bfloat16): loss = ...  # forward and loss",
     "at::autocast::set_autocast_enabled(at::{Device}, true);\n"
     "at::autocast::set_autocast_dtype(at::{Device}, at::kBFloat16);  // forward and loss\n"
     "at::autocast::clear_cache();  // after each step"},
    {"amp",
     "fp16",
     "with torch.autocast('{device}', dtype=torch.float16): loss = ...  # with "
     "torch.amp.GradScaler",
     "at::autocast::set_autocast_enabled(at::{Device}, true);\n"
     "at::autocast::set_autocast_dtype(at::{Device}, at::kHalf);  // and scale the loss"},
    {"channels_last",
     "true",
     "model = model.to(memory_format=torch.channels_last)\n"
     "images = images.to(memory_format=torch.channels_last)",
     "for (auto& p : model->parameters())\n"
     "  if (p.dim() == 4) p.set_data(p.contiguous(at::MemoryFormat::ChannelsLast));\n"
     "images = images.contiguous(at::MemoryFormat::ChannelsLast);"},
    {"compile", "default", "model = torch.compile(model)", ""},
    {"compile", "", "model = torch.compile(model, mode='{}')", ""},
    {"cudnn_benchmark",
     "true",
     "torch.backends.cudnn.benchmark = True",
     "at::globalContext().setBenchmarkCuDNN(true);"},
    {"devices",
     "",
     "torchrun --nproc-per-node={} ...  # DistributedDataParallel(model), a DistributedSampler",
     ""},
    {"flush_denormal",
     "true",
     "torch.set_flush_denormal(True)",
     "at::globalContext().setFlushDenormal(true);"},
    {"inter_op_threads",
     "",
     "torch.set_num_interop_threads({})",
     "at::set_num_interop_threads({});"},
    {"intra_op_threads", "", "torch.set_num_threads({})", "at::set_num_threads({});"},
    {"matmul_precision",
     "",
     "torch.set_float32_matmul_precision('{}')",
     "at::globalContext().setFloat32MatmulPrecision(\"{}\");"},
    {"non_blocking",
     "true",
     "batch = batch.to(device, non_blocking=True)",
     "batch = batch.to(device, /*non_blocking=*/true);"},
    {"optimizer_impl", "fused", "optimizer = {Optimizer}(..., fused=True)", ""},
    {"optimizer_impl", "foreach", "optimizer = {Optimizer}(..., foreach=True)", ""},
    {"set_to_none",
     "true",
     "optimizer.zero_grad(set_to_none=True)",
     "optimizer.zero_grad(/*set_to_none=*/true);"},
    {"tf32",
     "all",
     "torch.set_float32_matmul_precision('high')",
     "at::globalContext().setFloat32MatmulPrecision(\"high\");"},
    {"gc", "freeze", "gc.collect(); gc.freeze()  # after warm-up", ""},
    {"gc", "manual", "gc.disable()  # after warm-up", ""},
    {"worker_nice",
     "",
     "DataLoader(..., worker_init_fn=lambda _: os.nice({}))",
     "setpriority(PRIO_PROCESS, gettid(), {});  // in each loader thread"},
    {"pin_memory", "true", "", "batch = batch.pin_memory();"},
}};

constexpr std::array<std::string_view, 13> kTorchOptimizers = {"ASGD",
                                                               "Adadelta",
                                                               "Adafactor",
                                                               "Adagrad",
                                                               "Adam",
                                                               "AdamW",
                                                               "Adamax",
                                                               "LBFGS",
                                                               "NAdam",
                                                               "RAdam",
                                                               "RMSprop",
                                                               "Rprop",
                                                               "SGD"};

template <std::size_t N>
const KnobCode* find_code(const std::array<KnobCode, N>& all,
                          const std::string& knob,
                          const std::string& value) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const KnobCode& code) {
    return code.knob == knob && (code.value.empty() || code.value == value);
  });
  return found == all.end() ? nullptr : &*found;
}

// "torch.optim.SGD"; a class of others alone, and what it is where no class is known.
std::string optimizer_text(const std::string& name) {
  const auto known = std::find(kTorchOptimizers.begin(), kTorchOptimizers.end(), name);
  return name.empty()                      ? "YourOptimizer"
         : known != kTorchOptimizers.end() ? "torch.optim." + name
                                           : one_line(name);
}

std::string filled(std::string text, const std::string& value, const CodeContext& context) {
  const bool is_gpu = context.device.starts_with("cuda");
  for (const auto& [slot, with] :
       {std::pair<std::string_view, std::string>{"{}", value},
        std::pair<std::string_view, std::string>{"{Optimizer}", optimizer_text(context.optimizer)},
        std::pair<std::string_view, std::string>{"{device}", is_gpu ? "cuda" : "cpu"},
        std::pair<std::string_view, std::string>{"{Device}", is_gpu ? "kCUDA" : "kCPU"}}) {
    for (std::size_t at = text.find(slot); at != std::string::npos;
         at = text.find(slot, at + with.size())) {
      text.replace(at, slot.size(), with);
    }
  }
  return text;
}

}  // namespace

std::string setting_code(const result::Setting& changed,
                         const CodeContext& context,
                         Language language) {
  const bool is_python = language == Language::python;
  std::vector<std::string> arguments, lines;
  for (const auto& [knob, given] : changed) {
    const std::string value = one_line(trial::to_text(given));
    const auto text_of = [&](const KnobCode* code) {
      return code == nullptr
                 ? std::string()
                 : filled(std::string(is_python ? code->python : code->cpp), value, context);
    };
    std::string argument = text_of(find_code(kLoaderCode, knob, value));
    if (!argument.empty()) {
      arguments.push_back(std::move(argument));
      continue;
    }
    std::string line = text_of(find_code(kCode, knob, value));
    lines.push_back(!line.empty()
                        ? std::move(line)
                        : std::string(is_python ? "# " : "// ") + one_line(knob) + ": " + value);
  }
  if (!arguments.empty()) {
    lines.insert(lines.begin(),
                 is_python ? "loader = DataLoader(dataset, " + joined(arguments) + ", ...)"
                           : "auto options = torch::data::DataLoaderOptions()" +
                                 joined(arguments, "") + ";");
  }
  return joined(lines, "\n");
}

std::string setting_patch(const result::Setting& changed, const result::Setting& baseline) {
  std::string text;
  for (const auto& [knob, value] : changed) {
    const std::string name = one_line(knob);
    const auto old = std::find_if(baseline.begin(),
                                  baseline.end(),
                                  [name = knob](const auto& each) { return each.first == name; });
    if (old != baseline.end()) {
      text += "-  " + name + ": " + one_line(trial::to_text(old->second)) + "\n";
    }
    text += "+  " + name + ": " + one_line(trial::to_text(value)) + "\n";
  }
  return text.empty() ? "" : " baseline:\n" + text;
}

}  // namespace tune::report
