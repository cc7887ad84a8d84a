#include "report/device_use_bars.h"

#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/svg.h"

#include <algorithm>

namespace tune::report {

namespace {

constexpr double kWidth = 960, kEdge = 12, kLeft = 250, kRight = 700, kText = 712;
constexpr double kTop = 30, kPitch = 30, kHeight = 18, kBottom = 8;
constexpr std::size_t kLongestLabel = 36;
constexpr LinearScale kX{.low = 0, .high = 1, .from = kLeft, .to = kRight};

bool is_healthy(const UtilisationBar& bar) {
  return bar.healthy_from && bar.ratio >= *bar.healthy_from;
}

std::string reading_of(const UtilisationBar& bar) {
  std::string text = share_text(bar.ratio);
  if (bar.healthy_from) {
    const std::string limit = share_text(*bar.healthy_from);
    text += (is_healthy(bar) ? ", healthy: from " : ", healthy would be from ") + limit;
  }
  return text;
}

void draw_bar(Drawing& drawing, const UtilisationBar& bar, double y) {
  drawing.group(bar.label + ": " + reading_of(bar));
  drawing.text({kEdge, y + 14}, shortened(bar.label, kLongestLabel), Colour::ink, {.size = 12});
  const Colour colour = !bar.healthy_from ? Colour::transfer
                        : is_healthy(bar) ? Colour::better
                                          : Colour::worse;
  drawing.rect({kLeft, y, kX.at(bar.ratio) - kLeft, kHeight}, colour);
  if (bar.healthy_from) {
    const double x = kX.at(*bar.healthy_from);
    drawing.line({x, y - 4}, {x, y + kHeight + 4}, Colour::ink, 2, Drawing::Line::dashed);
  }
  drawing.text({kText, y + 14}, reading_of(bar), Colour::ink, {.size = 12});
  drawing.ungroup();
}

}  // namespace

std::optional<Markup> utilisation_bars(const std::vector<UtilisationBar>& bars) {
  if (bars.empty()) {
    return std::nullopt;
  }
  std::string description;
  for (const UtilisationBar& bar : bars) {
    description += (description.empty() ? "" : "; ") + bar.label;
    description += ": " + reading_of(bar);
  }
  const double bottom = kTop + kPitch * static_cast<double>(bars.size());
  Drawing drawing({.id = "utilisation",
                   .title = "How much of the devices was used",
                   .description = description + ".",
                   .width = kWidth,
                   .height = bottom + kBottom});
  draw_percent_columns(drawing, kX, kTop, bottom);
  double y = kTop + 2;
  for (const UtilisationBar& bar : bars) {
    draw_bar(drawing, bar, y);
    y += kPitch;
  }
  return drawing.finished();
}

}  // namespace tune::report
