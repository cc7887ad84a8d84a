#include "base/assert.h"
#include "base/units.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/svg.h"

#include <algorithm>
#include <array>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kLeft = 12, kRight = 948;
constexpr double kTop = 44, kBarHeight = 42, kHatchHeight = 12, kRowHeight = 78;

struct Look {
  Colour colour;
  Drawing::Hatch hatch;
};

// In the order of PhaseSplit::parts.
constexpr std::array<Look, 6> kLooks = {{{Colour::data_wait, Drawing::Hatch::rising},
                                         {Colour::transfer, Drawing::Hatch::dots},
                                         {Colour::forward, Drawing::Hatch::none},
                                         {Colour::backward, Drawing::Hatch::falling},
                                         {Colour::optimizer, Drawing::Hatch::crossed},
                                         {Colour::other, Drawing::Hatch::upright}}};

void draw_part(Drawing& drawing, const PhaseShare& part, const Look& look, const Box& box) {
  drawing.group(std::string(part.label) + ": " + format_seconds(part.ms_per_sample * 1e-3) +
                " per sample, " + share_text(part.ratio));
  drawing.rect(box, look.colour);
  const Box strip = {box.x, box.y + box.height - kHatchHeight, box.width, kHatchHeight};
  drawing.hatch(strip, look.hatch);
  const std::string share = share_text(part.ratio);
  const std::string full = std::string(part.label) + " " + share;
  const std::string& label = fits(full, box.width) ? full : share;
  if (fits(label, box.width)) {
    drawing.text({box.x + box.width / 2, box.y + 20},
                 label,
                 Colour::paper,
                 {.size = 12, .anchor = Drawing::Anchor::middle});
  }
  drawing.ungroup();
}

void draw_bar(Drawing& drawing, const PhaseBar& bar, double longest_ms, double y) {
  drawing.text({kLeft, y - 7},
               bar.label + ": " + format_seconds(bar.split.ms_per_sample * 1e-3) + " per sample",
               Colour::ink,
               {.size = 13, .weight = Drawing::Weight::bold});
  double x = kLeft;
  for (std::size_t i = 0; i < kLooks.size(); ++i) {
    const PhaseShare& part = bar.split.parts[i];
    const double width = part.ms_per_sample / longest_ms * (kRight - kLeft);
    if (width >= 0.05) {
      draw_part(drawing, part, kLooks[i], {x, y, width, kBarHeight});
    }
    x += width;
    if (i + 1 < kLooks.size() && width >= 2) {
      drawing.line({x, y}, {x, y + kBarHeight}, Colour::paper);
    }
  }
}

void draw_legend(Drawing& drawing, const PhaseSplit& split) {
  double x = kLeft;
  for (std::size_t i = 0; i < kLooks.size(); ++i) {
    const Box box = {x, 10, 18, 14};
    drawing.legend_entry();
    drawing.rect(box, kLooks[i].colour);
    drawing.hatch(box, kLooks[i].hatch);
    drawing.text({x + 24, 21}, split.parts[i].label, Colour::quiet, {.size = 12});
    drawing.ungroup();
    x += 24 + static_cast<double>(split.parts[i].label.size()) * kCharacterWidth + 20;
  }
}

std::string in_words(const std::vector<PhaseBar>& bars) {
  std::string text;
  for (const PhaseBar& bar : bars) {
    const auto largest = std::max_element(
        bar.split.parts.begin(), bar.split.parts.end(), [](const auto& a, const auto& b) {
          return a.ratio < b.ratio;
        });
    text += (text.empty() ? "" : " ") + bar.label + " needs " +
            format_seconds(bar.split.ms_per_sample * 1e-3) + " per sample, most of it " +
            std::string(largest->label) + " (" + share_text(largest->ratio) + ").";
  }
  return text;
}

}  // namespace

Markup phase_bars(const std::vector<PhaseBar>& bars) {
  TUNE_ASSERT(!bars.empty());
  double longest_ms = 0;
  for (const PhaseBar& bar : bars) {
    longest_ms = std::max(longest_ms, bar.split.ms_per_sample);
  }
  TUNE_ASSERT(longest_ms > 0);
  Drawing drawing({.id = "phases",
                   .title = "Time of one sample in its parts",
                   .description = in_words(bars),
                   .width = kWidth,
                   .height = kTop + kRowHeight * static_cast<double>(bars.size())});
  draw_legend(drawing, bars.front().split);
  double y = kTop + 20;
  for (const PhaseBar& bar : bars) {
    draw_bar(drawing, bar, longest_ms, y);
    y += kRowHeight;
  }
  return drawing.finished();
}

}  // namespace tune::report
