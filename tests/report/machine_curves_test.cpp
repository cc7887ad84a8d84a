#include "report/machine_curves.h"

#include "page_check.h"
#include "report/run_pages.h"
#include "sample_result.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace tune::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kSecondNs = 1'000'000'000;

telemetry::SeriesSummary series(const char* id,
                                const char* unit,
                                const std::vector<double>& curve,
                                double mean) {
  telemetry::SeriesSummary summary;
  summary.info.id = id;
  summary.info.unit = unit;
  summary.curve = curve;
  summary.mean = mean;
  return summary;
}

telemetry::SeriesSummary absent(const char* id, const char* reason) {
  telemetry::SeriesSummary summary;
  summary.info.id = id;
  summary.reason = reason;
  return summary;
}

// Four seconds, of which the second and third are measured.
telemetry::TrialTelemetry trial(double worker_cores) {
  telemetry::TrialTelemetry seen;
  seen.start_ns = 5 * kSecondNs;
  seen.window = telemetry::Span{6 * kSecondNs, 8 * kSecondNs};
  seen.cpus = 2;
  seen.times_s = {1, 2, 3, 4};
  seen.series = {series("worker_cores", "CPUs", {0.5, worker_cores, kNone, 1}, worker_cores),
                 series("cpu_busy_ratio", "ratio", {0.5, 1, 1, 0.5}, 1),
                 series("psi_cpu_ratio", "ratio", {0, 0, 0, 0}, 0),
                 absent("psi_io_ratio", "the kernel counts no pressure"),
                 absent("gpu_util_ratio", "no driver <here>"),
                 absent("gpu_memory_bytes", "no driver <here>")};
  return seen;
}

campaign::CampaignResult with_telemetry() {
  campaign::CampaignResult result = sample_result();
  result.telemetry = {telemetry::combine({{"confirm1-baseline", trial(2)}}),
                      telemetry::combine({{"confirm1-c23", trial(1)}})};
  result.telemetry[0].cell = "baseline";
  result.telemetry[1].cell = "c23";
  result.telemetry[0].stage = result.telemetry[1].stage = "confirm";
  return result;
}

std::vector<XmlElement> all(const XmlDocument& page, const std::string& tag) {
  std::vector<XmlElement> found;
  std::copy_if(page.elements.begin(),
               page.elements.end(),
               std::back_inserter(found),
               [&](const XmlElement& each) { return each.tag == tag; });
  return found;
}

TEST(MachineCurves, DrawsWhatSomeTrialHasAndNothingElse) {
  const auto drawings = machine_curves(with_telemetry());
  ASSERT_EQ(drawings.size(), 2U) << "CPUs and pressure";
  const XmlDocument cpus = read_xml(drawings[0].finished());
  EXPECT_EQ(cpus.problem, "");
  EXPECT_NE(cpus.text.find("CPUs in use"), std::string::npos);
  EXPECT_NE(
      cpus.text.find("baseline: by the worker 2.00, by all 2.00; best setting: by the worker 1.00"),
      std::string::npos)
      << cpus.text;
  EXPECT_NE(cpus.text.find("baseline, trial confirm1-baseline"), std::string::npos);
}

TEST(MachineCurves, WhatSlowsAGpuAndWhatItsLinksCarryIsDrawn) {
  campaign::CampaignResult result = with_telemetry();
  telemetry::TrialTelemetry& trial = result.telemetry[0].example;
  for (const char* const id : {"gpu_power_cap_time_ratio",
                               "gpu_sm_clock",
                               "gpu_pcie_receive_rate",
                               "gpu_nvlink_send_rate"}) {
    telemetry::SeriesSummary series;
    series.info.id = id;
    series.info.label = "GPU-1";
    series.mean = 0.25;
    series.curve.assign(trial.times_s.size(), 0.25);
    trial.series.push_back(series);
  }
  std::string text;
  for (const Markup& drawing : machine_curves(result)) {
    const XmlDocument page = read_xml(drawing.finished());
    EXPECT_EQ(page.problem, "");
    text += page.text;
  }
  for (const char* const title : {"GPU slowed down: share of time",
                                  "for its power limit",
                                  "GPU clock",
                                  "PCIe of the GPU",
                                  "NVLink of the GPU"}) {
    EXPECT_NE(text.find(title), std::string::npos) << title;
  }
}

TEST(MachineCurves, AGapStaysAGapAndAMeanHoldsForItsTime) {
  const XmlDocument cpus = read_xml(machine_curves(with_telemetry())[0].finished());
  std::vector<std::string> curves;
  for (const XmlElement& line : all(cpus, "polyline")) {
    if (line.attribute("stroke-width") == "1.5") {
      curves.push_back(line.attribute("points"));
    }
  }
  // The key, then two runs in each panel. The scale ends at 2 CPUs: y 56 to 146, x 84 to 502.
  ASSERT_EQ(curves.size(), 5U);
  EXPECT_EQ(curves[1], "84,123.5 188.5,123.5 188.5,56 293,56");
  EXPECT_EQ(curves[2], "397.5,101 502,101");
  EXPECT_EQ(curves[3], "530,123.5 634.5,123.5 634.5,101 739,101");
}

TEST(MachineCurves, MarkTheMeasuredWindowAndTheRecordedSteps) {
  campaign::CampaignResult result = with_telemetry();
  result.profiles.resize(1);
  result.profiles[0].cell = "baseline";
  result.profiles[0].trial = "confirm1-baseline";
  result.profiles[0].outcome.start_ns = 8 * kSecondNs;
  result.profiles[0].outcome.end_ns = 9 * kSecondNs;
  const XmlDocument cpus = read_xml(machine_curves(result)[0].finished());
  const auto boxes = all(cpus, "rect");
  ASSERT_EQ(boxes.size(), 4U) << "paper, two windows, one bar";
  EXPECT_EQ(boxes[1].attribute("x"), "188.5");
  EXPECT_EQ(boxes[1].attribute("width"), "209");
  EXPECT_EQ(boxes[2].attribute("x"), "397.5");
  EXPECT_EQ(boxes[2].attribute("width"), "104.5");
}

TEST(MachineCurves, WhatIsNotDrawnIsNamedWithItsReasonOnce) {
  const auto lines = curves_not_drawn(with_telemetry());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "not applicable: GPU in use, GPU memory: no driver <here>");
  EXPECT_EQ(
      lines[1],
      "not applicable: Memory of the worker, Pressure: share of time in which some task "
      "waited (for memory), Read from disks, CPU clock, GPU power, GPU slowed down: share of time, "
      "GPU clock, PCIe of the GPU, NVLink of the GPU: not recorded");
  EXPECT_EQ(lines[2],
            "not applicable: Pressure: share of time in which some task waited (for a disk): the "
            "kernel counts no pressure");
}

TEST(MachineCurves, TimesAndNumbersOfADamagedFileAreDrawnInsideTheFrame) {
  campaign::CampaignResult result = with_telemetry();
  telemetry::TrialTelemetry& damaged = result.telemetry[0].example;
  damaged.times_s = {-5, kNone, 1e300, 2};
  damaged.window = telemetry::Span{0, std::numeric_limits<std::int64_t>::max()};
  damaged.series[0].curve = {1e300, -1e300, 1, 1e300};
  for (const Markup& drawing : machine_curves(result)) {
    EXPECT_EQ(read_xml(drawing.finished()).problem, "");
  }
  damaged.times_s.clear();
  damaged.series[0].curve.clear();
  EXPECT_EQ(machine_curves(result).size(), 2U) << "the other trial is still there";
}

TEST(MachineCurves, ArePartOfASoundPage) {
  const std::string page = to_html(with_telemetry());
  expect_sound_page(page);
  EXPECT_NE(page.find("Machine during the run"), std::string::npos);
  EXPECT_NE(page.find("no driver &lt;here&gt;"), std::string::npos);
  EXPECT_EQ(to_html(sample_result()).find("Machine during the run"), std::string::npos);
}

}  // namespace
}  // namespace tune::report
