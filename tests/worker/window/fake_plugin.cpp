// A fake plug-in. FAKE_KIND: 0 has a device, 1 has none and says why, 2 is from another build, 3
// throws, 4 says nothing.
#include "worker/cuda/plugin.h"

#include <stdexcept>

extern "C" const tune::worker::CudaPluginEntry* tune_cuda_plugin();

namespace tune::worker {

namespace {

class NoTimer final : public DeviceTimer {
 public:
  void begin_step() override {}
  void end_phase(DevicePhase /*phase*/) override {}
  std::vector<DevicePhases> collect() override { return {}; }
};

class NoGraph final : public GraphDevice {
 public:
  void run_aside(const std::function<void()>& /*work*/) override {}
  void capture(const std::function<void()>& /*work*/) override {}
  void replay() override {}
};

class NoTrace final : public TraceSession {
 public:
  std::optional<Unavailable> start(const TraceOptions& /*options*/) override {
    return Unavailable{"busy", "a fake"};
  }
  void discard() override {}
  void decode() override {}
  DeviceTraceResult finish(const std::vector<std::int64_t>& /*edges*/) override { return {}; }
};

class FakePlugin final : public CudaPlugin {
 public:
  FakePlugin() { facts_.name = "a fake GPU"; }
  const CudaFacts& facts() const override { return facts_; }
  void synchronize() override {}
  void restart_memory_peaks() override {}
  CudaMemory memory() const override { return {}; }
  bool lock_pages(void* /*begin*/, std::size_t /*bytes*/) override { return false; }
  void unlock_pages(void* /*begin*/) override {}
  void* compute_stream() override { return nullptr; }
  std::string connect(c10d::ProcessGroup& /*group*/) override { return "a fake"; }
  DeviceTimer& timer() override { return timer_; }
  GraphDevice& graph() override { return graph_; }
  TraceSession& trace() override { return trace_; }

 private:
  CudaFacts facts_;
  NoTimer timer_;
  NoGraph graph_;
  NoTrace trace_;
};

std::unique_ptr<CudaPlugin> make(Unavailable& reason) {
  if (FAKE_KIND == 1) {
    reason = {"no_device", "cudaGetDeviceCount says no CUDA-capable device is detected (100)"};
    return nullptr;
  }
  if (FAKE_KIND == 3) {
    throw std::runtime_error("thrown by a fake");
  }
  return FAKE_KIND == 4 ? nullptr : std::make_unique<FakePlugin>();
}

}  // namespace
}  // namespace tune::worker

const tune::worker::CudaPluginEntry* tune_cuda_plugin() {
  static const tune::worker::CudaPluginEntry entry = {
      FAKE_KIND == 2 ? tune::worker::kCudaPluginVersion + 1 : tune::worker::kCudaPluginVersion,
      tune::worker::make};
  return &entry;
}
