#pragma once

#include "dataset/picture.h"

#include <string>

namespace tune::dataset {

/// Variants of the file format that loaders meet.
enum class Format { baseline, progressive, exif_rotated, grey, cmyk };

/// The picture, with `y` in place of its luminance, as a JPEG file.
std::string encode_jpeg(const Picture& picture, const Plane& y, int quality, Format format);

}  // namespace tune::dataset
