#include "dataset/generated_image.h"

#include "base/assert.h"
#include "base/error.h"
#include "dataset/picture.h"

#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it
#include <cstdlib>
#include <string>
#include <vector>

namespace tune::dataset {

namespace {

// Variants of the file format that loaders meet.
enum class Format { baseline, progressive, exif_rotated, grey, cmyk };

struct ErrorManager {
  jpeg_error_mgr base;  // first: libjpeg hands back a pointer to it
  std::jmp_buf back;
};

[[noreturn]] void leave(j_common_ptr state) {
  std::longjmp(reinterpret_cast<ErrorManager*>(state->err)->back, 1);
}

/// The resources of a compression. A plain struct: longjmp skips destructors.
struct Encoder {
  jpeg_compress_struct state;
  ErrorManager errors;
  unsigned char* bytes;
  unsigned long size;  // NOLINT(google-runtime-int): libjpeg's type
};

constexpr int kRowsOfMcu = 16;

// "Exif", little-endian TIFF, one entry: orientation (0x0112) = 6, "rotate by 90 degrees".
constexpr std::array<unsigned char, 32> kOrientation6 = {
    'E',  'x', 'i', 'f', 0, 0, 'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0,
    0x12, 1,   3,   0,   1, 0, 0,   0,   6,  0, 0, 0, 0, 0, 0, 0};

void set_parameters(Encoder& encoder, const Picture& picture, int quality, Format format) {
  jpeg_compress_struct& state = encoder.state;
  state.image_width = static_cast<JDIMENSION>(picture.width);
  state.image_height = static_cast<JDIMENSION>(picture.height);
  const bool is_cmyk = format == Format::cmyk;
  const bool is_grey = format == Format::grey;
  state.input_components = is_cmyk ? 4 : is_grey ? 1 : 3;
  state.in_color_space = is_cmyk ? JCS_CMYK : is_grey ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_set_defaults(&state);
  jpeg_set_quality(&state, quality, TRUE);
  state.dct_method = JDCT_ISLOW;  // exact integers: the same bytes with and without SIMD
  if (!is_cmyk && !is_grey) {
    const int factor = picture.subsampling == Subsampling::both_420 ? 2 : 1;
    state.comp_info[0].h_samp_factor = factor;
    state.comp_info[0].v_samp_factor = factor;
  }
  if (format == Format::progressive) {
    jpeg_simple_progression(&state);
  }
}

/// Hands over the planes as they are, without conversion or subsampling by libjpeg.
void write_planes(jpeg_compress_struct& state, const std::array<const Plane*, 3>& planes) {
  std::array<std::array<JSAMPROW, kRowsOfMcu>, 3> rows{};
  std::array<JSAMPARRAY, 3> components = {rows[0].data(), rows[1].data(), rows[2].data()};
  while (state.next_scanline < state.image_height) {
    const int top = static_cast<int>(state.next_scanline);
    for (std::size_t c = 0; c < 3; ++c) {
      const int factor = state.comp_info[c].v_samp_factor;
      const int first = top * factor / state.max_v_samp_factor;
      for (int i = 0; i < factor * DCTSIZE; ++i) {
        // libjpeg does not write to its input, it only lacks the const.
        rows[c][static_cast<std::size_t>(i)] = const_cast<JSAMPROW>(planes[c]->row(first + i));
      }
    }
    jpeg_write_raw_data(
        &state, components.data(), static_cast<JDIMENSION>(state.max_v_samp_factor * DCTSIZE));
  }
}

/// Full-colour inks from luminance only: what matters is that there are four channels.
void write_inks(jpeg_compress_struct& state, const Plane& y, unsigned char* row) {
  while (state.next_scanline < state.image_height) {
    const std::uint8_t* const from = y.row(static_cast<int>(state.next_scanline));
    for (std::size_t x = 0; x < state.image_width; ++x) {
      row[4 * x] = from[x];  // Adobe's inks are inverted: 255 is none
      row[4 * x + 1] = static_cast<unsigned char>(from[x] / 2 + 100);
      row[4 * x + 2] = static_cast<unsigned char>(from[x] / 2 + 60);
      row[4 * x + 3] = 255;
    }
    jpeg_write_scanlines(&state, &row, 1);
  }
}

void write_grey(jpeg_compress_struct& state, const Plane& y) {
  while (state.next_scanline < state.image_height) {
    auto* row = const_cast<JSAMPROW>(y.row(static_cast<int>(state.next_scanline)));
    jpeg_write_scanlines(&state, &row, 1);
  }
}

/// Returns false on an error of libjpeg. Uses no object with a destructor, see Encoder.
bool run(Encoder& encoder,
         const Picture& picture,
         const Plane& y,
         int quality,
         Format format,
         unsigned char* ink_row) {
  if (setjmp(encoder.errors.back) != 0) {
    return false;
  }
  jpeg_compress_struct& state = encoder.state;
  jpeg_create_compress(&state);
  jpeg_mem_dest(&state, &encoder.bytes, &encoder.size);
  set_parameters(encoder, picture, quality, format);
  const bool is_raw = format != Format::grey && format != Format::cmyk;
  state.raw_data_in = is_raw ? TRUE : FALSE;
  jpeg_start_compress(&state, TRUE);
  if (format == Format::exif_rotated) {
    jpeg_write_marker(&state, JPEG_APP0 + 1, kOrientation6.data(), kOrientation6.size());
  }
  if (is_raw) {
    write_planes(state, {&y, &picture.cb, &picture.cr});
  } else if (format == Format::grey) {
    write_grey(state, y);
  } else {
    write_inks(state, y, ink_row);
  }
  jpeg_finish_compress(&state);
  return true;
}

// The picture as a JPEG file, with `y` as its luminance.
std::string encode_jpeg(const Picture& picture, const Plane& y, int quality, Format format) {
  TUNE_ASSERT(y.pixels.size() == picture.y.pixels.size());
  std::vector<unsigned char> ink_row(static_cast<std::size_t>(y.width) * 4);
  Encoder encoder{};
  encoder.state.err = jpeg_std_error(&encoder.errors.base);
  encoder.errors.base.error_exit = leave;
  const bool done = run(encoder, picture, y, quality, format, ink_row.data());
  std::array<char, JMSG_LENGTH_MAX> message{};
  if (!done) {
    encoder.errors.base.format_message(reinterpret_cast<j_common_ptr>(&encoder.state),
                                       message.data());
  }
  jpeg_destroy_compress(&encoder.state);
  std::string jpeg;
  if (done) {
    jpeg.assign(reinterpret_cast<const char*>(encoder.bytes), encoder.size);
  }
  std::free(encoder.bytes);  // NOLINT: libjpeg took it with malloc
  if (!done) {
    throw Error({"generated-jpeg", "libjpeg cannot encode an image", message.data(), ""});
  }
  return jpeg;
}

constexpr int kMostEncodes = 5;
constexpr std::int64_t kTolerance = 40;  // 1/40 of the wanted size is near enough

Format format_of(Fault fault) {
  switch (fault) {
    case Fault::cmyk:
      return Format::cmyk;
    case Fault::grey:
      return Format::grey;
    case Fault::progressive:
      return Format::progressive;
    case Fault::exif_rotated:
      return Format::exif_rotated;
    default:
      return Format::baseline;
  }
}

/// Grain that gives this many bytes per pixel at quality 90, measured; the search starts here.
std::int64_t usual_strength(std::int64_t bytes_per_kilopixel) {
  struct Point {
    std::int64_t bytes, strength;
  };
  constexpr std::array kPoints = {Point{70, 16},
                                  Point{85, 100},
                                  Point{111, 200},
                                  Point{164, 400},
                                  Point{269, 800},
                                  Point{392, 1600},
                                  Point{515, 3200},
                                  Point{714, 8200},
                                  Point{925, 16400},
                                  Point{1200, 32767}};
  for (std::size_t i = 1; i < kPoints.size(); ++i) {
    const Point& low = kPoints.at(i - 1);
    const Point& high = kPoints.at(i);
    if (bytes_per_kilopixel < high.bytes) {
      const std::int64_t above = std::max<std::int64_t>(bytes_per_kilopixel - low.bytes, 0);
      return low.strength + (high.strength - low.strength) * above / (high.bytes - low.bytes);
    }
  }
  return kPoints.back().strength;
}

/// The file grows with the strength of the grain: secant steps towards the wanted size.
class SizeSearch {
 public:
  explicit SizeSearch(const ImagePlan& plan)
      : plan_(plan),
        // The quantiser's steps, and with them the grain that fills them, shrink with quality.
        strength_(
            bounded(usual_strength(density(plan_.target_bytes)) * (100 - plan.quality) / 10)) {}

  int strength() const { return strength_; }

  /// Takes the size that strength() gave; false when it is near enough or cannot be improved.
  bool go_on(std::int64_t size) {
    if (std::abs(size - plan_.target_bytes) * kTolerance <= plan_.target_bytes) {
      return false;
    }
    if (size < plan_.target_bytes) {
      low_ = std::max(low_, strength_);
    } else {
      high_ = std::min(high_, strength_);
    }
    const std::int64_t next = next_strength(size);
    last_strength_ = strength_;
    last_size_ = size;
    strength_ = static_cast<int>(std::clamp<std::int64_t>(next, low_, high_));
    return strength_ != last_strength_;
  }

 private:
  std::int64_t next_strength(std::int64_t size) const {
    if (last_size_ == 0 || size == last_size_) {
      return strength_ * usual_strength(density(plan_.target_bytes)) /
             usual_strength(density(size));
    }
    const std::int64_t step =
        (plan_.target_bytes - size) * (strength_ - last_strength_) / (size - last_size_);
    return std::clamp<std::int64_t>(strength_ + step, strength_ / 4, strength_ * 4 + 64);
  }

  std::int64_t density(std::int64_t size) const { return bytes_per_kilopixel(plan_, size); }

  static int bounded(std::int64_t strength) {
    return static_cast<int>(std::clamp<std::int64_t>(strength, 1, kStrongestGrain));
  }

  const ImagePlan& plan_;
  int strength_;
  int low_ = 0, high_ = kStrongestGrain;  // brackets of the answer
  int last_strength_ = 0;
  std::int64_t last_size_ = 0;
};

}  // namespace

GeneratedImage generate_image(const GeneratedSpec& spec, std::int64_t index) {
  GeneratedImage image;
  image.plan = plan_image(spec, index);
  const Picture picture = draw_picture(image.plan);
  const std::vector<std::int16_t> grain = draw_grain(image.plan, picture.y);
  const Format format = format_of(image.plan.fault);
  Plane grainy;
  SizeSearch search(image.plan);
  const auto miss = [&image](const std::string& jpeg) {
    return std::abs(static_cast<std::int64_t>(jpeg.size()) - image.plan.target_bytes);
  };
  bool goes_on = true;
  while (goes_on) {
    add_grain(picture.y, grain, search.strength(), grainy);
    std::string jpeg = encode_jpeg(picture, grainy, image.plan.quality, format);
    ++image.encodes;
    goes_on = search.go_on(static_cast<std::int64_t>(jpeg.size())) && image.encodes < kMostEncodes;
    if (image.bytes.empty() || miss(jpeg) < miss(image.bytes)) {
      image.bytes = std::move(jpeg);
    }
  }
  image.bytes = damage(std::move(image.bytes), image.plan.fault, image.plan.key);
  return image;
}

}  // namespace tune::dataset
