#include "doctor/worker_description.h"

#include "trial/fields.h"
#include "trial/json_object.h"

#include <nlohmann/json.hpp>

namespace tune::doctor {

WorkerDescription parse_worker_description(std::string_view text, const std::string& where) {
  const nlohmann::json json = trial::parse_json(text, where);
  trial::JsonObject object(json, where, "");
  WorkerDescription description;
  constexpr std::int64_t kMostProtocols = 1'000'000;
  description.protocol = object.whole("protocol", {0, kMostProtocols});
  description.version = object.text("version");
  description.torch_version = object.text("torch_version");
  description.cpu_capability = object.text("cpu_capability");
  description.jpeg_version = object.text("jpeg_version");
  if (object.has("gpu")) {
    description.gpu = trial::read_record<trial::GpuFacts>(object.object("gpu"));
  } else {
    trial::JsonObject reason = object.object("no_gpu");
    description.no_gpu_kind = reason.text("kind");
    description.no_gpu_text = reason.text("text");
  }
  return description;
}

}  // namespace tune::doctor
