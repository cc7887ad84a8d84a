#pragma once

namespace tune::worker {

/// oneDNN says that this CPU computes bfloat16 (float16) products natively.
bool has_bf16_units();
bool has_fp16_units();

}  // namespace tune::worker
