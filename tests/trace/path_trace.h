#pragma once

// Traces for tests of the critical path: streams and cuda_sync rows, in us.

#include "trace/critical_path.h"
#include "trace_text.h"

#include <limits>
#include <string>

namespace tune::profile {

class PathTrace {
 public:
  PathTrace& host(const std::string& cat,
                  const std::string& name,
                  int ts,
                  int dur,
                  const std::string& args = "",
                  int thread = 412) {
    const std::string tid = std::to_string(thread);
    return add(cat, name, R"("pid": 412, "tid": )" + tid, ts, dur, args);
  }
  PathTrace& op(const std::string& name, int ts, int dur, int thread = 412) {
    return host("cpu_op", name, ts, dur, "", thread);
  }
  PathTrace& call(const std::string& name, int ts, int dur, int correlation, int thread = 412) {
    return host("cuda_runtime", name, ts, dur, correlated(correlation), thread);
  }
  PathTrace& kernel(const std::string& name, int ts, int dur, int correlation, int stream = 7) {
    return device("kernel", name, ts, dur, correlation, stream);
  }
  PathTrace& device(const std::string& cat,
                    const std::string& name,
                    int ts,
                    int dur,
                    int correlation,
                    int stream,
                    const std::string& more = "") {
    const std::string text = std::to_string(stream);
    return add(cat,
               name,
               R"("pid": 0, "tid": )" + text,
               ts,
               dur,
               R"("device": 0, "stream": )" + text + ", " + correlated(correlation) + more);
  }

  CriticalPath path(IdleTime idle = IdleTime::counted) {
    timeline_ = read_events(events_);
    return find_critical_path(
        timeline_, find_launches(timeline_), {0, std::numeric_limits<std::int64_t>::max()}, idle);
  }
  const Timeline& timeline() const { return timeline_; }

 private:
  static std::string correlated(int correlation) {
    return R"("correlation": )" + std::to_string(correlation);
  }
  PathTrace& add(const std::string& cat,
                 const std::string& name,
                 const std::string& place,
                 int ts,
                 int dur,
                 const std::string& args) {
    events_ += events_.empty() ? "" : ",";
    events_ += R"({"ph": "X", "cat": ")" + cat + R"(", "name": ")" + name + R"(", )" + place +
               R"(, "ts": )" + std::to_string(ts) + R"(, "dur": )" + std::to_string(dur) +
               R"(, "args": {)" + args + "}}";
    return *this;
  }

  std::string events_;
  Timeline timeline_;
};

inline std::int64_t ns_of(const CriticalPath& path, PathPart part) {
  return path.part_ns()[static_cast<std::size_t>(part)];
}

inline std::int64_t edges_of(const CriticalPath& path, PathPart part) {
  return path.part_edges()[static_cast<std::size_t>(part)];
}

}  // namespace tune::profile
