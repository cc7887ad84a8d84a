#include "report/trace_json.h"

#include "report/trace_pages.h"
#include "schema_complaint.h"
#include "trace/metric/trace_metrics.h"
#include "trace_text.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

using profile::read_events;
using profile::row;

struct Rendered {
  nlohmann::json json;
  std::string markdown;
};

Rendered rendered(const std::string& events) {
  const profile::Timeline timeline = read_events(events);
  const metric::TraceInput input = metric::examine(timeline);
  const TraceAnalysis analysis{.input = input, .metrics = metric::trace_metrics(input)};
  return {nlohmann::json::parse(to_trace_json(analysis)), to_trace_markdown(analysis)};
}

const std::string kMemoryEvent =
    R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Bytes": 4}})";

TEST(TraceJson, FitsTheSchemaWhateverTheTraceHolds) {
  for (const std::string& events :
       {row("user_annotation", "ProfilerStep#1", "0", "9") + "," + row("kernel", "k", "1", "-2") +
            "," + row("gpu_memcpy", "Memcpy DtoD", "3", "2", R"("bytes": nan)") + "," +
            row("strange", "s", "1", "1"),
        row("cpu_op", "aten::add", "1", "1"),
        kMemoryEvent}) {
    EXPECT_EQ(complaint(rendered(events).json), "") << events;
  }
}

TEST(TraceJson, CountsWhatReadingLeftOut) {
  const auto json =
      rendered(row("kernel", "k", "1", "-2") + "," + row("kernel", "k", "3", "1")).json;
  EXPECT_EQ(json["trace"]["notes"]["dropped"]["negative-duration"]["count"], 1);
  EXPECT_EQ(json["trace"]["partition"]["rows"]["kernel"], 1);
  EXPECT_EQ(json["trace"]["steps"]["list"][0]["exposed_ns"]["kernel"], 1000);
}

TEST(TraceMarkdown, SaysWhatIsNotKnownAndFormatsNothingOfTheTrace) {
  const std::string text =
      rendered(row("cpu_op", "aten::add", "1", "1") + "," + row("<b>|x", "y", "1", "1")).markdown;
  EXPECT_NE(text.find("the trace has rows of the CPU alone"), std::string::npos);
  EXPECT_EQ(text.find("memset"), std::string::npos) << "a part of a GPU";
  EXPECT_NE(text.find("## Not known"), std::string::npos);
  EXPECT_EQ(text.find("<b>|x"), std::string::npos);
}

}  // namespace
}  // namespace tune::report
