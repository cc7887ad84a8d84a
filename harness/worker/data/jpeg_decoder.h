#pragma once

#include "worker/data/crop.h"
#include "worker/data/file_bytes.h"
#include "worker/data/loader_options.h"

#include <memory>
#include <span>
#include <string>

namespace tune::worker {

/// Interleaved RGB rows without gaps. Points into the decoder until its next call.
struct Pixels {
  const std::uint8_t* data = nullptr;
  FrameSize size;
};

/// Decodes one JPEG after the other with libjpeg, reusing its memory. No file can make it crash or
/// throw: problems are returned as text.
///
/// `roi` decodes only the rows and columns around the crop. Its pixels equal those of `full`: the
/// decoded window is a little wider than the crop, because chroma upsampling uses neighbours.
class JpegDecoder {
 public:
  using Mode = LoaderOptions::Decode;

  JpegDecoder();
  ~JpegDecoder();
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  /// Reads the header. "" or what is wrong: "is a PNG", "20000x20000 pixels are more than 64 Mpx",
  /// "Premature end of JPEG file at byte 5120", with libjpeg's own words for damage.
  /// `file` must stay valid until decode() has returned.
  std::string open(std::span<const std::uint8_t> file);

  /// The frame size of the opened file.
  FrameSize frame() const;

  /// The crop's pixels, or with `roi_scaled` a picture of the crop that is smaller but at least
  /// `target` x `target`. "" or what is wrong. A truncated file is an error in every mode, even
  /// when the crop is above the missing part.
  std::string decode(const Crop& crop, std::int64_t target, Mode mode, Pixels& pixels);

 private:
  struct Codec;
  bool read_header();
  bool decode_window(const Crop& window, const Crop& wanted, Mode mode);

  std::unique_ptr<Codec> codec_;
  std::span<const std::uint8_t> file_;
  GrowBuffer rows_, crop_;
};

}  // namespace tune::worker
