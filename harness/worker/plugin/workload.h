#pragma once

/// The contract between tune and a model of your own in a shared library: what
/// `workload: {plugin: build/libmymodel.so}` loads. Installed as <tune/workload.h>; it needs
/// LibTorch but nothing else from tune.
///
///     class MyModel : public tune::plugin::Workload {
///      public:
///       explicit MyModel(const tune::plugin::Setup& setup);
///       static std::vector<tune::plugin::Knob> knobs();                       // optional
///       std::vector<at::Tensor> parameters() override;
///       at::Tensor step(const tune::plugin::Batch& batch) override;
///     };
///     TUNE_PLUGIN(MyModel)
///
/// One process runs one cell once: the library is loaded, one object is made, step() is called
/// until the trial is over, and the process ends without destroying it. All calls come from one
/// thread. An exception, a crash, a hang or an out-of-memory error is the outcome of that trial.

#include <ATen/core/Tensor.h>
#include <torch/version.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tune::plugin {

/// Increases when the contract changes; tune refuses a library with another number.
constexpr std::uint32_t kContract = 1;

using Value = std::variant<bool, std::int64_t, double, std::string>;
using Values = std::map<std::string, Value>;

/// The value with that name: bool, std::int64_t, double (a whole number is accepted) or
/// std::string. Throws std::invalid_argument naming it when it is missing or has another type;
/// thrown from a constructor, it is reported before anything runs.
template <class Type>
Type get(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) {
    throw std::invalid_argument(name + " is missing");
  }
  if (const auto* const value = std::get_if<Type>(&found->second)) {
    return *value;
  }
  if constexpr (std::is_same_v<Type, double>) {
    if (const auto* const whole = std::get_if<std::int64_t>(&found->second)) {
      return static_cast<double>(*whole);
    }
  }
  throw std::invalid_argument(name + " is of another type");
}

/// The same with a default for a missing value.
template <class Type>
Type get_or(const Values& values, const std::string& name, Type otherwise) {
  return values.contains(name) ? get<Type>(values, name) : std::move(otherwise);
}

/// Your own knob: `width` is `plugin.width` in the baseline and the grid of a scenario. Use the
/// functions to make one; names are small letters, digits and _.
struct Knob {
  std::string name, summary;
  Value default_value;               ///< the value when a scenario does not set it
  std::int64_t min = 0, max = 0;     ///< of a whole number, inclusive
  std::vector<std::string> choices;  ///< of a word

  static Knob flag(std::string called, bool otherwise, std::string meaning) {
    return {std::move(called), std::move(meaning), otherwise, 0, 0, {}};
  }
  static Knob whole(std::string called,
                    std::int64_t otherwise,
                    std::int64_t from,
                    std::int64_t to,
                    std::string meaning) {
    return {std::move(called), std::move(meaning), otherwise, from, to, {}};
  }
  /// The first word is the default.
  static Knob choice(std::string called, std::vector<std::string> words, std::string meaning) {
    std::string first = words.empty() ? std::string() : words.front();
    return {std::move(called), std::move(meaning), std::move(first), 0, 0, std::move(words)};
  }
};

/// The settings of the trial that a model is made for.
struct Setup {
  std::string task;                 ///< train | infer
  std::string device;               ///< cpu | cuda:0: the device of step()'s batches
  std::int64_t batch_size = 1;      ///< the last batch of an epoch may be smaller
  std::vector<std::int64_t> input;  ///< of one sample of tune's own data, e.g. 3, 224, 224
  std::int64_t classes = 1000;      ///< of tune's own data: labels and tokens are smaller
  std::uint64_t seed = 0;           ///< LibTorch's generators have been seeded with it
  Values params;                    ///< `workload: {params: ...}`
  Values knobs;                     ///< every knob that you declare, with its value in this cell
};

/// Samples on `device`. Images of tune's own data are float32 [N, 3, S, S], normalised, in the
/// layout of the knob channels_last; labels are int64 [N], and undefined in task infer. Tokens are
/// int64 [N, S], and so are their labels, the next tokens.
struct Batch {
  at::Tensor input, labels;
};

/// Your own data, for `data: {source: plugin}`. tune passes an input of uint8 [N, 3, S, S] to the
/// model as normalised float32, and any other input unchanged; it copies both tensors to the
/// device.
class DataSource {
 public:
  virtual ~DataSource() = default;

  /// Samples per epoch; constant, at least one.
  virtual std::int64_t samples() = 0;

  /// Batch `index` of an epoch: its samples index * batch_size to index * batch_size + batch_size,
  /// or to the last one. Both tensors are on the CPU, their first dimension is the number of
  /// samples; earlier batches must stay unchanged. Called in order, epoch after epoch, by the
  /// training thread.
  virtual Batch batch(std::int64_t epoch, std::int64_t index) = 0;
};

/// A model. tune calls the optimizer, autocast and the loss scaler around step(), so that the knobs
/// optimizer_impl, amp and channels_last work on it.
class Workload {
 public:
  virtual ~Workload() = default;

  /// The trained tensors: leaves that require a gradient, always the same handles. Before the first
  /// step tune moves them to the device and, with channels_last, changes the layout of those with
  /// four dimensions, using set_data.
  virtual std::vector<at::Tensor> parameters() = 0;

  /// Tensors that are stored but not trained; moved in the same way.
  virtual std::vector<at::Tensor> buffers() { return {}; }

  /// One step on a batch. Task train: the loss, one number that requires a gradient. Task infer:
  /// the result, any tensor.
  virtual at::Tensor step(const Batch& batch) = 0;

  /// Null: there is none.
  virtual std::unique_ptr<DataSource> data_source() { return nullptr; }
};

/// The library and its user must agree on this before they exchange anything else.
struct Build {
  std::uint32_t contract = kContract;  ///< first, in all versions
#ifdef _GLIBCXX_USE_CXX11_ABI
  std::uint32_t cxx11_abi = _GLIBCXX_USE_CXX11_ABI;
#else
  std::uint32_t cxx11_abi = 2;  // another standard library
#endif
  const char* torch_version = TORCH_VERSION;
  /// Sizes of the types that cross the boundary: they depend on the standard library and its debug
  /// mode.
  std::uint32_t sizes[4] = {sizeof(Setup), sizeof(Knob), sizeof(std::string), sizeof(at::Tensor)};
};

/// The table that a library exports. The functions may be called only when `build` matches.
struct Table {
  Build build;
  std::vector<Knob> (*knobs)() = nullptr;
  Workload* (*make)(const Setup& setup) = nullptr;
};

template <class Model>
Table table_of() {
  Table table;
  table.knobs = [] {
    if constexpr (requires { Model::knobs(); }) {
      return std::vector<Knob>(Model::knobs());
    } else {
      return std::vector<Knob>();
    }
  };
  table.make = [](const Setup& setup) -> Workload* { return new Model(setup); };
  return table;
}

using Entry = const Table*();
constexpr const char* kEntry = "tune_plugin";

}  // namespace tune::plugin

/// Makes a class the model of this library; use it once, outside any namespace.
#define TUNE_PLUGIN(Model)                                                                     \
  extern "C" __attribute__((visibility("default"))) const tune::plugin::Table* tune_plugin() { \
    static const tune::plugin::Table table = tune::plugin::table_of<Model>();                  \
    return &table;                                                                             \
  }
