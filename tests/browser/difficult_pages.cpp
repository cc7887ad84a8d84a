// difficult-pages FOLDER: report.html of every run and gate that is hard to render, for a browser.

#include "difficult_results.h"
#include "report/gate_failed_build.h"
#include "report/gate_pages.h"
#include "report/result_json.h"
#include "report/run_pages.h"
#include "sample_advice.h"
#include "sample_gate.h"
#include "sample_result.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Pages = std::vector<std::pair<std::string, std::string>>;

std::string page_of(const tune::gate::GateResult& result) {
  return tune::report::to_gate_html(tune::report::to_gate_record(result));
}

tune::gate::GateResult crashed_gate() {
  tune::gate::GateResult result = tune::report::sample_gate(tune::stats::GateVerdict::regressed);
  result.end = tune::gate::End::candidate_failed;
  result.end_reason = result.why = "the candidate failed (p01-candidate), crashed: SIGSEGV";
  result.rows.clear();
  result.counted.clear();
  result.pairs.clear();
  result.look_records.clear();
  return result;
}

tune::gate::GateResult gate_with_long_labels() {
  tune::gate::GateResult result = tune::report::measured_gate();
  const std::string label(10'000, 'x');
  result.run.scenario.name = result.run.scenario.description = label;
  result.baseline.words = result.candidate.words = result.candidate.commit = label;
  result.rows.front().metric = result.rows.front().why = result.why = label;
  result.candidate.files.emplace_back(label, label);
  result.run.warnings.assign(6, label);
  return result;
}

tune::gate::GateResult gate_with_many_pairs() {
  tune::gate::GateResult result = tune::report::measured_gate();
  const std::vector<tune::gate::Pair> pairs = result.pairs;
  for (int i = 0; i < 40; ++i) {
    result.pairs.insert(result.pairs.end(), pairs.begin(), pairs.end());
  }
  return result;
}

tune::report::FailedBuild failed_build() {
  tune::report::FailedBuild build;
  build.scenario = {.name = "training", .file = "perf/training.yaml", .text = "tune: 1\n"};
  build.side = "candidate";
  build.verdict = "the candidate, HEAD at 0123456789ab: cannot be built (make: exit code 2)";
  build.output = "compiling\nmodel.cpp:7: error: " + std::string(2'000, 'e') + "\n";
  build.command = {"tune", "gate", "perf/training.yaml"};
  return build;
}

Pages gate_pages() {
  return {{"gate", page_of(tune::report::measured_gate())},
          {"gate without values of its pairs",
           page_of(tune::report::sample_gate(tune::stats::GateVerdict::inconclusive))},
          {"gate whose candidate crashed", page_of(crashed_gate())},
          {"gate with long labels", page_of(gate_with_long_labels())},
          {"gate with 410 pairs", page_of(gate_with_many_pairs())},
          {"gate whose build failed", tune::report::to_html(failed_build())}};
}

// Made only from its result.json.
std::string page_of_file(const tune::campaign::CampaignResult& run) {
  const std::string json = tune::report::to_result_json(run);
  const tune::result::Result result = tune::result::read_result(json, "result.json");
  return tune::report::to_html(tune::report::Run{.result = result, .json = json});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: difficult-pages FOLDER\n";
    return 2;
  }
  try {
    Pages pages = gate_pages();
    auto all = tune::report::difficult_results();
    all.emplace_back("500 cells", tune::report::result_with_cells(500));
    for (const auto& [name, result] : all) {
      pages.emplace_back(name, tune::report::to_html(result));
    }
    pages.emplace_back("as small as may be",
                       tune::report::to_html(tune::report::diagnosed_result(),
                                             tune::report::kLeastPageLimitBytes));
    pages.emplace_back("result alone", page_of_file(tune::report::diagnosed_result()));
    pages.emplace_back("hostile result alone", page_of_file(tune::report::hostile_result()));
    for (const auto& [name, html] : pages) {
      std::string file = name;
      std::replace_if(
          file.begin(), file.end(), [](char c) { return c == ' ' || c == ','; }, '-');
      std::ofstream page(std::filesystem::path(argv[1]) / (file + ".html"), std::ios::binary);
      page << html;
      if (!page.flush()) {
        std::cerr << file << ": cannot be written\n";
        return 1;
      }
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
