#pragma once

namespace tune::bench {

/// torch's own profiler on this thread, CPU activities only, from its C++ interface.
class TorchProfiler {
 public:
  enum class Inputs { ignored, recorded };
  explicit TorchProfiler(Inputs inputs);
  ~TorchProfiler();
  TorchProfiler(const TorchProfiler&) = delete;
  TorchProfiler& operator=(const TorchProfiler&) = delete;
};

}  // namespace tune::bench
