// The loader: its stages, samples that lay ready, the page cache. What a result.json alone does not
// say.

#include "base/units.h"
#include "report/headline.h"
#include "report/loader_use.h"
#include "report/number_text.h"
#include "report/quantity_text.h"
#include "report/run_advice.h"
#include "report/run_sections.h"
#include "report/run_words.h"

#include <optional>
#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using Align = Table::Align;

struct ShownLoader {
  const CellResult* cell = nullptr;
  NamedLoader loader;
};

std::vector<ShownLoader> shown_loaders(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  std::vector<ShownLoader> shown;
  for (const CellResult* const cell : {conclusion.baseline, conclusion.best}) {
    auto use = cell == nullptr ? std::nullopt : loader_use(result, *cell);
    if (use) {
      shown.push_back({cell, {drawn_name(result, cell->cell.id), std::move(*use)}});
    }
  }
  return shown;
}

std::string wait_text(const Run& run, const ShownLoader& shown) {
  return MetricByCell(run.result, "data_wait_ratio").text(shown.cell->cell.id, "not measured");
}

std::string ms_text(double ms) {
  return format_seconds(ms * 1e-3);
}

std::string resident_text(const LoaderUse& use) {
  if (!use.least_resident || !use.most_resident) {
    return "not known";
  }
  const std::string least = share_text(*use.least_resident), most = share_text(*use.most_resident);
  return least == most ? least : least + " to " + most;
}

std::string most_rate_text(const LoaderUse& use) {
  if (use.workers == 0) {
    return "the training thread loads";
  }
  const auto rate = use.most_rate();
  return rate ? number_text(*rate) + " samples/s" : "not known";
}

std::string rate_text(const Run& run, const ShownLoader& shown) {
  const auto rate = shown_rate(run.result, shown.cell->cell.id);
  return rate ? number_text(*rate) + " samples/s" : "not measured";
}

Table numbers(const Run& run, const std::vector<ShownLoader>& shown) {
  Table table{.caption = "The loader over all trials of a setting, warm-ups included",
              .columns = {{"what"}}};
  for (const ShownLoader& each : shown) {
    table.columns.push_back({each.loader.label, Align::right});
  }
  const auto row = [&](const char* name, auto text) {
    std::vector<std::string> texts = {name};
    for (const ShownLoader& each : shown) {
      texts.push_back(text(each));
    }
    table.rows.push_back(std::move(texts));
  };
  using Shown = ShownLoader;
  row("waiting for data, of the step", [&](const Shown& of) { return wait_text(run, of); });
  row("workers", [](const Shown& of) { return std::to_string(of.loader.use.workers); });
  row("samples delivered", [](const Shown& of) { return grouped(of.loader.use.samples); });
  row("CPU time of a sample: read", [](const Shown& of) { return ms_text(of.loader.use.read_ms); });
  row("decode", [](const Shown& of) { return ms_text(of.loader.use.decode_ms); });
  row("resize", [](const Shown& of) { return ms_text(of.loader.use.resize_ms); });
  row("all of it", [](const Shown& of) { return ms_text(of.loader.use.cpu_ms()); });
  row("the workers could make at most",
      [](const Shown& of) { return most_rate_text(of.loader.use); });
  row("the training took", [&](const Shown& of) { return rate_text(run, of); });
  row("read from files, a sample",
      [](const Shown& of) { return quantity_text(of.loader.use.bytes_per_sample, "B"); });
  row("of the files in the page cache before a trial",
      [](const Shown& of) { return resident_text(of.loader.use); });
  row("could not be decoded", [](const Shown& of) { return grouped(of.loader.use.errors); });
  return table;
}

std::vector<std::string> remarks(const CampaignResult& result,
                                 const std::vector<ShownLoader>& shown) {
  std::vector<std::string> lines;
  if (const std::string words = ceiling_words(result); !words.empty()) {
    lines.push_back("Ceilings of the baseline: " + words + ".");
  }
  for (const ShownLoader& each : shown) {
    if (each.cell->cold_trials > 0) {
      lines.push_back(each.loader.label + ": " + counted(each.cell->cold_trials, "trial") +
                      " began with a colder page cache than the others.");
    }
  }
  lines.emplace_back(
      "What the workers could make supposes a CPU for each of them and nothing to wait for. The "
      "time that a step waits for data is not the loader's cost: it is what the training does not "
      "hide of it.");
  return lines;
}

}  // namespace

Section run_pipeline_section(const Run& run) {
  Section section{.title = "Data pipeline"};
  if (run.directory == nullptr) {
    return section;
  }
  const CampaignResult& result = *run.directory;
  const std::vector<ShownLoader> shown = shown_loaders(result);
  if (shown.empty()) {
    return section.add(Sentence{"Not measured: no trial of the baseline completed."});
  }
  std::vector<NamedLoader> loaders;
  loaders.reserve(shown.size());
  for (const ShownLoader& each : shown) {
    loaders.push_back(each.loader);
  }
  if (const auto bars = loader_bars(loaders)) {
    section.add(Figure{{*bars},
                       "CPU time that one sample costs in the loader, over all its threads: with "
                       "several workers much of it is hidden behind the training."});
  } else {
    section.add(Sentence{result.data.source == "synthetic"
                             ? "The data is synthetic: nothing is read or decoded."
                             : "The stages of the loader took no time that could be seen."});
  }
  if (const auto stock = stock_plot(loaders)) {
    section.add(Figure{{*stock},
                       "Samples that lay ready at the edges of the slices. A stock that is always "
                       "empty means that the training waits; one that is always full, that the "
                       "loader does."});
  }
  return section.add(numbers(run, shown)).add(List{remarks(result, shown)});
}

}  // namespace tune::report
