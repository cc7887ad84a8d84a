#include "measure/campaign/loader_forecast.h"

#include "advice/gain_model.h"
#include "base/error.h"
#include "base/whole_number.h"
#include "measure/campaign/ceiling.h"
#include "scenario/machine.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

// A knob that only the loader sees: the model computes the same on whatever the loader delivers.
bool is_of_loader(const std::string& knob) {
  return trial::is_loader_knob(knob) && knob != "dtype" && knob != "loader";
}

bool changes_loader_alone(const trial::KnobSettings& changed) {
  return std::all_of(
      changed.begin(), changed.end(), [](const auto& knob) { return is_of_loader(knob.first); });
}

std::string word(const trial::KnobSettings& knobs, const char* name) {
  const auto found = knobs.find(name);
  return found == knobs.end() ? "" : trial::to_text(found->second);
}

std::int64_t whole(const trial::KnobSettings& knobs, const char* name) {
  const auto found = knobs.find(name);
  const auto* const number =
      found == knobs.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number == nullptr ? 0 : *number;
}

// What decoding takes, as a share of decoding the whole frame. The crops of a training have these
// means on any machine (measured on two: 0.74 and 0.77 with roi); an inference decodes whole frames
// in every mode.
double decoded_part(const trial::KnobSettings& knobs, const std::string& task) {
  const std::string decode = word(knobs, "decode");
  return task == "infer" || decode == "full" ? 1 : decode == "roi" ? 0.74 : 0.72;
}

bool decodes_images(const trial::Data& data) {
  return data.source == "generated-jpeg" || data.source == "image-folder";
}

// The baseline's loader alone, on files in memory: it says what a sample costs a thread.
const trial::TrialReply* loader_alone(const std::vector<TrialRecord>& trials) {
  const auto found = std::find_if(trials.begin(), trials.end(), [](const TrialRecord& record) {
    return record.stage == "ceiling" && record.spec.measure.loader_only && !is_cold(record) &&
           record.outcome.kind == runner::OutcomeKind::completed && record.outcome.reply &&
           record.outcome.reply->loader.samples > 0 && record.outcome.reply->loader.decode_ns > 0;
  });
  return found == trials.end() ? nullptr : &*found->outcome.reply;
}

std::optional<double> rate_of_model(const std::vector<TrialRecord>& trials) {
  for (const Ceiling& ceiling : ceilings_of(trials)) {
    if (ceiling.id == "compute_ceiling") {
      return ceiling.rate;
    }
  }
  return std::nullopt;
}

bool computes_the_same(const scenario::Scenario& a, const scenario::Scenario& b) {
  const auto same = [&](const auto& knob) {
    const auto other = b.baseline.find(knob.first);
    return is_of_loader(knob.first) || (other != b.baseline.end() && other->second == knob.second);
  };
  return a.name == b.name && a.workload == b.workload &&
         std::all_of(a.baseline.begin(), a.baseline.end(), same);
}

bool is_like(const machine::MachineFacts& a, const machine::MachineFacts& b) {
  return a.cpu_model == b.cpu_model && a.cpus == b.cpus && a.gpus == b.gpus && a.device == b.device;
}

// Whether it is what `tune run` calls its folders: <scenario>-20261121T194955Z, or that and "-2".
// `scenario-gate-...` and the scenario `scenario-large` are others.
bool is_name_of_run(const std::string& name, const std::string& scenario) {
  constexpr std::string_view kTime = "-00000000T000000Z";
  if (!name.starts_with(scenario) || name.size() < scenario.size() + kTime.size()) {
    return false;
  }
  const std::string_view end = std::string_view(name).substr(scenario.size());
  const bool has_time =
      std::equal(kTime.begin(), kTime.end(), end.begin(), [](char wanted, char is) {
        return wanted == '0' ? is >= '0' && is <= '9' : is == wanted;
      });
  const std::string_view copy = has_time ? end.substr(kTime.size()) : "";
  return has_time &&
         (copy.empty() || (copy.front() == '-' && parse_whole<std::uint32_t>(copy.substr(1))));
}

// Newest first: their names end in the time.
std::vector<fs::path> runs_of(const std::string& scenario, const fs::path& folder) {
  std::vector<fs::path> runs;
  std::error_code failed;
  auto entry = fs::directory_iterator(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    if (is_name_of_run(entry->path().filename().string(), scenario) &&
        entry->is_directory(unknown) && !entry->is_symlink(unknown)) {
      runs.push_back(entry->path());
    }
  }
  std::sort(runs.rbegin(), runs.rend());
  return runs;
}

}  // namespace

LoaderCosts costs_before_a_run(double decode_s) {
  constexpr double kBesideDecoding = 1.0 / 7;
  return {.decode_s = decode_s, .other_s = decode_s * kBesideDecoding, .model_rate = {}};
}

std::vector<std::optional<CellForecast>> forecast_cells(const scenario::Scenario& scenario,
                                                        const scenario::Plan& plan,
                                                        const machine::MachineFacts& machine,
                                                        const LoaderCosts& costs) {
  std::vector<std::optional<CellForecast>> forecasts;
  forecasts.reserve(plan.cells.size());
  const std::string& device = scenario.workload.device;
  for (const scenario::Cell& cell : plan.cells) {
    if (!decodes_images(scenario.data) || word(cell.knobs, "loader") != "ring") {
      forecasts.emplace_back();
      continue;
    }
    const bool is_known = costs.model_rate && changes_loader_alone(cell.changed);
    advice::LoaderModel model{
        .sample_cpu_s =
            costs.decode_s * decoded_part(cell.knobs, scenario.workload.task) + costs.other_s,
        .model_rate = is_known ? *costs.model_rate : std::numeric_limits<double>::infinity(),
        .usable_cores = static_cast<double>(std::max<std::int64_t>(machine.cpus, 1))};
    model.trains_on_cpu = (device == "auto" ? machine.device : device) == "cpu" && is_known;
    forecasts.push_back(
        CellForecast{.rate = model.rate(whole(cell.knobs, "num_workers")), .is_bound = !is_known});
  }
  return forecasts;
}

std::optional<LoaderCosts> costs_of(const std::vector<TrialRecord>& trials) {
  const trial::TrialReply* const alone = loader_alone(trials);
  const auto model_rate = rate_of_model(trials);
  if (alone == nullptr || !model_rate) {
    return std::nullopt;
  }
  const trial::LoaderReport& loader = alone->loader;
  const auto samples = static_cast<double>(loader.samples);
  constexpr double kNano = 1e-9;
  return LoaderCosts{
      .decode_s = static_cast<double>(loader.decode_ns) * kNano / samples,
      .other_s = static_cast<double>(loader.read_ns + loader.resize_ns) * kNano / samples,
      .model_rate = model_rate};
}

std::vector<std::size_t> promising_cells(const RecordedRun& run) {
  constexpr double kWorthwhile = 1.03, kEqual = 1.01;
  constexpr std::size_t kMost = 2;
  auto costs = costs_of(run.trials);
  if (!costs || run.plan.cells.empty()) {
    return {};
  }
  // What was measured is of the baseline's way to decode.
  costs->decode_s /= decoded_part(run.plan.cells.front().knobs, run.scenario.workload.task);
  const auto forecasts = forecast_cells(run.scenario, run.plan, run.ledger.header.machine, *costs);
  if (!forecasts.front()) {
    return {};
  }
  std::vector<std::size_t> cells;
  for (std::size_t cell = 1; cell < forecasts.size(); ++cell) {
    const auto& forecast = forecasts[cell];
    if (forecast && !forecast->is_bound &&
        forecast->rate >= kWorthwhile * forecasts.front()->rate) {
      cells.push_back(cell);
    }
  }
  if (cells.empty()) {
    return cells;
  }
  double best = 0;
  for (const std::size_t cell : cells) {
    best = std::max(best, forecasts[cell]->rate);
  }
  std::erase_if(cells, [&](std::size_t cell) { return forecasts[cell]->rate * kEqual < best; });
  std::stable_sort(cells.begin(), cells.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t cell) {
      const scenario::Cell& one = run.plan.cells[cell];
      return std::pair(one.changed.size(), whole(one.knobs, "num_workers"));
    };
    return key(a) < key(b);
  });
  cells.resize(std::min(cells.size(), kMost));
  return cells;
}

std::optional<double> earlier_model_rate(const scenario::Scenario& scenario,
                                         const machine::MachineFacts& machine,
                                         const fs::path& runs) {
  constexpr std::size_t kMostRuns = 5;
  std::vector<fs::path> found = runs_of(scenario.name, runs);
  found.resize(std::min(found.size(), kMostRuns));
  for (const fs::path& folder : found) {
    try {
      const RecordedRun run = read_recorded_run(fs::absolute(folder));
      scenario::Scenario settled = scenario;  // as that run took it
      scenario::settle_device(settled, run.ledger.header.machine.device);
      settled.workload.own.sha256 = run.scenario.workload.own.sha256;
      const bool is_like_it =
          is_like(machine, run.ledger.header.machine) && computes_the_same(settled, run.scenario);
      if (const auto rate = is_like_it ? rate_of_model(run.trials) : std::nullopt) {
        return rate;
      }
    } catch (const Error&) {  // damaged, or of another version
    }
  }
  return std::nullopt;
}

}  // namespace tune::campaign
