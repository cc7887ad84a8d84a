#include "trace/table/table.h"

#include "base/error.h"
#include "trace/table/cell_text.h"

#include <gtest/gtest.h>

namespace tune::table {
namespace {

Table sample() {
  return {.id = "operators",
          .title = "Operators",
          .columns = {{"name", "Name"}, {"device_time_total", "CUDA total", Quantity::time_ns}},
          .rows = {{"b", std::int64_t{1}}, {"a", Cell()}, {"c", std::int64_t{3}}},
          .notes = {},
          .reason = ""};
}

std::string names(const Table& table) {
  std::string text;
  for (const Row& row : table.rows) {
    text += std::get<std::string>(row[0]);
  }
  return text;
}

TEST(Table, SortsNumbersDownwardsTextsUpwardsAndTheUnknownLast) {
  Table table = sample();
  sort_rows(table, "device_time_total");
  EXPECT_EQ(names(table), "cba");
  sort_rows(table, "name");
  EXPECT_EQ(names(table), "abc");
  sort_rows(table, "cuda_time_total");
  EXPECT_EQ(names(table), "cba");
}

TEST(Table, NamesItsColumnsWhenThereIsNoneOfThatName) {
  Table table = sample();
  try {
    sort_rows(table, "device_time_totl");
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("name, device_time_total"), std::string::npos) << text;
  }
}

TEST(Table, KeepsTheTopAndCountsTheRest) {
  Table table = sample();
  keep_top(table, 0);
  EXPECT_EQ(table.rows.size(), 3U);
  keep_top(table, 2);
  EXPECT_EQ(names(table), "ba");
  EXPECT_EQ(table.left_out, 1U);
}

TEST(CellText, HasThePlacesOfPyTorchsTables) {
  EXPECT_EQ(cell_text(std::int64_t{12'345}, Quantity::time_ns), "12.345us");
  EXPECT_EQ(cell_text(std::int64_t{1'234'567}, Quantity::time_ns), "1.235ms");
  EXPECT_EQ(cell_text(std::int64_t{2'500'000'000}, Quantity::time_ns), "2.500s");
  EXPECT_EQ(cell_text(0.12345, Quantity::ratio), "12.35 %");
  EXPECT_EQ(cell_text(std::int64_t{-2048}, Quantity::bytes), "-2 KiB");
  EXPECT_EQ(cell_text(2.5e10, Quantity::bytes_per_second), "25 GB/s");
  EXPECT_EQ(cell_text(Cell(), Quantity::time_ns), "-");
  EXPECT_EQ(cell_text(std::int64_t{0}, Quantity::time_ns), "0.000us");
}

}  // namespace
}  // namespace tune::table
