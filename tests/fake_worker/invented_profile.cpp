#include "invented_profile.h"

#include "worker/recorder/gzip_file.h"
#include "worker/recorder/json_text.h"

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace tune::fake {

namespace {

constexpr const char* kFile = "trace.json.gz";

// Rows of one thread, in the order in which they begin.
class TraceText {
 public:
  // One step starting at `start_ns`, in ns after the first one; returns its end.
  std::int64_t add_step(std::int64_t number,
                        std::int64_t start_ns,
                        const trial::PhaseSums& parts,
                        double stretch) {
    std::int64_t now_ns = start_ns;
    const auto next = [&](std::int64_t part_ns) {
      const auto longer = std::llround(static_cast<double>(part_ns) * stretch);
      now_ns += longer;
      return now_ns - longer;
    };
    const std::int64_t wait = next(parts.data_wait_ns), transfer = next(parts.transfer_ns);
    const std::int64_t forward = next(parts.forward_ns), backward = next(parts.backward_ns);
    const std::int64_t optimizer = next(parts.optimizer_ns), other = next(parts.other_ns);
    add("user_annotation", "ProfilerStep#" + std::to_string(number), start_ns, now_ns);
    add("user_annotation", "enumerate(DataLoader)#tune.__next__", wait, transfer);
    add("user_annotation", "transfer", transfer, forward);
    add("user_annotation", "forward", forward, backward);
    add("cpu_op", "aten::mm", forward, backward);
    add("user_annotation", "backward", backward, optimizer);
    add("cpu_op", "MmBackward0", backward, optimizer);
    add("user_annotation", "Optimizer.step#SGD.step", optimizer, other);
    return now_ns;
  }

  std::int64_t rows() const { return rows_; }
  const std::string& text() const { return text_; }

 private:
  void add(const char* category, const std::string& name, std::int64_t start, std::int64_t end) {
    text_ += rows_++ == 0 ? "" : ",\n";
    text_ += R"({"ph":"X","pid":1,"tid":1,"cat":")";
    text_ += category;
    text_ += R"(","name":)";
    worker::append_json(text_, name);
    text_ += R"(,"ts":)";
    worker::append_us(text_, start);
    text_ += R"(,"dur":)";
    worker::append_us(text_, end - start);
    text_ += R"(,"args":{"External id":)" + std::to_string(rows_) + "}}";
  }

  std::string text_;
  std::int64_t rows_ = 0;
};

}  // namespace

trial::ProfileOutcome invent_profile(const Script& script,
                                     const trial::TrialSpec& spec,
                                     const trial::TrialReply& reply) {
  trial::ProfileOutcome outcome;
  outcome.reason = script.profile.reason;
  if (!outcome.reason.empty()) {
    return outcome;
  }
  if (!spec.profile || reply.step_phases.empty()) {
    throw std::runtime_error("fake worker: a profile needs a spec that asks and measured steps");
  }
  const trial::Profile& asked = *spec.profile;
  TraceText trace;
  std::int64_t now_ns = 0;
  for (std::int64_t i = 0; i < asked.active * asked.repeat; ++i) {
    const auto measured = static_cast<std::size_t>(i) % reply.step_phases.size();
    const std::int64_t end_ns = trace.add_step(
        asked.warmup + i, now_ns, reply.step_phases[measured], script.profile.dilation_ratio);
    outcome.step_ns.push_back(end_ns - now_ns);
    now_ns = end_ns;
  }
  worker::GzipFile file(std::filesystem::path(spec.folder) / kFile);
  file.write(R"({"schemaVersion": 1, "traceEvents": [)" + trace.text() + "]}\n");
  outcome.json_bytes = file.text_bytes();
  outcome.file_bytes = file.finish();
  outcome.file = kFile;
  outcome.events = trace.rows();
  outcome.lost_events = script.profile.lost_events;
  outcome.cap_reached = script.profile.cap_reached;
  outcome.start_ns = reply.slices.back().start_ns + reply.slices.back().wall_ns;
  outcome.end_ns = outcome.start_ns + now_ns;
  return outcome;
}

}  // namespace tune::fake
