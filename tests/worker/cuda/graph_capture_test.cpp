#include "worker/cuda/graph_capture.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace tune::worker {
namespace {

class FakeApi final : public GraphApi {
 public:
  void enter() override { call("enter"); }
  void leave() override { call("leave"); }
  void begin_capture() override { call("begin_capture"); }
  void end_capture() override { call("end_capture"); }
  void replay() override { call("replay"); }
  void give_up() noexcept override { calls.emplace_back("give_up"); }

  std::string fails_in;
  std::vector<std::string> calls;

 private:
  void call(const std::string& name) {
    calls.push_back(name);
    if (name == fails_in) {
      throw std::runtime_error(name + " failed");
    }
  }
};

using Calls = std::vector<std::string>;

std::string failure_of(GraphDevice& device, const std::function<void()>& work) {
  try {
    device.capture(work);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(GraphCapture, WorkAsideIsOnTheGraphsStream) {
  FakeApi api;
  GraphCapture(api).run_aside([&] { api.calls.emplace_back("work"); });
  EXPECT_EQ(api.calls, (Calls{"enter", "work", "leave"}));
}

TEST(GraphCapture, CapturesThereAndReplaysOnTheComputeStream) {
  FakeApi api;
  GraphCapture device(api);
  device.capture([&] { api.calls.emplace_back("work"); });
  device.replay();
  device.replay();
  EXPECT_EQ(api.calls,
            (Calls{"enter", "begin_capture", "work", "end_capture", "leave", "replay", "replay"}));
}

TEST(GraphCapture, AStepThatThrowsLeavesNoCaptureOpen) {
  FakeApi api;
  GraphCapture device(api);
  EXPECT_EQ(failure_of(device, [] { throw std::runtime_error("it reads a number"); }),
            "it reads a number");
  EXPECT_EQ(api.calls, (Calls{"enter", "begin_capture", "give_up"}));
}

TEST(GraphCapture, ACaptureThatCannotBeginOrEndIsGivenUp) {
  for (const char* const name : {"begin_capture", "end_capture"}) {
    FakeApi api;
    api.fails_in = name;
    GraphCapture device(api);
    EXPECT_EQ(failure_of(device, [] {}), std::string(name) + " failed");
    EXPECT_EQ(api.calls.back(), "give_up");
  }
}

TEST(GraphCapture, AStepAsideThatThrowsGoesBackToTheComputeStream) {
  FakeApi api;
  GraphCapture device(api);
  EXPECT_THROW(device.run_aside([] { throw std::logic_error("the model is broken"); }),
               std::logic_error);
  EXPECT_EQ(api.calls, (Calls{"enter", "give_up"}));
}

}  // namespace
}  // namespace tune::worker
