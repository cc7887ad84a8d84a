#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::trial {

/// The user's own model in place of one from the catalogue. Workload::model is then
/// "torchscript:<file name>", "package:<file name>" or "plugin:<file name>"; no model of the
/// catalogue has such a name.
struct OwnModel {
  /// package: compiled by AOTInductor, inference only.
  enum class Kind { none, torchscript, package, plugin };
  /// float32: images and samples of any shape. int64: sequences of tokens, `input` is their length.
  enum class InputType { float32, int64 };

  Kind kind = Kind::none;
  std::string path;                    ///< absolute: of the archive, package or shared library
  std::vector<std::int64_t> input;     ///< of one sample; empty: an image, [3, size, size]
  std::string loss = "cross-entropy";  ///< of a TorchScript module: cross-entropy | mse
  std::string sha256;  ///< of the file when the trials were planned; "": not compared
  InputType input_type = InputType::float32;

  bool exists() const { return kind != Kind::none; }
  bool takes_images() const { return input.empty(); }
  bool takes_tokens() const { return input_type == InputType::int64; }
  bool operator==(const OwnModel&) const = default;
};

/// The key of `workload:` that names such a model: "torchscript", "package", "plugin"; "" for none.
std::string_view key_of(OwnModel::Kind kind);

/// The model must exist: kind is not none.
void fields_of(Fields& fields, OwnModel& model);

}  // namespace tune::trial
