#include "report/chart_scale.h"
#include "report/ladder_text.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/svg.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kEdge = 12, kLeft = 372, kRight = 736, kText = 750;
constexpr double kTop = 14, kRow = 30, kBar = 16, kBottom = 34;
constexpr std::size_t kLongestLabel = 50, kLongestReading = 30;

struct Row {
  std::string label, reading;
  double from = 0;             ///< the gain that it stands on
  std::optional<double> gain;  ///< ratio - 1; nothing: not measured
  std::optional<double> lower, upper;
};

// The table has the same rungs below one for the baseline, with the names of their changes.
std::vector<Row> rows_of(const result::Result& result) {
  const Table table = ladder_table(result);
  std::vector<Row> rows;
  double from = 0;
  for (std::size_t i = 0; i < result.ladder.size() && i + 1 < table.rows.size(); ++i) {
    const result::Number& gain = result.ladder[i].gain;
    Row row{.label = one_line(table.rows[i + 1].front()), .from = from};
    if (gain.value && is_drawable(*gain.value)) {
      row.gain = gain.value;
      row.lower = gain.lower;
      row.upper = gain.upper;
    }
    row.reading = !row.gain    ? "not measured"
                  : gain.lower ? gain_text(*row.gain) + " " + gain_interval_text(gain)
                               : gain_text(*row.gain);
    from = row.gain.value_or(from);
    rows.push_back(std::move(row));
  }
  return rows;
}

LinearScale scale_of(const std::vector<Row>& rows) {
  std::vector<double> gains = {0};
  for (const Row& row : rows) {
    for (const auto& gain : {row.gain, row.lower, row.upper}) {
      if (gain) {
        gains.push_back(*gain);
      }
    }
  }
  return scale_over(gains, {kLeft, kRight});
}

void draw_row(Drawing& drawing, const Row& row, const LinearScale& x, double y) {
  drawing.group(row.label + ": " + row.reading);
  drawing.text({kEdge, y + 4}, shortened(row.label, kLongestLabel), Colour::ink, {.size = 12});
  drawing.text({kText, y + 4},
               shortened(row.reading, kLongestReading),
               row.gain ? Colour::ink : Colour::quiet,
               {.size = 12});
  if (row.gain) {
    const double begin = x.at(row.from), end = x.at(*row.gain);
    drawing.rect({std::min(begin, end), y - kBar / 2, std::max(0.5, std::fabs(end - begin)), kBar},
                 *row.gain >= row.from ? Colour::better : Colour::worse);
  }
  if (row.lower && row.upper) {
    const double low = x.at(*row.lower), high = x.at(*row.upper);
    drawing.line({low, y}, {high, y}, Colour::ink, 1.5);
    drawing.line({low, y - 5}, {low, y + 5}, Colour::ink, 1.5);
    drawing.line({high, y - 5}, {high, y + 5}, Colour::ink, 1.5);
  }
  drawing.ungroup();
}

std::string in_words(const std::vector<Row>& rows) {
  std::string text = "From the baseline up";
  for (const Row& row : rows) {
    text += ". ";
    text += shortened(row.label, 120);
    text += ": ";
    text += row.reading;
  }
  return text + ".";
}

}  // namespace

std::optional<Markup> ladder_plot(const result::Result& result) {
  const std::vector<Row> rows = rows_of(result);
  if (std::none_of(rows.begin(), rows.end(), [](const Row& row) { return row.gain.has_value(); })) {
    return std::nullopt;
  }
  const double base = kTop + kRow * static_cast<double>(rows.size());
  Drawing drawing({.id = "ladder",
                   .title = "Gain over the baseline, one recommendation on top of another",
                   .description = in_words(rows),
                   .width = kWidth,
                   .height = base + kBottom});
  const LinearScale x = scale_of(rows);
  draw_columns(drawing, x, base, gain_text);
  drawing.line({x.at(0), kTop - 8}, {x.at(0), base}, Colour::ink, 1.5, Drawing::Line::dashed);
  double y = kTop + kRow / 2;
  for (const Row& row : rows) {
    draw_row(drawing, row, x, y);
    if (row.gain && &row != &rows.back()) {  // down to where the next bar begins
      const double end = x.at(*row.gain);
      drawing.line({end, y + kBar / 2}, {end, y + kRow - kBar / 2}, Colour::quiet);
    }
    y += kRow;
  }
  return drawing.finished();
}

}  // namespace tune::report
