#include "dataset/picture.h"

#include "dataset/draws.h"

#include <algorithm>

namespace tune::dataset {

namespace {

constexpr int kBlock = 16;  // side of a block of blocks in 4:2:0, pixels

int padded(int side) {
  return (side + kBlock - 1) / kBlock * kBlock;
}

std::uint8_t to_byte(int value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

/// Triangle wave in place of a sine: phase in 1/65536 of a turn, result in [-256, 256].
int triangle(int phase) {
  const int p = phase & 0xFFFF;
  return p < 0x8000 ? p / 64 - 256 : 256 - (p - 0x8000) / 64;
}

struct Colour {
  int y, cb, cr;
};

/// `phase` is the hue in 1/65536 of a turn, `strength` the distance from grey.
Colour colour(int luminance, int phase, int strength) {
  return {luminance,
          128 + triangle(phase) * strength / 256,
          128 + triangle(phase + 0x4000) * strength / 256};
}

/// What the classes share and how they differ.
struct Style {
  int hue;         // 1/65536 of a turn
  int luminance;   // of the background
  int rectangles;  // of 4 shapes
  int wide;        // -1 tall, 0 square, 1 wide
};

Style style_of(std::int64_t label, Draws& draws) {
  constexpr std::int64_t kGoldenTurn = 40'503;  // neighbouring classes get far hues
  Style style{};
  style.hue = static_cast<int>((label * kGoldenTurn) & 0xFFFF) + draws.between(-1500, 1500);
  style.luminance = 90 + static_cast<int>(label * 7 % 5) * 18 + draws.between(-12, 12);
  style.rectangles = static_cast<int>(label % 3) * 2;
  style.wide = static_cast<int>(label / 3 % 3) - 1;
  return style;
}

/// Adds one octave of value noise to `sum` (units of 1/32): random values `cell` pixels apart,
/// smoothly joined.
void add_octave(Draws draws, int width, int height, int cell, int strength, std::int16_t* sum) {
  const int columns = width / cell + 2;
  std::vector<int> smooth(static_cast<std::size_t>(cell));  // 3t^2 - 2t^3 in 1/4096
  for (int i = 0; i < cell; ++i) {
    const std::int64_t t = i * 4096 / cell;
    smooth[static_cast<std::size_t>(i)] =
        static_cast<int>((3 * t * t - 2 * t * t * t / 4096) / 4096);
  }
  std::vector<int> values(static_cast<std::size_t>(columns));
  const auto draw_row = [&](std::vector<std::int16_t>& row) {
    for (int& value : values) {
      value = draws.between(-strength * 32, strength * 32);
    }
    for (int x = 0; x < width; ++x) {
      const auto at = static_cast<std::size_t>(x / cell);
      const int step = (values[at + 1] - values[at]) * smooth[static_cast<std::size_t>(x % cell)];
      row[static_cast<std::size_t>(x)] = static_cast<std::int16_t>(values[at] + step / 4096);
    }
  };
  std::vector<std::int16_t> above(static_cast<std::size_t>(width));
  std::vector<std::int16_t> below(static_cast<std::size_t>(width));
  draw_row(below);
  for (int y = 0; y < height; ++y) {
    if (y % cell == 0) {
      above.swap(below);
      draw_row(below);
    }
    const int weight = smooth[static_cast<std::size_t>(y % cell)] * 8;  // 1/32768
    std::int16_t* const row = sum + static_cast<std::ptrdiff_t>(y) * width;
    for (int x = 0; x < width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      const auto doubled = static_cast<std::int16_t>(2 * (below[i] - above[i]));
      row[x] = static_cast<std::int16_t>(row[x] + above[i] + ((doubled * weight) >> 16));
    }
  }
}

/// Four octaves in units of 1/32, the coarsest about a quarter of the larger side wide.
std::vector<std::int16_t> draw_noise(const Draws& draws, const Plane& plane) {
  std::vector<std::int16_t> sum(plane.pixels.size());
  int cell = 4;
  while (cell * 8 <= std::max(plane.width, plane.height)) {
    cell *= 2;
  }
  for (int octave = 0; octave < 4; ++octave) {
    add_octave(draws.branch(static_cast<std::uint64_t>(octave)),
               plane.width,
               plane.height,
               std::max(cell >> octave, 2),
               32 >> octave,
               sum.data());
  }
  return sum;
}

void fill_with_noise(Plane& plane, int level, const std::vector<std::int16_t>& noise, int shift) {
  for (std::size_t i = 0; i < plane.pixels.size(); ++i) {
    plane.pixels[i] = to_byte(level + (noise[i] >> shift));
  }
}

struct Shape {
  enum class Kind { ellipse, rectangle } kind;
  int x, y, half_width, half_height;
};

/// Half the width of the shape in the row `dy` away from its centre, or -1 outside.
int reach(const Shape& shape, int dy) {
  if (std::abs(dy) > shape.half_height) {
    return -1;
  }
  if (shape.kind == Shape::Kind::rectangle) {
    return shape.half_width;
  }
  const std::int64_t b = std::max(shape.half_height, 1);
  const std::int64_t square =
      (b * b - std::int64_t{dy} * dy) * shape.half_width * shape.half_width / (b * b);
  std::int64_t low = 0;
  std::int64_t high = shape.half_width;
  while (low < high) {  // integer square root
    const std::int64_t middle = (low + high + 1) / 2;
    middle* middle <= square ? low = middle : high = middle - 1;
  }
  return static_cast<int>(low);
}

/// Mixes `level` into the pixels of the shape; a quarter of the background stays, as texture.
void paint(Plane& plane, const Shape& shape, int level) {
  const int first = std::max(shape.y - shape.half_height, 0);
  const int last = std::min(shape.y + shape.half_height, plane.height - 1);
  for (int y = first; y <= last; ++y) {
    const int half = reach(shape, y - shape.y);
    const int begin = std::max(shape.x - half, 0);
    const int end = std::min(shape.x + half + 1, plane.width);
    std::uint8_t* const row = plane.row(y);
    for (int x = begin; x < end; ++x) {
      row[x] = static_cast<std::uint8_t>((row[x] + 3 * level + 2) / 4);
    }
  }
}

Shape draw_shape(Draws& draws, const Style& style, int width, int height) {
  Shape shape{};
  shape.kind =
      draws.between(0, 3) < style.rectangles ? Shape::Kind::rectangle : Shape::Kind::ellipse;
  shape.x = draws.between(0, width - 1);
  shape.y = draws.between(0, height - 1);
  const int side = std::min(width, height);
  const int size = draws.between(side / 20 + 1, side / 5 + 1);
  shape.half_width = style.wide > 0 ? 2 * size : size;
  shape.half_height = style.wide < 0 ? 2 * size : size;
  return shape;
}

Shape scaled(const Shape& shape, int divisor) {
  return {shape.kind,
          shape.x / divisor,
          shape.y / divisor,
          shape.half_width / divisor,
          shape.half_height / divisor};
}

}  // namespace

Picture draw_picture(const ImagePlan& plan) {
  const int divisor = plan.subsampling == Subsampling::both_420 ? 2 : 1;
  const int width = padded(plan.width);
  const int height = padded(plan.height);
  Picture picture{plan.width,
                  plan.height,
                  plan.subsampling,
                  Plane(width, height),
                  Plane(width / divisor, height / divisor),
                  Plane(width / divisor, height / divisor)};
  const Draws root(plan.key);
  Draws draws = root.branch(1);
  const Style style = style_of(plan.label, draws);
  const Colour background = colour(style.luminance, style.hue, draws.between(35, 60));
  fill_with_noise(picture.y, background.y, draw_noise(root.branch(2), picture.y), 5);
  const std::vector<std::int16_t> tint = draw_noise(root.branch(3), picture.cb);
  fill_with_noise(picture.cb, background.cb, tint, 8);
  fill_with_noise(picture.cr, background.cr, tint, 7);
  const int shapes = draws.between(4, 13);
  for (int i = 0; i < shapes; ++i) {
    const Shape shape = draw_shape(draws, style, plan.width, plan.height);
    // One at a time: compilers differ in the order in which they evaluate arguments.
    const int strength = draws.between(20, 70);
    const int hue = style.hue + draws.between(-8000, 8000);
    const Colour paint_colour = colour(draws.between(50, 205), hue, strength);
    paint(picture.y, shape, paint_colour.y);
    paint(picture.cb, scaled(shape, divisor), paint_colour.cb);
    paint(picture.cr, scaled(shape, divisor), paint_colour.cr);
  }
  return picture;
}

std::vector<std::int16_t> draw_grain(const ImagePlan& plan, const Plane& y) {
  std::vector<std::int16_t> grain(y.pixels.size());
  Draws draws = Draws(plan.key).branch(4);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < grain.size(); ++i) {
    bits = i % 4 == 0 ? draws.bits() : bits >> 16;
    // The sum of two uniforms is near enough to normal, and cheap.
    const auto low = static_cast<int>(bits & 0xFF);
    const auto high = static_cast<int>((bits >> 8) & 0xFF);
    grain[i] = static_cast<std::int16_t>((low + high - 255) * 4);
  }
  return grain;
}

void add_grain(const Plane& y,
               const std::vector<std::int16_t>& grain,
               int strength,
               Plane& result) {
  result.width = y.width;
  result.height = y.height;
  result.pixels.resize(y.pixels.size());
  const auto factor = static_cast<std::int16_t>(strength);
  for (std::size_t i = 0; i < grain.size(); ++i) {
    result.pixels[i] = to_byte(y.pixels[i] + ((grain[i] * factor) >> 16));
  }
}

}  // namespace tune::dataset
