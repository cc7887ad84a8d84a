// Plain English in comments and texts: phrases that read like a translation, with what to write
// instead. docs/glossary.md has the words of the field.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

// Folders and files that were rewritten in plain English; add others as they follow.
const std::vector<std::string_view>& plain_places() {
  static const std::vector<std::string_view> places = {".ci",
                                                       "README.md",
                                                       "harness/DECISIONS.md",
                                                       "harness/README.md",
                                                       "harness/advice",
                                                       "harness/base",
                                                       "harness/cli",
                                                       "harness/cmake",
                                                       "harness/dataset",
                                                       "harness/machine",
                                                       "harness/measure",
                                                       "harness/report",
                                                       "harness/result",
                                                       "harness/scenario",
                                                       "harness/setup",
                                                       "harness/trace",
                                                       "harness/trial",
                                                       "harness/worker",
                                                       "docs",
                                                       "reports/schema",
                                                       "rules",
                                                       "scenarios",
                                                       "tests/base",
                                                       "tests/bench",
                                                       "tests/browser",
                                                       "tests/consumers",
                                                       "tests/dataset",
                                                       "tests/fake_script",
                                                       "tests/fake_worker",
                                                       "tests/fuzz",
                                                       "tests/gpu",
                                                       "tests/machine",
                                                       "tests/package",
                                                       "tests/setup",
                                                       "tests/shells",
                                                       "tests/slurm",
                                                       "tests/trial",
                                                       "tests/worker",
                                                       "tune"};
  return places;
}

// Inputs of tests.
bool is_left_out(const std::string& path) {
  static const std::vector<std::string_view> parts = {"tests/fuzz/corpus/",
                                                      "tests/worker/data_golden/"};
  return std::any_of(
      parts.begin(), parts.end(), [&](std::string_view part) { return path.starts_with(part); });
}

struct Phrase {
  std::string_view key;  // plain part of every match, searched first because it is fast
  std::regex words;
  std::string_view instead;
};

const std::vector<Phrase>& banned_phrases() {
  static const std::vector<Phrase> phrases = [] {
    struct Text {
      std::string_view key;
      const char* words;
      std::string_view instead;
    };
    static constexpr Text kTexts[] = {
        {" Of ", R"(^\s*(//[/<]*|#) Of )", "begin with the subject"},
        {" is no ",
         R"((^|\s)(?!\S*[Tt]here )\S+ is no (?!longer|better|worse|more|ink|program))",
         "is not a"},
        {"what is no", R"(\bwhat is no\b)", "what is not a"},
        {"stand",
         R"(\bstands? (in|at|for|as|by|there|alone|behind|above|below|between|before)\b)",
         "is, means"},
        {"beside ", R"(\bbeside (a|an|the|it|its|our|others|something)\b)", "next to, besides"},
        {"anew", R"(\banew\b)", "again"},
        {"want of", R"(\bwant of\b)", "because it ran out"},
        {"for ever", R"(\bfor ever\b)", "forever"},
        {" on", R"(\b(goes|go|went) on\b)", "continues"},
        {" told", R"(\b(is|are|was) told\b)", "is reported, gets"},
        {"shall", R"(\bshall\b)", "must, should"},
        {"nothing of", R"(\bknows? nothing of\b)", "does not know"},
        {"hang", R"(\bhangs? on\b)", "depends on"},
        {"the whole of", R"(\bthe whole of (it|them)\b)", "all of it"},
        {" there", R"(\bis (there already|not there)\b)", "already exists, is missing"},
        {"all the same", R"(\ball the same\b)", "anyway"},
        {"be had", R"(\b(cannot|to) be had\b)", "is not available"},
        {"put right", R"(\bput right\b)", "fix"},
        {"begin ", R"(\b(at|the) begin (of|and)\b)", "start"},
        {"lies ", R"(\blies (in|at|below|behind|on|outside|within|under|there)\b)", "is in"},
        {"by turns", R"(\bby turns\b)", "alternating, in turn"},
    };
    std::vector<Phrase> all;
    all.reserve(std::size(kTexts));
    for (const Text& text : kTexts)
      all.push_back({text.key, std::regex(text.words, std::regex::optimize), text.instead});
    return all;
  }();
  return phrases;
}

void check_line(const std::string& where, const std::string& line) {
  for (const Phrase& phrase : banned_phrases())
    if (line.find(phrase.key) != std::string::npos && std::regex_search(line, phrase.words))
      ADD_FAILURE() << where << "write '" << phrase.instead << "' instead: " << line;
}

void check_file(const fs::path& file) {
  const std::string path = fs::relative(file, SOURCE_DIR).string();
  if (is_left_out(path) || path.find("__pycache__") != std::string::npos)
    return;
  std::ifstream in(file);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);)
    check_line(path + ":" + std::to_string(++number) + ": ", line);
}

TEST(English, FindsABannedPhrase) {
  const auto is_banned = [](const std::string& line) {
    return std::any_of(banned_phrases().begin(), banned_phrases().end(), [&](const Phrase& phrase) {
      return std::regex_search(line, phrase.words);
    });
  };
  EXPECT_TRUE(is_banned("/// Of a name: its value."));
  EXPECT_TRUE(is_banned("\"`=` is no operator\""));
  EXPECT_TRUE(is_banned("what stands for a name"));
  EXPECT_FALSE(is_banned("\"there is no GPU\""));
  EXPECT_FALSE(is_banned("the kernel is no longer running"));
}

TEST(English, CommentsAndTextsArePlain) {
  const fs::path root(SOURCE_DIR);
  for (const std::string_view place : plain_places()) {
    ASSERT_TRUE(fs::exists(root / place)) << place << ": has another name";
    if (fs::is_regular_file(root / place)) {
      check_file(root / place);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(root / place))
      if (entry.is_regular_file() && entry.path().extension() != ".jpg")
        check_file(entry.path());
  }
}

}  // namespace
