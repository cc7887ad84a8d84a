#include "live_section.h"
#include "report/ranked_table.h"
#include "report/run_pages.h"
#include "report/script_words.h"
#include "sample_advice.h"
#include "sample_result.h"
#include "schema_complaint.h"
#include "xml_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tune::report {
namespace {

using campaign::CampaignResult;

trial::Script script() {
  return {.command = {"python", "train.py", "--epochs", "3"},
          .folder = "/home/ann/cats",
          .flags = {{"batch_size", "--batch {}"}},
          .observed = {{"num_workers", std::int64_t{0}}, {"batch_size", std::int64_t{32}}}};
}

// As if its settings had been tried on a script in which channels_last finds nothing to change, and
// which sets its own number of workers in a trial of the rest.
CampaignResult of_script(CampaignResult result) {
  result.scenario.workload.script = script();
  for (campaign::TrialRecord& trial : result.trials) {
    trial.spec.workload.script = script();
    if (!trial.outcome.reply) {
      continue;
    }
    trial::TrialReply& reply = *trial.outcome.reply;
    reply.ignored_knobs.clear();
    trial::SeenScript& seen = reply.script.emplace();
    seen.python = "3.11.2";
    seen.places = {{"loader", "/home/ann/cats/train.py", "main", 14},
                   {"optimizer", "/home/ann/cats/train.py", "main", 16},
                   {"forward", "/opt/models/net.py", "step", 21}};
    seen.evaluation_ns = 1'500'000'000;
    seen.notes = {"a note of the agent"};
    for (const auto& [knob, value] : trial::changed_settings(script(), trial.spec.knobs)) {
      if (knob == "channels_last") {
        reply.ignored_knobs.push_back({knob, "no parameter has four dimensions"});
      } else if (knob == "num_workers") {
        seen.applied.emplace(knob, value);
        seen.resisted.push_back({knob, "0", "/home/ann/cats/train.py:30"});
      } else {
        seen.observed.emplace(knob, value);
        seen.applied.emplace(knob, value);
      }
    }
  }
  return result;
}

std::vector<std::vector<std::string>> rows_about(const Section& section, const std::string& knob) {
  std::vector<std::vector<std::string>> found;
  for (const Table& table : blocks_of<Table>(section)) {
    std::copy_if(
        table.rows.begin(), table.rows.end(), std::back_inserter(found), [&](const auto& row) {
          return row.front() == knob;
        });
  }
  return found;
}

TEST(RunScript, HasNoBlockInARunWithoutAScript) {
  const CampaignResult result = sample_result();
  EXPECT_TRUE(live(run_script_section, result).blocks.empty());
  EXPECT_FALSE(result_of(result).script);
  EXPECT_TRUE(script_lines(result_of(result)).empty());
}

TEST(RunScript, SaysWhatBecameOfEachKnobAndWhereItBelongs) {
  const Section section = live(run_script_section, of_script(sample_result()));
  const auto ignored = rows_about(section, "channels_last");
  ASSERT_EQ(ignored.size(), 1U);
  EXPECT_EQ(ignored[0][2], "ignored");
  EXPECT_EQ(ignored[0][3], "no parameter has four dimensions");
  EXPECT_EQ(ignored[0][4], "the forward call of /opt/models/net.py:21");
  const auto resisted = rows_about(section, "num_workers");
  ASSERT_EQ(resisted.size(), 1U);
  EXPECT_EQ(resisted[0][2], "resisted");
  EXPECT_EQ(resisted[0][3], "the script sets it to 0 at train.py:30, which was kept from it");
  EXPECT_EQ(resisted[0][4], "the DataLoader of train.py:14");
  const auto option = rows_about(section, "batch_size");
  ASSERT_EQ(option.size(), 2U) << "64 and 256";
  EXPECT_EQ(option[0][2], "by the script's option");
}

TEST(RunScript, AnOptionThatDoesNotReachItsKnobIsIgnored) {
  CampaignResult result = of_script(sample_result());
  for (campaign::TrialRecord& trial : result.trials) {
    if (trial.outcome.reply) {
      trial.outcome.reply->script->observed["batch_size"] = std::int64_t{32};
    }
  }
  const auto rows = rows_about(live(run_script_section, result), "batch_size");
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0][2], "ignored");
  EXPECT_EQ(rows[0][3], "with --batch {} it is still 32");
}

TEST(RunScript, IsTheSameFromTheResultAloneAndSoundEverywhere) {
  const CampaignResult result = of_script(sample_result());
  const std::string json = result::to_json(result_of(result));
  EXPECT_EQ(complaint(nlohmann::json::parse(json)), "");
  const result::Result read = result::read_result(json, "result.json");
  const Section alone = run_script_section({read}), whole = live(run_script_section, result);
  EXPECT_EQ(to_markdown(alone.blocks), to_markdown(whole.blocks));
  EXPECT_EQ(to_markup(alone).finished(), to_markup(whole).finished());
  EXPECT_EQ(read_xml("<div>" + to_markup(alone).finished() + "</div>").problem, "");
  EXPECT_EQ(script_lines(read), script_lines(result_of(result)));
  EXPECT_EQ(
      script_lines(read).front(),
      "script: python train.py --epochs 3 (loader train.py:14, optimizer train.py:16, forward "
      "/opt/models/net.py:21)");
  EXPECT_NE(to_markdown(report::Run{read}).find("<summary>Your script</summary>"),
            std::string::npos);
}

TEST(RunScript, ACellThatTestedNothingSaysSoInItsNote) {
  const CampaignResult result = of_script(sample_result());
  const result::Result stored = result_of(result);
  const Table table = ranked_table({stored, &result});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& changed = stored.cells[i].changed;
    const auto has = [&](const char* knob) {
      return std::any_of(
          changed.begin(), changed.end(), [&](const auto& each) { return each.first == knob; });
    };
    const std::string& note = table.rows[i].back();
    if (stored.cells[i].outcome == "completed" && has("channels_last")) {
      EXPECT_TRUE(note.starts_with(changed.size() == 1 ? "ignored: no parameter has four dimensions"
                                                       : "channels_last ignored"))
          << note;
    } else {
      EXPECT_EQ(note.find("ignored"), std::string::npos) << note;
    }
    EXPECT_EQ(table.rows[i][2].ends_with(" (ignored)"), note.starts_with(kIgnored));
  }
}

TEST(RunScript, ARecommendationNamesTheLine) {
  const CampaignResult result = of_script(diagnosed_result());
  const result::Result stored = result_of(result);
  ASSERT_FALSE(stored.recommendations.empty());
  const std::string page = to_markdown(report::Run{stored, &result}),
                    text = to_text({stored, &result}, {});
  EXPECT_NE(page.find("at the DataLoader of train.py:14"), std::string::npos) << page;
  EXPECT_NE(text.find("at the DataLoader of train.py:14"), std::string::npos) << text;
}

result::Recommendation changes(const std::string& knob, trial::KnobValue value) {
  result::Recommendation recommendation;
  recommendation.change.knobs = {{.name = knob, .to = std::move(value)}};
  return recommendation;
}

TEST(RunScript, ARecommendationSaysWhatItDoesToTheLosses) {
  result::Result result = result_of(of_script(sample_result()));
  result.cells.push_back({.id = "c90", .changed = {{"amp", std::string("fp16")}}});
  const result::Recommendation amp = changes("amp", std::string("fp16"));
  EXPECT_EQ(losses_words(result, amp), "not compared: amp may change the numbers");
  result.confirmations.push_back({.cell = "c90", .pairs = 6, .losses = "within 2 % of it"});
  EXPECT_EQ(losses_words(result, amp), "within 2 % of it");
  EXPECT_EQ(losses_words(result, changes("pin_memory", true)), "");
  EXPECT_TRUE(losses_words(result, changes("batch_size", std::int64_t{512}))
                  .ends_with("learning rate and schedule were chosen for 32"));
  result.script.reset();
  EXPECT_EQ(losses_words(result, amp), "") << "tune's own training is the same each time";
}

TEST(RunScript, TheLabelOfTheLossesStandsInEveryCard) {
  const CampaignResult result = of_script(diagnosed_result());
  result::Result stored = result_of(result);
  ASSERT_FALSE(stored.recommendations.empty());
  stored.recommendations[0].change.knobs = {{.name = "amp", .to = std::string("fp16")}};
  const std::string label = "not compared: amp may change the numbers";
  for (const std::string& text : {to_text({stored, &result}, {}),
                                  to_markdown(report::Run{stored, &result}),
                                  to_html(report::Run{stored, &result})}) {
    EXPECT_NE(text.find(label), std::string::npos) << text;
  }
}

TEST(RunScript, TheTerminalSaysInWhichFormThePairsRanAndWhatBecameOfTheLosses) {
  result::Result stored = result_of(of_script(sample_result()));
  const std::string best = stored.summary.best.side.cell;
  const auto row = std::find_if(stored.confirmations.begin(),
                                stored.confirmations.end(),
                                [&](const auto& each) { return each.cell == best; });
  ASSERT_NE(row, stored.confirmations.end());
  row->losses = "equal to the baseline's to the last digit in 6 pairs";
  EXPECT_EQ(to_text({stored}, {}).find("pairs:   "), std::string::npos) << "of an older result";
  row->form = {.applied = true, .options = {"--batch", "64"}, .files = {"train.py"}};
  std::string text = to_text({stored}, {.width = 200});
  EXPECT_NE(text.find("pairs:   ran in the form that is applied (--batch 64, changed train.py), "
                      "nothing injected\nlosses:  equal to the baseline's to the last digit in 6 "
                      "pairs\n"),
            std::string::npos)
      << text;
  row->form = {.why = "amp is left to be made by hand"};
  text = to_text({stored}, {.width = 200});
  EXPECT_NE(text.find("pairs:   ran by injection: amp is left to be made by hand\n"),
            std::string::npos)
      << text;
  stored.script.reset();
  EXPECT_EQ(to_text({stored}, {}).find("losses:  "), std::string::npos);
}

TEST(RunScript, OfAHostileScriptIsSound) {
  CampaignResult result = of_script(hostile_result());
  const std::string hostile = "<script>`|\x1b[31m\xff" + std::string(5'000, 'x');
  result.scenario.workload.script.command = {hostile};
  for (campaign::TrialRecord& trial : result.trials) {
    if (trial.outcome.reply) {
      trial::SeenScript& seen = *trial.outcome.reply->script;
      seen.notes = {hostile};
      seen.places = {{"loader", hostile, hostile, 1}};
      trial.outcome.reply->ignored_knobs = {{"amp", hostile}};
    }
  }
  const std::string json = result::to_json(result_of(result));
  EXPECT_EQ(complaint(nlohmann::json::parse(json)), "");
  const Section section = run_script_section({result::read_result(json, "result.json")});
  EXPECT_EQ(read_xml("<div>" + to_markup(section).finished() + "</div>").problem, "");
  EXPECT_EQ(to_markdown(section.blocks).find("<script>"), std::string::npos);
  EXPECT_EQ(to_markdown(section.blocks).find('\x1b'), std::string::npos);
}

TEST(RunScript, OfADamagedResultIsEmptyOrSound) {
  const std::string json = result::to_json(result_of(of_script(sample_result())));
  for (const char* const damaged : {"null", "7", "{}", R"({"knobs": [7, {}], "places": "x"})"}) {
    nlohmann::json changed = nlohmann::json::parse(json);
    changed["script"] = nlohmann::json::parse(damaged);
    const result::Result read = result::read_result(changed.dump(), "result.json");
    EXPECT_NO_THROW((void)to_html(report::Run{read}));
    EXPECT_NO_THROW((void)to_text({read}, {}));
  }
}

}  // namespace
}  // namespace tune::report
