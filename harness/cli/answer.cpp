#include "cli/answer.h"

#include "report/headline.h"
#include "report/markup.h"
#include "report/ranked_table.h"
#include "report/result_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace tune::cli {

namespace {

using campaign::CampaignResult;
using report::RankedTable;

constexpr std::size_t kGap = 2;
constexpr std::size_t kMostRows = 25;
constexpr std::size_t kNarrowestSetting = 24;
constexpr std::size_t kLongestReason = 300;

// The relative path where that is shorter: it can be typed.
std::string short_path(const std::filesystem::path& path) {
  std::error_code failed;
  const std::string here = std::filesystem::proximate(path, failed).string();
  return failed || here.size() > path.string().size() ? path.string() : here;
}

std::string quoted(const std::string& path) {
  const bool plain = path.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-./+,:@%") == std::string::npos;
  if (plain) {
    return path;
  }
  std::string text = "'";
  for (const char letter : path) {
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return text + "'";
}

/// A table that fits a width: less important columns go first, then long settings are shortened.
class FittedTable {
 public:
  FittedTable(RankedTable table, std::size_t width) : table_(std::move(table)) {
    drop_rows();
    drop_column_without_texts("note");
    shorten("note", width, 14);  // the verdict says more
    for (const char* expendable : {"data wait", "rounds", "peak memory", "cell"}) {
      if (total_width() > width) {
        drop_column(expendable);
      }
    }
    shorten("setting", width, kNarrowestSetting);
    for (const char* last : {"interval", "note"}) {
      if (total_width() > width) {
        drop_column(last);
      }
    }
  }

  std::string print(const Terminal& terminal) const {
    const auto widths = column_widths();
    std::vector<std::string> names;
    for (const auto& column : table_.columns) {
      names.push_back(column.name);
    }
    std::string text = bold(terminal, line(names, widths)) + "\n";
    for (const RankedTable::Row& row : table_.rows) {
      const std::string printed = line(row.texts, widths);
      text += (row.is_best                             ? green(terminal, printed)
               : row.kind == RankedTable::Kind::failed ? dim(terminal, printed)
                                                       : printed) +
              "\n";
    }
    return text + (left_out_ > 0
                       ? "  ... and " + std::to_string(left_out_) + " more, see the report\n"
                       : "");
  }

 private:
  void drop_rows() {
    if (table_.rows.size() > kMostRows) {
      left_out_ = table_.rows.size() - kMostRows;
      table_.rows.resize(kMostRows);
    }
  }

  std::size_t index_of(const std::string& name) const {
    const auto found = std::find_if(table_.columns.begin(),
                                    table_.columns.end(),
                                    [&](const auto& column) { return column.name == name; });
    return static_cast<std::size_t>(found - table_.columns.begin());
  }

  void drop_column(const std::string& name) {
    const std::size_t index = index_of(name);
    if (index == table_.columns.size()) {
      return;
    }
    const auto offset = static_cast<std::ptrdiff_t>(index);
    table_.columns.erase(table_.columns.begin() + offset);
    for (RankedTable::Row& row : table_.rows) {
      row.texts.erase(row.texts.begin() + offset);
    }
  }

  void drop_column_without_texts(const std::string& name) {
    const std::size_t index = index_of(name);
    const auto& rows = table_.rows;
    if (std::all_of(
            rows.begin(), rows.end(), [&](const auto& row) { return row.texts[index].empty(); })) {
      drop_column(name);
    }
  }

  void shorten(const std::string& name, std::size_t width, std::size_t narrowest) {
    const std::size_t index = index_of(name);
    const std::size_t total = total_width();
    if (index == table_.columns.size() || total <= width) {
      return;
    }
    const std::size_t now = column_widths()[index];
    const std::size_t excess = total - width;
    const std::size_t wanted = now > excess ? now - excess : 0;
    for (RankedTable::Row& row : table_.rows) {
      row.texts[index] = fitted(row.texts[index], std::max(wanted, narrowest));
    }
  }

  std::vector<std::size_t> column_widths() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      std::size_t width = columns(table_.columns[i].name);
      for (const RankedTable::Row& row : table_.rows) {
        width = std::max(width, columns(row.texts[i]));
      }
      widths.push_back(width);
    }
    return widths;
  }

  std::size_t total_width() const {
    std::size_t total = 0;
    for (const std::size_t width : column_widths()) {
      total += width + kGap;
    }
    return total - kGap;
  }

  std::string line(const std::vector<std::string>& texts,
                   const std::vector<std::size_t>& widths) const {
    std::string text;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string padding(widths[i] - std::min(widths[i], columns(texts[i])), ' ');
      const bool right = table_.columns[i].align == RankedTable::Align::right;
      text += (i > 0 ? std::string(kGap, ' ') : "") + (right ? padding : "") + texts[i] +
              (right ? "" : padding);
    }
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

  RankedTable table_;
  std::size_t left_out_ = 0;
};

// Breaks at spaces; the first line begins with `head`, the others below it.
std::string wrapped(const std::string& head, const std::string& text, std::size_t width) {
  std::string lines = head;
  std::size_t used = columns(head);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (used + columns(word) + 1 > width && used > columns(head)) {
      lines += "\n" + std::string(columns(head), ' ');
      used = columns(head);
    } else if (used > columns(head)) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += columns(word);
    begin = end + 1;
  }
  return lines + "\n";
}

// "c03, c07, c08 and 12 more": the cells that no trial was run of.
std::string cells_not_run(const CampaignResult& result) {
  constexpr std::size_t kMostNamed = 12;
  std::string names;
  std::size_t count = 0;
  for (const campaign::CellResult& cell : result.cells) {
    if (cell.outcome == "not-run" && ++count <= kMostNamed) {
      names += (names.empty() ? "" : ", ") + cell.cell.id;
    }
  }
  return count > kMostNamed ? names + " and " + std::to_string(count - kMostNamed) + " more"
                            : names;
}

std::string left_out(const CampaignResult& result, const Terminal& terminal) {
  std::string text;
  for (const scenario::CollapsedKnob& knob : result.plan.collapsed) {
    text += wrapped("not applicable: ", knob.knob + " (" + knob.reason + ")", terminal.width);
  }
  for (const scenario::ForbiddenCells& forbidden : result.plan.forbidden) {
    text += wrapped("forbidden: ",
                    forbidden.text + " (" + std::to_string(forbidden.cells) + " combinations)",
                    terminal.width);
  }
  text = text.empty() ? "" : dim(terminal, text.substr(0, text.size() - 1)) + "\n";
  for (const campaign::CellResult& cell : result.cells) {
    if (cell.outcome != "completed" && cell.outcome != "not-run") {
      text += wrapped(
          "failed: ", cell.cell.id + " " + report::shortened(cell.reason, 300), terminal.width);
    }
  }
  for (const std::string& warning : result.warnings) {
    text += yellow(terminal, wrapped("warning: ", report::one_line(warning), terminal.width));
  }
  if (const std::string cells = cells_not_run(result); !cells.empty()) {
    text += wrapped("not run: ", cells, terminal.width);
  }
  if (!result.complete) {
    text +=
        yellow(terminal,
               wrapped("incomplete: ", report::one_line(result.incomplete_reason), terminal.width));
  }
  return text;
}

// As --budget reads it.
std::string typed_time(std::int64_t ns) {
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  const std::int64_t seconds = ns / kSecondNs;
  return seconds % 60 == 0 ? std::to_string(seconds / 60) + "m" : std::to_string(seconds) + "s";
}

// Last of all, so that it stands above the prompt: what to type now.
std::string next_step(const CampaignResult& result) {
  const std::string report = short_path(result.directory / "report.html");
  std::string text = "report:  " + report + "\n";
  const report::Conclusion conclusion = report::conclude(result);
  if (conclusion.standing == report::Standing::faster && conclusion.best != nullptr) {
    text += "set:     " + trial::to_text(conclusion.best->cell.changed) + "\n";
  }
  if (result.baseline_failed) {  // no trial can follow: the setting itself must change
    text += "stopped: " + report::shortened(result.incomplete_reason, kLongestReason) +
            "; mend it, then start a new run";
  } else if (result.budget_wanted_ns) {
    text += "go on:   " + resume_command(result.directory) + " --budget " +
            typed_time(*result.budget_wanted_ns);
  } else if (result.trials_missing > 0) {
    text += "go on:   " + resume_command(result.directory);
  } else {
    text += "next:    tune report " + quoted(short_path(result.directory));
  }
  return text + "\n";
}

}  // namespace

std::string resume_command(const std::filesystem::path& directory) {
  return "tune run --resume " + quoted(short_path(directory));
}

std::string answer(const CampaignResult& result, const Terminal& terminal) {
  std::string text;
  if (!result.trials.empty()) {
    RankedTable table = report::ranked_table(result);
    const std::string note = table.note;
    text = FittedTable(std::move(table), terminal.width).print(terminal) +
           dim(terminal, wrapped("", note, terminal.width)) + "\n";
  }
  const std::string aside = left_out(result, terminal);
  text += aside.empty() ? "" : aside + "\n";
  text += wrapped("", report::effort(result), terminal.width);
  text += bold(terminal, wrapped("", report::headline(result), terminal.width));
  return text + next_step(result);
}

std::string answer_json(const CampaignResult& result) {
  const auto whole = nlohmann::ordered_json::parse(report::to_result_json(result));
  const nlohmann::ordered_json json = {{"schema", whole.at("schema")},
                                       {"kind", whole.at("kind")},
                                       {"directory", result.directory.string()},
                                       {"complete", result.complete},
                                       {"summary", whole.at("summary")}};
  return json.dump(2) + "\n";
}

}  // namespace tune::cli
