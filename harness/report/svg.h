#pragma once

#include "report/markup.h"
#include "report/palette.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

struct Point {
  double x = 0, y = 0;
};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// A static SVG that says the same without style sheet: colours and sizes are presentation
/// attributes. It has a background of its own, a title, and a description that says in a sentence
/// what is to be seen. Coordinates are rounded to 0.1.
class Drawing {
 public:
  struct Frame {
    std::string id;  ///< unique in the page
    std::string title, description;
    double width = 0, height = 0;
    /// Left and right end of an axis of time along which a page lets its reader zoom, if any.
    double zoom_from = 0, zoom_to = 0;
  };
  enum class Anchor { start, middle, end };
  enum class Weight { normal, bold };
  enum class Line { solid, dashed };
  enum class Hatch { none, rising, falling, crossed, dots, upright };
  struct Font {
    double size = 12;
    Anchor anchor = Anchor::start;
    Weight weight = Weight::normal;
  };

  struct Stroke {
    Colour colour = Colour::ink;
    double width = 1;
    Line style = Line::solid;
  };

  explicit Drawing(const Frame& frame);

  void rect(const Box& box, Colour fill);
  void line(Point from, Point to, Colour stroke, double width = 1, Line style = Line::solid);
  void text(Point at, std::string_view text, Colour fill, const Font& font);
  void polygon(const std::vector<Point>& corners, Colour colour);
  /// An empty box.
  void outline(const Box& box, Colour stroke);
  /// Joined lines; needs two points.
  void polyline(const std::vector<Point>& points, const Stroke& stroke);
  void hollow_circle(Point centre, double radius, Colour colour);
  /// Lines in the colour of the paper over a filled box.
  void hatch(const Box& box, Hatch hatch);
  /// A filled box that lets the paper through: opacity from 0 to 1.
  void tint(const Box& box, Colour fill, double opacity);
  /// Filled boxes of one colour in one element: many of them stay small. Needs one.
  void boxes(const std::vector<Box>& all, Colour fill);

  /// What is drawn until ungroup() belongs together; `tip` is its name for pointers and readers.
  void group(std::string_view tip);
  /// What is drawn until ungroup() explains the drawing: it is above everything else, and a narrow
  /// page breaks entries into as many lines as they need.
  void legend_entry();
  void ungroup();

  Markup finished();

 private:
  void define_hatches();

  Frame frame_;
  Markup markup_;
};

/// Rounded to 0.1, without a trailing ".0".
std::string coordinate(double value);

/// The width of a character of 12 px, generously.
constexpr double kCharacterWidth = 6.6;

/// True when the text, at 12 px, fits into that many units.
bool fits(const std::string& text, double width);

}  // namespace tune::report
