#pragma once

#include "worker/cuda/plugin.h"

#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tune::worker {

/// A fake GPU that does nothing and remembers its calls.
class StandInGpu final : public CudaPlugin,
                         public DeviceTimer,
                         public GraphDevice,
                         public TraceSession {
 public:
  const CudaFacts& facts() const override { return cuda_facts; }
  void synchronize() override { asked.emplace_back("synchronize"); }
  void restart_memory_peaks() override { asked.emplace_back("restart_memory_peaks"); }
  CudaMemory memory() const override { return cuda_memory; }
  void* compute_stream() override { return nullptr; }
  std::string connect(c10d::ProcessGroup& /*group*/) override { return "a fake"; }
  DeviceTimer& timer() override { return *this; }
  GraphDevice& graph() override { return *this; }
  TraceSession& trace() override { return *this; }

  bool lock_pages(void* begin, std::size_t /*bytes*/) override {
    return can_lock && locked.insert(begin).second;
  }
  void unlock_pages(void* begin) override { locked.erase(begin); }

  void begin_step() override { asked.emplace_back("begin_step"); }
  void end_phase(DevicePhase /*phase*/) override { asked.emplace_back("end_phase"); }
  std::vector<DevicePhases> collect() override {
    asked.emplace_back("collect");
    return std::exchange(steps, {});
  }

  void run_aside(const std::function<void()>& work) override {
    asked.emplace_back("run_aside");
    work();
  }
  void capture(const std::function<void()>& work) override {
    asked.emplace_back("capture");
    work();
  }
  void replay() override { asked.emplace_back("replay"); }

  std::optional<Unavailable> start(const TraceOptions& /*options*/) override {
    asked.emplace_back("start");
    return unavailable;
  }
  void discard() override {
    asked.emplace_back("discard");
    if (fails_to_discard) {
      throw std::runtime_error("cuptiActivityFlushAll: broken (999)");
    }
  }
  void decode() override { asked.emplace_back("decode"); }
  DeviceTraceResult finish(const std::vector<std::int64_t>& edges) override {
    asked.emplace_back("finish");
    finished_with = edges;
    return std::move(result);
  }

  CudaFacts cuda_facts;
  CudaMemory cuda_memory;
  bool can_lock = true, fails_to_discard = false;
  std::set<void*> locked;
  std::vector<DevicePhases> steps;  ///< that the timer has
  std::optional<Unavailable> unavailable;
  DeviceTraceResult result;
  std::vector<std::int64_t> finished_with;
  std::vector<std::string> asked;
};

}  // namespace tune::worker
