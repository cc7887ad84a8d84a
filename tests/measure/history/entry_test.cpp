#include "measure/history/entry.h"

#include "sample_entry.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>

namespace tune::history {

namespace {

using dataset::complaint_of;

std::string complaint(const std::string& text) {
  return complaint_of([&] { read_export(text, "h.jsonl"); });
}

TEST(Export, SurvivesTheWayThroughTheFile) {
  Entry first = sample_entry(1), second = sample_entry(2);
  first.predictions = {sample_prediction("input-bound")};
  first.headline = "two\nlines \"quoted\"";
  second.measures[0].lower.reset();
  const std::string text = to_export({first, second});
  EXPECT_TRUE(text.starts_with("{\"schema\":\"tune-history/1\"}\n"));
  const std::vector<Entry> read = read_export(text, "h.jsonl");
  EXPECT_EQ(to_export(read), text);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].headline, first.headline);
  EXPECT_EQ(read[0].predictions.at(0).run, "/runs/1");
  EXPECT_FALSE(read[1].measures[0].lower);
}

TEST(Export, OfNothingHasItsFirstLine) {
  const std::string text = to_export({});
  EXPECT_TRUE(read_export(text, "h.jsonl").empty());
  EXPECT_EQ(complaint(""), "h.jsonl: is empty (an export of the history has a first line)");
}

TEST(Export, RefusesWhatItCannotTrustByItsLine) {
  const std::string text = to_export({sample_entry(1)});
  EXPECT_EQ(complaint("{\"schema\": \"tune-history/9\"}\n"),
            "h.jsonl:1: is of schema 'tune-history/9' (this version of tune reads tune-history/1)");
  EXPECT_TRUE(complaint(text + "{\"key\":").starts_with("h.jsonl:3: is not valid JSON"));
  EXPECT_EQ(complaint(text + "{}"), "h.jsonl:3: key is missing");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return complaint(changed);
  };
  EXPECT_EQ(with("\"kind\":\"run\"", "\"kind\":\"walk\""),
            "h.jsonl:2: kind is 'walk', which means nothing here");
  EXPECT_EQ(with("\"elapsed\":12.5", "\"elapsed\":-1"), "h.jsonl:2: elapsed is out of range");
  EXPECT_EQ(with("\"value\":100.0", "\"value\":\"much\""),
            "h.jsonl:2: measures[0].value is not a number");
  EXPECT_EQ(with("\"scenario\":\"mlp\"", "\"scenario\":\"\""),
            "h.jsonl:2: lacks key, scenario or start");
}

}  // namespace

}  // namespace tune::history
