#include "drawing_check.h"

#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

namespace tune::report {

namespace {

struct ViewBox {
  double width = 0, height = 0;
};

ViewBox view_box(const XmlElement& svg) {
  std::istringstream numbers(svg.attribute("viewBox"));
  double x = -1, y = -1;
  ViewBox box;
  numbers >> x >> y >> box.width >> box.height;
  EXPECT_EQ(x, 0);
  EXPECT_EQ(y, 0);
  return box;
}

// A number to its last letter.
double number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  EXPECT_TRUE(!text.empty() && *end == '\0') << "'" << text << "' is no number";
  return value;
}

void expect_within(const XmlElement& element, const ViewBox& box) {
  constexpr double kOver = 1;
  for (const char* const name : {"x", "cx", "x1", "x2"}) {
    if (const std::string text = element.attribute(name); !text.empty()) {
      EXPECT_GE(number(text), -kOver) << element.tag << " " << name;
      EXPECT_LE(number(text), box.width + kOver) << element.tag << " " << name;
    }
  }
  for (const char* const name : {"y", "cy", "y1", "y2"}) {
    if (const std::string text = element.attribute(name); !text.empty()) {
      EXPECT_GE(number(text), -kOver) << element.tag << " " << name;
      EXPECT_LE(number(text), box.height + kOver) << element.tag << " " << name;
    }
  }
  if (element.tag == "rect") {
    EXPECT_GE(number(element.attribute("width")), 0);
    EXPECT_LE(number(element.attribute("x")) + number(element.attribute("width")),
              box.width + kOver);
    EXPECT_LE(number(element.attribute("y")) + number(element.attribute("height")),
              box.height + kOver);
  }
}

void expect_points_within(const XmlElement& element, const ViewBox& box) {
  std::string text = element.attribute("points");
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream numbers(text);
  double x = 0, y = 0;
  int points = 0;
  while (numbers >> x >> y) {
    ++points;
    EXPECT_TRUE(x >= -1 && x <= box.width + 1) << element.tag << " " << x;
    EXPECT_TRUE(y >= -1 && y <= box.height + 1) << element.tag << " " << y;
  }
  EXPECT_GE(points, 2) << element.tag;
}

}  // namespace

void expect_sound_drawing(const Markup& drawing) {
  const XmlDocument document = read_xml(drawing.finished());
  ASSERT_EQ(document.problem, "");
  ASSERT_EQ(document.elements.at(0).tag, "svg");
  const ViewBox box = view_box(document.elements.front());
  ASSERT_GT(box.height, 0);
  EXPECT_EQ(document.elements.at(1).tag, "title");
  EXPECT_EQ(document.elements.at(2).tag, "desc");
  for (const XmlElement& element : document.elements) {
    if (element.tag == "svg" || element.tag == "pattern") {
      continue;
    }
    expect_within(element, box);
    if (element.tag == "polygon" || element.tag == "polyline") {
      expect_points_within(element, box);
    }
    for (const auto& [name, value] : element.attributes) {
      EXPECT_TRUE(value.find("nan") == std::string::npos && value.find("inf") == std::string::npos)
          << element.tag << " " << name << "=" << value;
    }
  }
}

std::string text_of(const Markup& drawing) {
  return read_xml(drawing.finished()).text;
}

std::size_t elements_of(const Markup& drawing, const std::string& tag) {
  const XmlDocument document = read_xml(drawing.finished());
  return static_cast<std::size_t>(
      std::count_if(document.elements.begin(), document.elements.end(), [&](const auto& element) {
        return element.tag == tag;
      }));
}

}  // namespace tune::report
