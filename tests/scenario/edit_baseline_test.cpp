#include "base/error.h"
#include "scenario/edit_scenario.h"
#include "scenario/scenario.h"
#include "scenario/set_in_section.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tune::scenario {

namespace {

using trial::KnobSettings;
using trial::KnobValue;

const std::string kHead =
    "tune: 1\nname: sample\nworkload: {model: resnet18}\ndata: {source: synthetic}\n";
const std::string kTail = "grid:\n  batch_size: [16, 32]\n";

// A scenario with this in place of its baseline.
std::string with(const std::string& baseline) {
  return kHead + baseline + kTail;
}

std::string changed(const std::string& text, const KnobSettings& changes) {
  return with_baseline(text, "sample.yaml", changes);
}

// What becomes of the baseline alone; the rest of the text must come back byte for byte.
std::string edited(const std::string& baseline, const KnobSettings& changes) {
  const std::string text = changed(with(baseline), changes);
  EXPECT_TRUE(text.starts_with(kHead) && text.ends_with(kTail)) << text;
  return text.substr(kHead.size(), text.size() - kHead.size() - kTail.size());
}

std::string complaint(const std::string& text, const KnobSettings& changes) {
  try {
    changed(text, changes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

KnobSettings batch(std::int64_t size) {
  return {{"batch_size", size}};
}

const KnobSettings kTwoWorkers = {{"num_workers", std::int64_t{2}}};
const KnobSettings kBf16 = {{"amp", KnobValue(std::string("bf16"))}};

std::string in_crlf(const std::string& text) {
  std::string converted;
  for (const char letter : text) {
    converted += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
  }
  return converted;
}

}  // namespace

TEST(EditBaseline, ReplacesAValueInItsPlace) {
  EXPECT_EQ(edited("baseline: {batch_size: 32, amp: none}\n", batch(64)),
            "baseline: {batch_size: 64, amp: none}\n");
  EXPECT_EQ(edited("baseline: {amp: none, batch_size: 8}\n", batch(128)),
            "baseline: {amp: none, batch_size: 128}\n");
  EXPECT_EQ(edited("baseline: { batch_size : 32 }   # today\n", batch(64)),
            "baseline: { batch_size : 64 }   # today\n");
  EXPECT_EQ(edited("baseline:\n  batch_size: 32   # fits\t16 GiB\n  amp: none\n", batch(64)),
            "baseline:\n  batch_size: 64   # fits\t16 GiB\n  amp: none\n");
  EXPECT_EQ(edited("baseline:\n  batch_size:\n    32\n", batch(64)),
            "baseline:\n  batch_size:\n    64\n");
  EXPECT_EQ(edited("baseline: {channels_last: false}\n", {{"channels_last", true}}),
            "baseline: {channels_last: true}\n");
}

TEST(EditBaseline, KeepsTheQuotesOfAText) {
  EXPECT_EQ(edited("baseline: {amp: \"none\"}\n", kBf16), "baseline: {amp: \"bf16\"}\n");
  EXPECT_EQ(edited("baseline: {amp: 'none'}\n", kBf16), "baseline: {amp: 'bf16'}\n");
  EXPECT_EQ(edited("baseline: {'amp': none, \"batch_size\": 2}\n", kBf16),
            "baseline: {'amp': bf16, \"batch_size\": 2}\n");
}

TEST(EditBaseline, QuotesATextThatWouldBeSomethingElse) {
  const auto affinity = [](const char* cpus) {
    return KnobSettings{{"cpu_affinity", KnobValue(std::string(cpus))}};
  };
  EXPECT_EQ(edited("baseline: {batch_size: 2}\n", affinity("0-1,4")),
            "baseline: {batch_size: 2, cpu_affinity: \"0-1,4\"}\n");
  EXPECT_EQ(edited("baseline:\n  batch_size: 2\n", affinity("3")),
            "baseline:\n  batch_size: 2\n  cpu_affinity: \"3\"\n");
  EXPECT_EQ(edited("baseline: {cpu_affinity: '0'}\n", affinity("")),
            "baseline: {cpu_affinity: ''}\n");
  EXPECT_EQ(
      edited("baseline: {batch_size: 2}\n", {{"decode", KnobValue(std::string("roi-scaled"))}}),
      "baseline: {batch_size: 2, decode: roi-scaled}\n");
}

TEST(EditBaseline, AddsAKeyBehindTheLastOne) {
  EXPECT_EQ(edited("baseline: {batch_size: 32}   # today\n", kTwoWorkers),
            "baseline: {batch_size: 32, num_workers: 2}   # today\n");
  EXPECT_EQ(edited("baseline: {batch_size: 32 }\n", kTwoWorkers),
            "baseline: {batch_size: 32, num_workers: 2 }\n");
  EXPECT_EQ(edited("baseline: {batch_size: 32,}\n", kTwoWorkers),
            "baseline: {batch_size: 32, num_workers: 2,}\n");
  EXPECT_EQ(edited("baseline: {}\n", kTwoWorkers), "baseline: {num_workers: 2}\n");
  EXPECT_EQ(edited("baseline: { }\n", kTwoWorkers), "baseline: {num_workers: 2 }\n");
  EXPECT_EQ(edited("baseline: {amp: 'none', batch_size: 2}\n", kTwoWorkers),
            "baseline: {amp: 'none', batch_size: 2, num_workers: 2}\n");
  EXPECT_EQ(edited("baseline: {\"batch_size\": 2}\n", kBf16),
            "baseline: {\"batch_size\": 2, \"amp\": \"bf16\"}\n");
}

TEST(EditBaseline, AddsALineInABlock) {
  EXPECT_EQ(edited("baseline:\n  batch_size: 32   # fits\n  # amp: bf16 one day\n\n", kTwoWorkers),
            "baseline:\n  batch_size: 32   # fits\n  num_workers: 2\n  # amp: bf16 one day\n\n");
  EXPECT_EQ(edited("baseline:\n      amp: none\n", batch(4)),
            "baseline:\n      amp: none\n      batch_size: 4\n");
  EXPECT_EQ(edited("baseline:   # today\n  \"amp\": \"none\"\n", batch(4)),
            "baseline:   # today\n  \"amp\": \"none\"\n  \"batch_size\": 4\n");
}

TEST(EditBaseline, AddsALineWhereBracketsHaveOneSettingALine) {
  EXPECT_EQ(edited("baseline: {\n  batch_size: 32,  # fits }\n  amp: none     # and 'this\n}\n",
                   kTwoWorkers),
            "baseline: {\n  batch_size: 32,  # fits }\n  amp: none,     # and 'this\n"
            "  num_workers: 2\n}\n");
  EXPECT_EQ(edited("baseline: {\n  amp: none,\n}\n", kTwoWorkers),
            "baseline: {\n  amp: none,\n  num_workers: 2,\n}\n");
  EXPECT_EQ(edited("baseline: {\n  batch_size: 32,\n  amp: none}\n", kTwoWorkers),
            "baseline: {\n  batch_size: 32,\n  amp: none,\n  num_workers: 2}\n");
  EXPECT_EQ(edited("baseline: {batch_size: 32,\n           amp: none}\n", kTwoWorkers),
            "baseline: {batch_size: 32,\n           amp: none,\n           num_workers: 2}\n");
}

TEST(EditBaseline, MakesASectionThatIsMissing) {
  EXPECT_EQ(edited("", kTwoWorkers), "baseline: {num_workers: 2}\n");
  EXPECT_EQ(changed(kHead + "\n# what to try\n# and why\n" + kTail, kTwoWorkers),
            kHead + "\nbaseline: {num_workers: 2}\n# what to try\n# and why\n" + kTail);
  const KnobSettings two = {{"amp", KnobValue(std::string("bf16"))},
                            {"batch_size", std::int64_t{4}}};
  EXPECT_EQ(edited("", two), "baseline: {amp: bf16, batch_size: 4}\n");
}

TEST(EditBaseline, FillsASectionThatIsNull) {
  EXPECT_EQ(edited("baseline:\n", kTwoWorkers), "baseline: {num_workers: 2}\n");
  EXPECT_EQ(edited("baseline:   # nothing yet\n", kTwoWorkers),
            "baseline: {num_workers: 2}   # nothing yet\n");
  EXPECT_EQ(edited("baseline: ~\n", kTwoWorkers), "baseline: {num_workers: 2}\n");
  EXPECT_EQ(edited("'baseline': null # x\n", kTwoWorkers), "'baseline': {num_workers: 2} # x\n");
}

TEST(EditBaseline, FillsAValueThatIsNull) {
  EXPECT_EQ(edited("baseline:\n  batch_size:   # to be chosen\n  amp: none\n", batch(4)),
            "baseline:\n  batch_size: 4   # to be chosen\n  amp: none\n");
  EXPECT_EQ(edited("baseline: {batch_size: , amp: none}\n", batch(4)),
            "baseline: {batch_size: 4 , amp: none}\n");
  EXPECT_EQ(edited("baseline: {batch_size: null}\n", batch(4)), "baseline: {batch_size: 4}\n");
}

TEST(EditBaseline, KeepsLineEndsAndByteOrderMark) {
  const std::string text = in_crlf(with("baseline:\n  amp: none   # \xc3\xa9\n"));
  EXPECT_EQ(changed(text, batch(4)),
            in_crlf(with("baseline:\n  amp: none   # \xc3\xa9\n  batch_size: 4\n")));
  EXPECT_EQ(changed(in_crlf(with("")), batch(4)), in_crlf(with("baseline: {batch_size: 4}\n")));
  EXPECT_EQ(changed(in_crlf(with("baseline: {\n  amp: none\n}\n")), batch(4)),
            in_crlf(with("baseline: {\n  amp: none,\n  batch_size: 4\n}\n")));
  EXPECT_EQ(changed("\xef\xbb\xbf" + with("baseline: {batch_size: 2}\n"), batch(4)),
            "\xef\xbb\xbf" + with("baseline: {batch_size: 4}\n"));
}

TEST(EditBaseline, CountsBytesWhereTextIsNotAscii) {
  const std::string head =
      "description: \"Gr\xc3\xb6\xc3\x9f"
      "e \xe2\x86\x92 \xf0\x9f\x9a\x80\" # \xe6\x96\x87\n";
  EXPECT_EQ(changed(head + with("baseline: {amp: none, batch_size: 2} # \xe2\x86\x92\n"), batch(4)),
            head + with("baseline: {amp: none, batch_size: 4} # \xe2\x86\x92\n"));
}

TEST(EditBaseline, WorksAtTheEndOfAFileWithoutALineEnd) {
  const std::string head = kHead + kTail;
  EXPECT_EQ(changed(head + "baseline:\n  amp: none", batch(4)),
            head + "baseline:\n  amp: none\n  batch_size: 4");
  EXPECT_EQ(changed(head + "baseline: {amp: none}", batch(4)),
            head + "baseline: {amp: none, batch_size: 4}");
  EXPECT_EQ(changed(head + "baseline:", batch(4)), head + "baseline: {batch_size: 4}");
}

TEST(EditBaseline, WorksInBracketsAllOver) {
  const std::string before =
      "{\"tune\": 1, \"name\": \"sample\", \"workload\": {\"model\": \"resnet18\"},\n"
      " \"data\": {\"source\": \"synthetic\"}, \"grid\": {\"batch_size\": [16, 32]}";
  EXPECT_EQ(changed(before + "}\n", batch(4)), before + ", \"baseline\": {\"batch_size\": 4}}\n");
  EXPECT_EQ(changed(before + ", \"baseline\": {\"amp\": \"none\"}}\n", kBf16),
            before + ", \"baseline\": {\"amp\": \"bf16\"}}\n");
}

TEST(EditBaseline, LeavesAloneWhatIsThereAlready) {
  for (const char* const baseline : {"baseline: {batch_size: 32}\n",
                                     "baseline:\n  batch_size: 0x20\n",
                                     "baseline: {'batch_size': 32}\n"}) {
    EXPECT_EQ(changed(with(baseline), batch(32)), with(baseline)) << baseline;
  }
  const KnobSettings by_default = {{"num_workers", std::int64_t{0}}};
  EXPECT_EQ(changed(with("baseline: {batch_size: 32}\n"), by_default),
            with("baseline: {batch_size: 32}\n"));
  EXPECT_EQ(changed(with(""), by_default), with(""));
}

TEST(EditBaseline, RefusesWhatSaysMoreThanItsPlaceShows) {
  EXPECT_NE(complaint(with("baseline: &today {batch_size: 2}\n"), batch(4))
                .find("sample.yaml:5:11: anchors are not used in scenarios"),
            std::string::npos);
  EXPECT_NE(complaint(with("baseline: {batch_size: &b 2}\n"), batch(4)).find("anchors"),
            std::string::npos);
  EXPECT_NE(complaint(with("baseline: *today\n"), batch(4)), "");
  EXPECT_NE(complaint(with("baseline: {<<: {batch_size: 2}}\n"), batch(4)), "");
  EXPECT_NE(complaint(with("baseline: {batch_size: !!int 2}\n"), batch(4)).find("tags"),
            std::string::npos);
  EXPECT_NE(complaint(with("baseline: {batch_size: 2, batch_size: 3}\n"), batch(4))
                .find("the key 'batch_size' is there twice"),
            std::string::npos);
  EXPECT_NE(complaint(with("baseline: {amp: none}\nbaseline: {amp: bf16}\n"), batch(4))
                .find("is there twice"),
            std::string::npos);
}

TEST(EditBaseline, RefusesAValueThatIsNoWordOnALine) {
  EXPECT_NE(complaint(with("baseline:\n  amp: >-\n    none\n"), kBf16)
                .find("the value is written over several lines"),
            std::string::npos);
  EXPECT_NE(complaint(with("baseline: [batch_size]\n"), batch(4))
                .find("sample.yaml:5:11: the section holds no keys (it is a list)"),
            std::string::npos);
  EXPECT_NE(complaint(with("baseline: {batch_size: [2]}\n"), batch(4)).find("a list"),
            std::string::npos);
}

TEST(EditBaseline, RefusesToLeaveAFileThatIsNoScenario) {
  EXPECT_NE(complaint(with("baseline: {batch_sizes: 2}\n"), kTwoWorkers).find("batch_sizes"),
            std::string::npos);
  EXPECT_NE(complaint("", kTwoWorkers), "");
  EXPECT_NE(complaint(kHead, kTwoWorkers).find("has neither baseline nor grid"), std::string::npos);
}

TEST(SetInSection, QuotesTheWordsThatOthersTakeForAFlag) {
  for (const char* const word : {"yes", "Off", "null", "1e3", "0x1", ".5", "a b", "a: b", "#x"}) {
    const std::string text = set_in_section(
        "a: {b: c}\n", "x.yaml", {.section = "a", .key = "d", .value = std::string(word)});
    EXPECT_EQ(text, "a: {b: c, d: \"" + std::string(word) + "\"}\n");
  }
}

TEST(SetInSection, FindsTheEndOfBracketsBehindQuotesAndComments) {
  const auto set = [](const std::string& text) {
    return set_in_section(text, "x.yaml", {.section = "a", .key = "d", .value = true});
  };
  EXPECT_EQ(set("a: {b: '}''}', c: \"\\\"}\"}\n"), "a: {b: '}''}', c: \"\\\"}\", d: true}\n");
  EXPECT_EQ(set("a: {b: it's, c: [x, {y: z}]}\n"), "a: {b: it's, c: [x, {y: z}], d: true}\n");
  EXPECT_EQ(set("a: {b: 1 # }\n  , c: 2 # {\n  }\n"), "a: {b: 1 # }\n  , c: 2, d: true # {\n  }\n");
  EXPECT_EQ(set("a: {b: x#y}\n"), "a: {b: x#y, d: true}\n");
}

namespace {

// One of many ways in which a person may have written the same baseline.
class Layout {
 public:
  explicit Layout(std::uint32_t seed) : random_(seed) {}

  std::string baseline() {
    const bool in_brackets = flip();
    const bool a_line_each = !in_brackets || flip();
    const std::string indent(1 + pick(6), ' ');
    std::string text = quoted("baseline") + ":" + (in_brackets ? " {" : "");
    text += a_line_each ? end() : "";
    const std::size_t first = text.size();
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"batch_size", "32"}, {"amp", "none"}}) {
      const bool is_last = key == "amp";
      const std::string comma = in_brackets && (!is_last || flip()) ? "," : "";
      text += a_line_each ? indent : text.size() == first ? "" : " ";
      text += quoted(key) + ":" + std::string(1 + pick(3), ' ') + (is_last ? quoted(value) : value);
      text += comma + (a_line_each ? end() : "");
    }
    return text + (in_brackets ? "}" + end() : "");
  }

  std::size_t pick(std::size_t count) { return random_() % count; }
  bool flip() { return pick(2) == 1; }

 private:
  std::string quoted(const std::string& word) {
    static const std::vector<std::string> quotes = {"", "", "'", "\""};
    const std::string& quote = quotes[pick(quotes.size())];
    return quote + word + quote;
  }
  // Of a line, with what may stand there.
  std::string end() {
    static const std::vector<std::string> ends = {
        "\n", "\n", "  # {x: 'y\n", " \t# \"\xc3\xa4}\n", "  \n", "\n\n", "\n   # amp: fp16,\n"};
    return ends[pick(ends.size())];
  }

  std::mt19937 random_;
};

}  // namespace

TEST(EditBaseline, HoldsForAnyLayout) {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    Layout layout(seed);
    std::string text = with(layout.baseline());
    text = layout.flip() ? in_crlf(text) : text;
    KnobSettings changes;
    if (layout.flip()) {
      changes.emplace("batch_size", std::int64_t{64});
    }
    if (layout.flip()) {
      changes.emplace("amp", std::string("bf16"));
    }
    if (layout.flip()) {
      changes.emplace("num_workers", std::int64_t{2});
    }
    const std::string after = changed(text, changes);  // which compares
    EXPECT_EQ(after == text, changes.empty()) << text;
    const Scenario read = read_scenario(after, "sample.yaml");
    EXPECT_EQ(read.baseline.at("batch_size"),
              KnobValue(std::int64_t{changes.contains("batch_size") ? 64 : 32}));
    // Back again: values that were there return to the same bytes.
    if (!changes.contains("num_workers")) {
      const std::string back =
          changed(after, {{"batch_size", std::int64_t{32}}, {"amp", std::string("none")}});
      EXPECT_EQ(back, text);
    }
  }
}

}  // namespace tune::scenario
