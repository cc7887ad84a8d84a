#include "worker/knob/matrix_units.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace tune::worker {

namespace {

bool ask(const char* question) {
  const auto schema = c10::Dispatcher::singleton().findSchema({question, ""});
  return schema && schema->typed<bool()>().call();
}

}  // namespace

bool has_bf16_units() {
  return ask("mkldnn::_is_mkldnn_bf16_supported");
}

bool has_fp16_units() {
  return ask("mkldnn::_is_mkldnn_fp16_supported");
}

}  // namespace tune::worker
