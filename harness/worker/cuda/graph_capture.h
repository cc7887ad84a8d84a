#pragma once

#include "worker/cuda/plugin.h"

#include <functional>

namespace tune::worker {

/// The calls for a CUDA graph and its stream, so that tests can replace them. All except give_up()
/// throw std::exception with CUDA's words.
class GraphApi {
 public:
  virtual ~GraphApi() = default;

  /// Operators of the calling thread run on the graph's stream from here on, after what is on the
  /// compute stream.
  virtual void enter() = 0;
  /// They run on the compute stream again, after what is on the graph's.
  virtual void leave() = 0;

  /// Within the two: what is launched is captured and not run.
  virtual void begin_capture() = 0;
  virtual void end_capture() = 0;

  /// On the compute stream.
  virtual void replay() = 0;

  /// After a failure: ends a capture that has begun, and leaves. The graph is lost.
  virtual void give_up() noexcept = 0;
};

/// GraphDevice over those calls: whatever a step throws, no capture stays open.
class GraphCapture final : public GraphDevice {
 public:
  explicit GraphCapture(GraphApi& api) : api_(api) {}

  void run_aside(const std::function<void()>& work) override;
  void capture(const std::function<void()>& work) override;
  void replay() override { api_.replay(); }

 private:
  GraphApi& api_;
};

}  // namespace tune::worker
