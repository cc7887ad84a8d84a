// One run, four outputs: a number that stands in two of them is the same, or it is absent.

#include "report/number_text.h"
#include "report/result_json.h"
#include "report/result_of.h"
#include "report/run_pages.h"
#include "report/run_words.h"
#include "report/short_answer.h"
#include "result/result.h"
#include "sample_result.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace tune::report {
namespace {

std::string without(const std::string& text, const char* pattern, const char* with = "") {
  return std::regex_replace(text, std::regex(pattern), with);
}

// Without markup; minus signs, brackets and spaces as the terminal has them.
std::string plain(const std::string& page) {
  return without(without(without(page, "\\\\"), "<[^<>]*>", " "), "\\s+", " ");
}

// "+66.6 %" and "[+54.9, +94.7] %".
std::set<std::string> gains_in(const std::string& text) {
  static const std::regex kGain("\\[[+-][0-9.,]+, [+-][0-9.]+\\] %|[+-][0-9][0-9.,]* %");
  std::set<std::string> gains;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), kGain);
       found != std::sregex_iterator();
       ++found) {
    gains.insert(found->str());
  }
  return gains;
}

// "166.6" of "166.6 samples/s".
std::set<std::string> rates_in(const std::string& text) {
  static const std::regex kRate("([0-9][0-9.,]*) samples/s");
  std::set<std::string> rates;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), kRate);
       found != std::sregex_iterator();
       ++found) {
    rates.insert((*found)[1].str());
  }
  return rates;
}

struct Outputs {
  std::string name;
  result::Result result;
  std::string text, markdown, html;
};

Outputs outputs_of(std::string name, const result::Result& result) {
  const Run run{result};
  return {std::move(name),
          result,
          plain(to_text(run, {.width = 200, .is_verbose = true})),
          plain(to_markdown(run)),
          plain(to_html(run))};
}

std::string file_text(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<Outputs> all_runs() {
  std::vector<Outputs> runs;
  runs.push_back(outputs_of("sample", result_of(sample_result())));
  runs.push_back(outputs_of("unconfirmed", result_of(unconfirmed_result())));
  runs.push_back(outputs_of("with recommendations", stored(run_document())));
  for (const char* name : {"run-1", "run-2", "run-3", "run-4"}) {
    const std::filesystem::path file =
        std::filesystem::path(STORED_RESULTS) / (std::string(name) + ".json");
    runs.push_back(outputs_of(name, result::read_result(file_text(file), file.string())));
  }
  return runs;
}

TEST(SameNumbers, GainsOfTerminalAndMarkdownAreInThePageToo) {
  for (const Outputs& run : all_runs()) {
    const std::set<std::string> page = gains_in(run.html);
    for (const std::string* other : {&run.text, &run.markdown}) {
      for (const std::string& gain : gains_in(*other)) {
        EXPECT_TRUE(page.contains(gain)) << run.name << ": " << gain;
      }
    }
  }
}

TEST(SameNumbers, RatesAreFound) {
  EXPECT_EQ(rates_in("57.0 against 34.2 samples/s"), std::set<std::string>{"34.2"});
}

TEST(SameNumbers, RatesOfTerminalAndMarkdownAreInThePageToo) {
  for (const Outputs& run : all_runs()) {
    for (const std::string* other : {&run.text, &run.markdown}) {
      for (const std::string& rate : rates_in(*other)) {
        EXPECT_NE(run.html.find(rate), std::string::npos) << run.name << ": " << rate;
      }
    }
  }
}

TEST(SameNumbers, TheAnswerIsTheSameInEveryOutput) {
  for (const Outputs& run : all_runs()) {
    const std::string epoch = epoch_words(run.result), proof = proof_words(run.result);
    for (const std::string* output : {&run.text, &run.markdown, &run.html}) {
      EXPECT_NE(output->find(short_answer(run.result)), std::string::npos) << run.name;
      EXPECT_NE(output->find(trust_in(run.result).grade + ": "), std::string::npos) << run.name;
      EXPECT_TRUE(epoch.empty() || output->find(epoch) != std::string::npos) << run.name;
    }
    if (is_proven(run.result)) {
      EXPECT_NE(run.html.find(gain_text(*run.result.summary.best.gain.value)), std::string::npos);
      EXPECT_NE(run.result.summary.headline.find(
                    number_text(*run.result.summary.best.side.throughput.value)),
                std::string::npos)
          << run.name << ": " << proof;
    }
  }
}

// What the search saw of it is not in the outputs that have no folded part for it.
TEST(SameNumbers, ACellThatRanInPairsHasNoGainOfTheSearchInItsRow) {
  for (const Outputs& run : all_runs()) {
    for (const result::Confirmation& pairs : run.result.confirmations) {
      const result::Cell* const cell = run.result.find_cell(pairs.cell);
      if (cell == nullptr || !cell->gain.value || !pairs.gain.value || pairs.pairs == 0) {
        continue;
      }
      const std::string of_search = gain_text(*cell->gain.value);
      const std::string of_pairs = gain_text(*pairs.gain.value);
      EXPECT_NE(run.text.find(of_pairs), std::string::npos) << run.name << ": " << pairs.cell;
      if (of_search != of_pairs) {
        const std::string row = " " + of_search + " [";
        EXPECT_EQ(run.text.find(row), std::string::npos) << run.name << ": " << row;
      }
    }
  }
}

}  // namespace
}  // namespace tune::report
