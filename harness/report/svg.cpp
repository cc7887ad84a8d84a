#include "report/svg.h"

#include "base/assert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tune::report {

namespace {

constexpr const char* kFontFamily = "system-ui, -apple-system, 'Segoe UI', sans-serif";

std::string fill_class(Colour colour) {
  return std::string("f-") + swatch(colour).name;
}
std::string stroke_class(Colour colour) {
  return std::string("s-") + swatch(colour).name;
}

std::string hatch_name(Drawing::Hatch hatch) {
  static constexpr std::array<const char*, 6> kNames = {
      "none", "rising", "falling", "crossed", "dots", "upright"};
  return kNames.at(static_cast<std::size_t>(hatch));
}

const char* anchor_name(Drawing::Anchor anchor) {
  return anchor == Drawing::Anchor::start    ? "start"
         : anchor == Drawing::Anchor::middle ? "middle"
                                             : "end";
}

std::string joined(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) {
    text += text.empty() ? "" : " ";
    text += coordinate(point.x) + "," + coordinate(point.y);
  }
  return text;
}

// "0.25": an opacity, to the hundredth.
std::string hundredths(double ratio) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::clamp(ratio, 0.0, 1.0) * 100));
  const std::string rest = std::to_string(whole % 100);
  return std::to_string(whole / 100) + (rest.size() < 2 ? ".0" : ".") + rest;
}

// The path of one 6 x 6 tile.
const char* tile_path(Drawing::Hatch hatch) {
  switch (hatch) {
    case Drawing::Hatch::rising:
      return "M-1,1 L1,-1 M0,6 L6,0 M5,7 L7,5";
    case Drawing::Hatch::falling:
      return "M-1,5 L1,7 M0,0 L6,6 M5,-1 L7,1";
    case Drawing::Hatch::crossed:
      return "M0,0 L6,6 M0,6 L6,0";
    case Drawing::Hatch::dots:
      return "M2,3 L4,3";
    default:
      return "M3,0 L3,6";
  }
}

}  // namespace

std::string coordinate(double value) {
  TUNE_ASSERT(std::isfinite(value) && std::fabs(value) < 1e9);
  const auto tenths = static_cast<std::int64_t>(std::llround(value * 10));
  const auto size = tenths < 0 ? -tenths : tenths;
  std::string text = (tenths < 0 ? "-" : "") + std::to_string(size / 10);
  return size % 10 == 0 ? text : text + "." + std::to_string(size % 10);
}

Drawing::Drawing(const Frame& frame) : frame_(frame) {
  Attributes attributes = {
      {"viewBox", "0 0 " + coordinate(frame.width) + " " + coordinate(frame.height)},
      {"width", "100%"},
      {"role", "img"},
      {"aria-labelledby", frame.id + "-title " + frame.id + "-description"},
      {"font-family", kFontFamily}};
  if (frame.zoom_to > frame.zoom_from) {
    attributes.emplace_back("data-zoom",
                            coordinate(frame.zoom_from) + " " + coordinate(frame.zoom_to));
  }
  markup_.open("svg", attributes);
  markup_.line();
  markup_.leaf("title", frame.title, {{"id", frame.id + "-title"}});
  markup_.leaf("desc", frame.description, {{"id", frame.id + "-description"}});
  markup_.line();
  define_hatches();
  rect({0, 0, frame.width, frame.height}, Colour::paper);
}

void Drawing::define_hatches() {
  markup_.open("defs");
  for (const Hatch hatch :
       {Hatch::rising, Hatch::falling, Hatch::crossed, Hatch::dots, Hatch::upright}) {
    markup_.open("pattern",
                 {{"id", frame_.id + "-" + hatch_name(hatch)},
                  {"width", "6"},
                  {"height", "6"},
                  {"patternUnits", "userSpaceOnUse"}});
    markup_.empty("path",
                  {{"d", tile_path(hatch)},
                   {"stroke", swatch(Colour::paper).light},
                   {"stroke-width", hatch == Hatch::dots ? "2" : "1.4"},
                   {"class", stroke_class(Colour::paper)}});
    markup_.close();
  }
  markup_.close().line();
}

void Drawing::rect(const Box& box, Colour fill) {
  markup_.empty("rect",
                {{"x", coordinate(box.x)},
                 {"y", coordinate(box.y)},
                 {"width", coordinate(box.width)},
                 {"height", coordinate(box.height)},
                 {"fill", swatch(fill).light},
                 {"class", fill_class(fill)}});
  markup_.line();
}

void Drawing::hatch(const Box& box, Hatch hatch) {
  if (hatch == Hatch::none) {
    return;
  }
  markup_.empty("rect",
                {{"x", coordinate(box.x)},
                 {"y", coordinate(box.y)},
                 {"width", coordinate(box.width)},
                 {"height", coordinate(box.height)},
                 {"fill", "url(#" + frame_.id + "-" + hatch_name(hatch) + ")"}});
  markup_.line();
}

void Drawing::tint(const Box& box, Colour fill, double opacity) {
  markup_.empty("rect",
                {{"x", coordinate(box.x)},
                 {"y", coordinate(box.y)},
                 {"width", coordinate(box.width)},
                 {"height", coordinate(box.height)},
                 {"fill", swatch(fill).light},
                 {"fill-opacity", hundredths(opacity)},
                 {"class", fill_class(fill)}});
  markup_.line();
}

void Drawing::boxes(const std::vector<Box>& all, Colour fill) {
  TUNE_ASSERT(!all.empty());
  std::string path;
  for (const Box& box : all) {
    const std::string width = coordinate(box.width);
    path += "M";
    path += coordinate(box.x);
    path += ",";
    path += coordinate(box.y);
    path += "h";
    path += width;
    path += "v";
    path += coordinate(box.height);
    path += "h-";
    path += width;
    path += "z";
  }
  markup_.empty("path", {{"d", path}, {"fill", swatch(fill).light}, {"class", fill_class(fill)}});
  markup_.line();
}

void Drawing::line(Point from, Point to, Colour stroke, double width, Line style) {
  Attributes attributes = {{"x1", coordinate(from.x)},
                           {"y1", coordinate(from.y)},
                           {"x2", coordinate(to.x)},
                           {"y2", coordinate(to.y)},
                           {"stroke", swatch(stroke).light},
                           {"stroke-width", coordinate(width)}};
  if (style == Line::dashed) {
    attributes.emplace_back("stroke-dasharray", "4 3");
  }
  attributes.emplace_back("class", stroke_class(stroke));
  markup_.empty("line", attributes).line();
}

void Drawing::text(Point at, std::string_view text, Colour fill, const Font& font) {
  Attributes attributes = {
      {"x", coordinate(at.x)}, {"y", coordinate(at.y)}, {"font-size", coordinate(font.size)}};
  if (font.anchor != Anchor::start) {
    attributes.emplace_back("text-anchor", anchor_name(font.anchor));
  }
  if (font.weight == Weight::bold) {
    attributes.emplace_back("font-weight", "600");
  }
  attributes.emplace_back("fill", swatch(fill).light);
  attributes.emplace_back("class", fill_class(fill));
  markup_.leaf("text", text, attributes).line();
}

void Drawing::polygon(const std::vector<Point>& corners, Colour colour) {
  markup_.empty(
      "polygon",
      {{"points", joined(corners)}, {"fill", swatch(colour).light}, {"class", fill_class(colour)}});
  markup_.line();
}

void Drawing::outline(const Box& box, Colour stroke) {
  markup_.empty("rect",
                {{"x", coordinate(box.x)},
                 {"y", coordinate(box.y)},
                 {"width", coordinate(box.width)},
                 {"height", coordinate(box.height)},
                 {"fill", swatch(Colour::paper).light},
                 {"stroke", swatch(stroke).light},
                 {"class", fill_class(Colour::paper) + " " + stroke_class(stroke)}});
  markup_.line();
}

void Drawing::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  TUNE_ASSERT(points.size() > 1);
  Attributes attributes = {{"points", joined(points)},
                           {"fill", "none"},
                           {"stroke", swatch(stroke.colour).light},
                           {"stroke-width", coordinate(stroke.width)}};
  if (stroke.style == Line::dashed) {
    attributes.emplace_back("stroke-dasharray", "4 3");
  }
  attributes.emplace_back("class", stroke_class(stroke.colour));
  markup_.empty("polyline", attributes).line();
}

void Drawing::hollow_circle(Point centre, double radius, Colour colour) {
  markup_.empty("circle",
                {{"cx", coordinate(centre.x)},
                 {"cy", coordinate(centre.y)},
                 {"r", coordinate(radius)},
                 {"fill", swatch(Colour::paper).light},
                 {"stroke", swatch(colour).light},
                 {"stroke-width", "2"},
                 {"class", fill_class(Colour::paper) + " " + stroke_class(colour)}});
  markup_.line();
}

void Drawing::group(std::string_view tip) {
  markup_.open("g").leaf("title", tip);
}

void Drawing::legend_entry() {
  markup_.open("g", {{"class", "entry"}});
}

void Drawing::ungroup() {
  markup_.close().line();
}

Markup Drawing::finished() {
  markup_.close().line();
  return std::move(markup_);
}

bool fits(const std::string& text, double width) {
  return static_cast<double>(text.size()) * kCharacterWidth + 8 <= width;
}

}  // namespace tune::report
