#include "report/table_text.h"

#include "approved.h"
#include "report/table_json.h"
#include "trace/table/operator_table.h"
#include "written_timeline.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

using profile::Category;
using table::Quantity;
using table::WrittenTimeline;

table::Table operators() {
  WrittenTimeline written;
  written.host(Category::user_annotation, "ProfilerStep#3", 0, 1234.5);
  written.op("aten::linear", 100, 400);
  written.detail(written.op("aten::addmm", 150, 300)).input_dims =
      written.text("[[8],[4,16],[16,8],[],[]]");
  written.call("cudaLaunchKernel", 200, 50, 11);
  written.kernel("gemm", 300, 600, 11);
  written.op("a::" + std::string(60, 'n') + "_ends_differently", 600, 1.25);
  written.memory(160, 2048, 1);
  written.memory(460, -512);
  return table::operator_table(written.input());
}

TEST(TableText, IsTheApprovedTable) {
  expect_approved("tests/golden/report/operators.txt", to_lines(operators()));
}

TEST(TableText, IsTheApprovedMarkdown) {
  expect_approved("tests/golden/report/operators.md", to_markdown(operators()));
}

TEST(TableText, LeavesOutColumnsUntilItFitsAndNamesThem) {
  const std::string text = to_lines(operators(), 120);
  EXPECT_LE(text.find('\n'), 120U) << text;
  EXPECT_NE(text.find("not shown in this width: CPU Mem, CUDA Mem, CUDA time avg"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Self CUDA"), std::string::npos);
}

TEST(TableText, SaysHowManyRowsAreMissing) {
  table::Table table = operators();
  table::keep_top(table, 2);
  EXPECT_NE(to_lines(table).find("\n3 more rows\n"), std::string::npos) << to_lines(table);
}

TEST(TableText, SaysWhyThereIsNoTable) {
  const table::Table table{
      .id = "kernels", .title = "Kernels", .reason = "the trace has no kernel"};
  EXPECT_EQ(to_lines(table), "Kernels: not known, the trace has no kernel\n");
  EXPECT_EQ(to_markdown(table), "Not known: the trace has no kernel.\n");
}

TEST(TableText, KeepsTheEndOfEachFrame) {
  const table::Table table{
      .id = "operators",
      .title = "Operators",
      .columns = {{"name", "Name"}, {"stack", "Source Location"}},
      .rows = {
          {"aten::mm",
           "/home/user/anaconda3/envs/kineto/lib/python3.7/site-packages/torch/nn/conv.py(440): f\n"
           "train.py(3): main"}}};
  EXPECT_NE(to_lines(table).find(".../site-packages/torch/nn/conv.py(440): f <- train.py(3): main"),
            std::string::npos)
      << to_lines(table);
}

TEST(TableJson, HasUnitsAndNullForTheUnknown) {
  const table::Table table{
      .id = "t",
      .title = "T",
      .columns = {{"name", "Name"},
                  {"time", "Time", Quantity::time_ns},
                  {"bytes", "Bytes", Quantity::bytes},
                  {"share", "Share", Quantity::ratio}},
      .rows = {{"a", std::int64_t{1'500'000'000}, std::int64_t{-8}, table::Cell()}},
      .notes = {"note"},
      .left_out = 3};
  const auto json = to_json(table);
  EXPECT_EQ(json["rows"][0].dump(), R"({"name":"a","time":1.5,"bytes":-8,"share":null})");
  EXPECT_EQ(json["columns"][1].dump(), R"({"id":"time","title":"Time","unit":"s"})");
  EXPECT_EQ(json["left_out"], 3);
  EXPECT_TRUE(json["reason"].is_null());
}

}  // namespace
}  // namespace tune::report
