#pragma once

#include "worker/knob/knob_effect.h"

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

namespace tune::worker {

/// `with torch.autocast(device, dtype)`: for forward and loss only. Guards nest; the outermost one
/// clears the cache of cast weights at its end, else the next step would use stale ones.
class AutocastGuard {
 public:
  AutocastGuard(StepSettings::Autocast autocast, c10::DeviceType device);
  ~AutocastGuard();
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
  c10::DeviceType device_;
  bool active_, was_enabled_ = false, was_cached_ = false;
  c10::ScalarType old_dtype_ = c10::ScalarType::Float;
};

/// Whether oneDNN reports that this CPU computes bfloat16 (float16) products natively.
bool has_bf16_units();
bool has_fp16_units();

}  // namespace tune::worker
