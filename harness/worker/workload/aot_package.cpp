#include "worker/failure.h"
#include "worker/workload/all_workloads.h"
#include "worker/workload/model.h"

#include <c10/util/Exception.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/version.h>

#include <algorithm>
#include <caffe2/serialize/inline_container.h>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

constexpr const char* kModel = "model";  // as torch._inductor.aoti_compile_and_package names it

[[noreturn]] void refuse(const std::string& problem) {
  throw std::invalid_argument("workload.package: " + problem);
}

std::string first_line(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  return std::string(text.substr(0, std::min(text.find('\n'), kLongest)));
}

// The message of the current exception; rethrows it unchanged when it is an out-of-memory error.
std::string words_of_failure() {
  std::string words;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const c10::Error& error) {
    words = error.what_without_backtrace();
  } catch (const std::exception& error) {
    words = error.what();
  }
  if (says_out_of_memory(words)) {
    throw std::runtime_error(words);
  }
  return first_line(words);
}

/// What an archive holds, without its code being loaded.
struct Contents {
  bool has_program = false;      ///< as torch.export.save writes it
  std::set<std::string> models;  ///< that are compiled
  std::string device, cpu;       ///< that the model was compiled for: "cpu", "AVX512"
};

std::string text_of(caffe2::serialize::PyTorchStreamReader& archive, const std::string& record) {
  const auto [data, size] = archive.getRecord(record);
  return {static_cast<const char*>(data.get()), size};
}

Contents contents_of(const std::string& path) {
  constexpr std::string_view kCompiled = "data/aotinductor/";
  caffe2::serialize::PyTorchStreamReader archive(path);
  Contents contents;
  for (const std::string& record : archive.getAllRecords()) {
    contents.has_program |= record.starts_with("models/");
    if (!record.starts_with(kCompiled)) {
      continue;
    }
    const std::string file = record.substr(kCompiled.size());
    const std::string model = file.substr(0, file.find('/'));
    if (file.ends_with(".so")) {
      contents.models.insert(model);
    } else if (model == kModel && file.ends_with("wrapper_metadata.json")) {
      const auto about = nlohmann::json::parse(text_of(archive, record));
      contents.device = about.value("AOTI_DEVICE_KEY", "");
      contents.cpu = about.value("AOTI_CPU_ISA", "");
    }
  }
  return contents;
}

Contents read_contents(const std::string& path, const std::string& name) {
  try {
    return contents_of(path);
  } catch (const std::exception&) {
    refuse(name + " is not a package that LibTorch can read (" + words_of_failure() + ")");
  }
}

bool has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") != 0;
#else
  return false;
#endif
}

void check_contents(const Contents& contents, const std::string& name, bool on_gpu) {
  if (contents.models.empty()) {
    refuse(name + " has no compiled code (" +
           (contents.has_program ? "torch.export.save writes the program alone" : "no library") +
           ") torch._inductor.aoti_compile_and_package?");
  }
  if (!contents.models.contains(kModel)) {
    refuse(name + " has no model named 'model' (it has '" + *contents.models.begin() + "')");
  }
  const std::string device = on_gpu ? "cuda" : "cpu";
  if (!contents.device.empty() && contents.device != device) {
    refuse(name + " was compiled for " + contents.device + " (the trials run on " + device +
           ") device: " + contents.device + "?");
  }
  const bool wants_512 = contents.cpu.find("AVX512") != std::string::npos ||
                         contents.cpu.find("AMX") != std::string::npos;
  if (!on_gpu && wants_512 && !has_avx512()) {
    refuse(name + " was compiled for a CPU with " + contents.cpu + " (this one lacks it)");
  }
}

// Compiled code writes its reason to std::cerr and returns a number.
class HeardErrors {
 public:
  HeardErrors() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~HeardErrors() { std::cerr.rdbuf(before_); }
  HeardErrors(const HeardErrors&) = delete;
  HeardErrors& operator=(const HeardErrors&) = delete;

  std::string words() const {
    constexpr std::string_view kMark = "Error: ";
    const std::string text = text_.str();
    const std::size_t mark = text.find(kMark);
    return mark == std::string::npos ? "" : first_line(text.substr(mark + kMark.size()));
  }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

std::string shape_of(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.sizes();
  return text.str();
}

// 8 of "input_handles[0]: unmatched dim value at 0, expected: 8, but got: 4".
std::string batch_size_in(std::string_view words) {
  constexpr std::string_view kMark = "unmatched dim value at 0, expected: ";
  const std::size_t mark = words.find(kMark);
  if (mark == std::string_view::npos) {
    return "";
  }
  words.remove_prefix(mark + kMark.size());
  return std::string(words.substr(0, words.find_first_not_of("0123456789")));
}

using Loader = torch::inductor::AOTIModelPackageLoader;

class PackageModel final : public Model {
 public:
  PackageModel(std::unique_ptr<Loader> loaded, std::string name)
      : loaded_(std::move(loaded)), name_(std::move(name)) {
    for (const auto& weight : loaded_->get_runner()->extract_constants_map(false)) {
      weights_.push_back(weight.second);
    }
  }

  at::Tensor forward(const at::Tensor& input) override {
    std::vector<at::Tensor> results = call(input);
    if (results.size() != 1) {
      refuse(name_ + " returns " + std::to_string(results.size()) +
             " tensors (one is wanted; compile a module that picks it)");
    }
    return std::move(results.front());
  }

  std::vector<at::Tensor> parameters() const override { return weights_; }
  std::vector<at::Tensor> buffers() const override { return {}; }

 private:
  std::vector<at::Tensor> call(const at::Tensor& input) {
    try {
      return loaded_->run({input});
    } catch (const std::exception&) {
      explain(input, words_of_failure());
    }
  }

  // Calls it once more, and listens.
  [[noreturn]] void explain(const at::Tensor& input, std::string words) {
    const HeardErrors heard;
    try {
      loaded_->run({input});
    } catch (const std::exception&) {
      if (const std::string reason = heard.words(); !reason.empty()) {
        words = reason;
      }
    }
    const std::string batch = batch_size_in(words);
    if (!batch.empty()) {
      refuse(name_ + " was compiled for batches of " + batch + " (this one is " + shape_of(input) +
             ") batch_size: " + batch + "?");
    }
    const bool wants_tokens = words.find("at::kLong") != std::string::npos;
    refuse(name_ + " fails on " + shape_of(input) + " (" + words +
           "; workload.input says what a sample is)" + (wants_tokens ? " input_type: int64?" : ""));
  }

  std::unique_ptr<Loader> loaded_;
  std::string name_;
  std::vector<at::Tensor> weights_;  ///< as they were compiled in: folded and laid out
};

}  // namespace

// The code reads the variable at its first call: without it, it would read beyond an input of
// another shape.
void check_package_inputs() {
  constexpr int kOverwrite = 1;
  setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", kOverwrite);
}

std::unique_ptr<Model> make_aot_package(const trial::Workload& workload) {
  const std::string& path = workload.own.path;
  std::string name = std::filesystem::path(path).filename().string();
  check_contents(read_contents(path, name), name, workload.on_gpu());
  constexpr bool kOneThread = true;  // its calls come from one: no lock
  constexpr std::size_t kOneRunner = 1;
  const c10::DeviceIndex device = workload.on_gpu() ? 0 : -1;
  std::unique_ptr<Loader> loaded;
  try {
    loaded = std::make_unique<Loader>(path, kModel, kOneThread, kOneRunner, device);
  } catch (const std::exception&) {
    refuse(name + " cannot be loaded (" + words_of_failure() +
           "): was it compiled with another PyTorch than " + TORCH_VERSION + "?");
  }
  return std::make_unique<PackageModel>(std::move(loaded), std::move(name));
}

}  // namespace tune::worker
