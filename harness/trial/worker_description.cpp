#include "trial/worker_description.h"

#include "base/fields.h"

namespace tune::trial {

void fields_of(Fields& fields, WorkerDescription& worker) {
  constexpr std::size_t kMostNames = 1'000;
  fields.whole("protocol", worker.protocol, {0, 1'000'000});
  fields.text("version", worker.version);
  fields.text("torch_version", worker.torch_version);
  fields.text("cpu_capability", worker.cpu_capability);
  fields.text("jpeg_version", worker.jpeg_version);
  if (fields.has("device", !worker.device.empty())) {
    fields.text("device", worker.device);
  }
  if (fields.has("knobs", !worker.knobs.empty())) {
    fields.text_list("knobs", worker.knobs, kMostNames);
  }
  if (fields.has("workloads", !worker.workloads.empty())) {
    fields.text_list("workloads", worker.workloads, kMostNames);
  }
  if (fields.has("gpu", worker.gpu.has_value())) {
    worker.gpu = worker.gpu.value_or(GpuFacts());
    fields.record("gpu", *worker.gpu);
  } else {
    fields.object("no_gpu", [&](Fields& reason) {
      reason.text("kind", worker.no_gpu_kind);
      reason.text("text", worker.no_gpu_text);
    });
  }
}

WorkerDescription parse_worker_description(std::string_view text, const std::string& where) {
  return parse_record<WorkerDescription>(text, where);
}

}  // namespace tune::trial
