#include "trial/own_model.h"

#include "base/fields.h"

namespace tune::trial {

std::string_view key_of(OwnModel::Kind kind) {
  switch (kind) {
    case OwnModel::Kind::torchscript:
      return "torchscript";
    case OwnModel::Kind::package:
      return "package";
    case OwnModel::Kind::plugin:
      return "plugin";
    case OwnModel::Kind::none:
      break;
  }
  return "";
}

void fields_of(Fields& fields, OwnModel& model) {
  using Kind = OwnModel::Kind;
  using Type = OwnModel::InputType;
  constexpr std::size_t kMostDimensions = 8;
  constexpr std::int64_t kLongestDimension = 1'000'000'000;
  fields.word<Kind>(
      "kind",
      model.kind,
      {{"torchscript", Kind::torchscript}, {"package", Kind::package}, {"plugin", Kind::plugin}});
  fields.text("path", model.path);
  fields.whole_list("input", model.input, kMostDimensions, {1, kLongestDimension});
  fields.word("loss", model.loss, {"cross-entropy", "mse"});
  fields.text("sha256", model.sha256, 64);
  if (fields.has("input_type")) {  // specs from before tokens lack it
    fields.word<Type>(
        "input_type", model.input_type, {{"float32", Type::float32}, {"int64", Type::int64}});
  }
}

}  // namespace tune::trial
