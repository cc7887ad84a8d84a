#include "report/palette.h"

#include <algorithm>
#include <cmath>

namespace tune::report {

namespace {

double luminance(const std::string& colour) {
  const auto channel = [&](std::size_t at) {
    const double value = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

std::string variables(const char* Swatch::*scheme) {
  std::string css = ":root{";
  for (const Swatch& swatch : palette()) {
    css += std::string("--") + swatch.name + ":" + swatch.*scheme + ";";
  }
  return css + "}";
}

}  // namespace

const std::vector<Swatch>& palette() {
  static const std::vector<Swatch> swatches = {
      {Colour::paper, "paper", "#ffffff", "#15191e"},
      {Colour::panel, "panel", "#f5f7f9", "#1d232a"},
      {Colour::ink, "ink", "#1b1f24", "#e8eaed"},
      {Colour::quiet, "quiet", "#57606a", "#a9b2bc"},
      {Colour::rule, "rule", "#d0d7de", "#3b444e"},
      {Colour::better, "better", "#0a58ca", "#7ab4ff"},
      {Colour::worse, "worse", "#a8430b", "#ff9d66"},
      {Colour::unsure, "unsure", "#57606a", "#a9b2bc"},
      {Colour::data_wait, "data-wait", "#8a3b7c", "#dfa3d4"},
      {Colour::transfer, "transfer", "#565aa0", "#b0b4e6"},
      {Colour::forward, "forward", "#246a6f", "#7fc8cc"},
      {Colour::backward, "backward", "#3d6b35", "#a2d297"},
      {Colour::optimizer, "optimizer", "#77590f", "#dbc070"},
      {Colour::other, "other", "#5f666d", "#b6bec6"},
      {Colour::cpu_op, "cpu-op", "#a02c56", "#f09ab8"},
  };
  return swatches;
}

const Swatch& swatch(Colour colour) {
  return palette()[static_cast<std::size_t>(colour)];
}

double contrast(const std::string& a, const std::string& b) {
  const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

std::string palette_css() {
  std::string css = variables(&Swatch::light) + "\n@media screen and (prefers-color-scheme:dark){" +
                    variables(&Swatch::dark) + "}\n";
  for (const Swatch& swatch : palette()) {
    const std::string name = swatch.name;
    css += ".f-" + name;
    css += "{fill:var(--" + name;
    css += ")}.s-" + name;
    css += "{stroke:var(--" + name;
    css += ")}\n";
  }
  return css;
}

}  // namespace tune::report
