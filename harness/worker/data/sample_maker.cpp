#include "worker/data/sample_maker.h"

#include "worker/data/normalize.h"
#include "worker/recorder/range.h"

#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstring>
#include <ctime>

namespace tune::worker {

namespace {

// Interleaved rows, viewed as ATen's channels-last [1, 3, height, width]. ATen only reads the
// input.
at::Tensor as_image(const std::uint8_t* pixels, FrameSize size) {
  return at::from_blob(const_cast<std::uint8_t*>(pixels),
                       {1, 3, size.height, size.width},
                       {size.height * size.width * 3, 1, size.width * 3, 3},
                       at::TensorOptions().dtype(at::kByte));
}

}  // namespace

void resize_pixels(const Pixels& in, FrameSize size, std::uint8_t* out) {
  if (in.size == size) {
    std::memcpy(out, in.data, static_cast<std::size_t>(size.width * size.height * 3));
    return;
  }
  const c10::InferenceMode no_autograd;
  at::Tensor resized = as_image(out, size);
  at::_upsample_bilinear2d_aa_out(
      resized, as_image(in.data, in.size), {size.height, size.width}, false);
}

void flip_rows(std::uint8_t* pixels, FrameSize size, GrowBuffer& row) {
  const std::int64_t row_bytes = size.width * 3;
  std::uint8_t* const copy = row.at_least(static_cast<std::size_t>(row_bytes + 1));
  for (std::int64_t y = 0; y < size.height; ++y) {
    std::uint8_t* to = pixels + y * row_bytes;
    std::memcpy(copy, to, static_cast<std::size_t>(row_bytes));
    const std::uint8_t* from = copy + row_bytes - 3;
    // Four bytes take one move, three take two; the fourth byte is overwritten by the next pixel.
    for (std::int64_t x = 1; x < size.width; ++x, to += 3, from -= 3) {
      std::memcpy(to, from, 4);
    }
    std::memcpy(to, from, 3);
  }
}

namespace {

// How far to search for a file that replaces a broken one.
constexpr std::int64_t kNeighbours = 64;

// A strip of 1 x 60,000 pixels would become gigabytes when its shorter side is enlarged.
constexpr std::int64_t kMaxResizedPixels = 64'000'000;

/// Adds the CPU time of the calling thread during its lifetime.
class StageTimer {
 public:
  explicit StageTimer(std::atomic<std::int64_t>& sum) : sum_(sum), start_(cpu_ns()) {}
  ~StageTimer() {
    sum_.store(sum_.load(std::memory_order_relaxed) + cpu_ns() - start_, std::memory_order_relaxed);
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  static std::int64_t cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
  }
  std::atomic<std::int64_t>& sum_;
  std::int64_t start_;
};

}  // namespace

void StageCounters::add_to(trial::LoaderReport& report) const {
  report.read_ns += read_ns;
  report.decode_ns += decode_ns;
  report.resize_ns += resize_ns;
  report.bytes_read += bytes_read;
}

void add_counters(const std::vector<const StageCounters*>& threads, trial::LoaderReport& report) {
  double frames = 0, kept = 0;
  for (const StageCounters* const thread : threads) {
    thread->add_to(report);
    frames += static_cast<double>(thread->frame_pixels);
    kept += static_cast<double>(thread->kept_pixels);
  }
  if (frames > 0) {
    report.crop_area_ratio = std::min(1.0, kept / frames);
  }
}

MadeSample SampleMaker::make(std::int64_t epoch, std::int64_t sample, std::uint8_t* out) {
  const std::int64_t start_ns = monotonic_ns();
  MadeSample made = make_sample(epoch, sample, out);
  times_.add(monotonic_ns() - start_ns);
  return made;
}

MadeSample SampleMaker::make_sample(std::int64_t epoch, std::int64_t sample, std::uint8_t* out) {
  MadeSample made;
  made.label = samples_.file(sample).label;
  // Floats are made from bytes in a private buffer.
  const bool is_float = samples_.options.dtype == LoaderOptions::Dtype::f32;
  const auto image_bytes = static_cast<std::size_t>(samples_.pixels_per_image() * 3);
  std::uint8_t* const pixels = is_float ? bytes_.at_least(image_bytes) : out;
  if (std::string problem = fill(epoch, sample, pixels); !problem.empty()) {
    made.fault = {samples_.file(sample).path, std::move(problem), ""};
    if (samples_.on_error == ImageSamples::ErrorPolicy::fail) {
      made.fault->treatment = "fail";
      in_hand_.end();
      return made;
    }
    replace(epoch, sample, pixels, made);
  }
  if (is_float) {
    const Range write("write");
    const StageTimer timer(counters_.resize_ns);
    normalize_pixels(pixels, samples_.pixels_per_image(), reinterpret_cast<float*>(out));
  }
  in_hand_.end();
  return made;
}

void SampleMaker::replace(std::int64_t epoch,
                          std::int64_t sample,
                          std::uint8_t* out,
                          MadeSample& made) {
  const std::int64_t reach = samples_.on_error == ImageSamples::ErrorPolicy::replace
                                 ? std::min(kNeighbours, samples_.count() - 1)
                                 : 0;
  for (std::int64_t step = 1; step <= reach; ++step) {
    const std::int64_t neighbour = (sample + step) % samples_.count();
    if (fill(epoch, neighbour, out).empty()) {
      made.label = samples_.file(neighbour).label;  // the label belongs to the pixels
      made.fault->treatment = "replaced by " + samples_.file(neighbour).path;
      return;
    }
  }
  fill_with_zero(out);
  made.fault->treatment = "zero";
}

void SampleMaker::fill_with_zero(std::uint8_t* out) {
  std::memset(out, 0, static_cast<std::size_t>(samples_.pixels_per_image() * 3));
}

std::string SampleMaker::fill(std::int64_t epoch, std::int64_t sample, std::uint8_t* out) {
  in_hand_.begin(sample);
  {
    const Range read("read");
    const StageTimer timer(counters_.read_ns);
    if (std::string problem = file_.read(samples_.folder.root / samples_.file(sample).path);
        !problem.empty()) {
      return problem;
    }
    counters_.bytes_read.fetch_add(static_cast<std::int64_t>(file_.bytes().size()),
                                   std::memory_order_relaxed);
  }
  in_hand_.decode();
  return samples_.task == ImageSamples::Task::train ? fill_for_training(epoch, sample, out)
                                                    : fill_for_inference(out);
}

void SampleMaker::count_pixels(FrameSize frame, FrameSize kept) {
  counters_.frame_pixels.fetch_add(frame.width * frame.height, std::memory_order_relaxed);
  counters_.kept_pixels.fetch_add(kept.width * kept.height, std::memory_order_relaxed);
}

std::string SampleMaker::fill_for_training(std::int64_t epoch,
                                           std::int64_t sample,
                                           std::uint8_t* out) {
  const FrameSize size = {samples_.image_size, samples_.image_size};
  Augmentation augmentation;
  Pixels pixels;
  {
    const Range decode("decode");
    const StageTimer timer(counters_.decode_ns);
    if (std::string problem = decoder_.open(file_.bytes()); !problem.empty()) {
      return problem;
    }
    augmentation = draw_augmentation(decoder_.frame(), samples_.seed, epoch, sample);
    count_pixels(decoder_.frame(), {augmentation.crop.width, augmentation.crop.height});
    if (std::string problem = decoder_.decode(
            augmentation.crop, samples_.image_size, samples_.options.decode, pixels);
        !problem.empty()) {
      return problem;
    }
  }
  const StageTimer timer(counters_.resize_ns);
  {
    const Range resize("resize");
    resize_pixels(pixels, size, out);
  }
  if (augmentation.is_flipped) {
    const Range write("write");
    flip_rows(out, size, row_);
  }
  return "";
}

// torchvision's usual evaluation: shorter side to 256/224 of the size, then the middle. The whole
// frame is decoded in every mode: resizing a part of it would shift the pixels' grid.
std::string SampleMaker::fill_for_inference(std::uint8_t* out) {
  const std::int64_t shorter_side = samples_.image_size * 256 / 224;
  Pixels pixels;
  FrameSize resized;
  {
    const Range decode("decode");
    const StageTimer timer(counters_.decode_ns);
    if (std::string problem = decoder_.open(file_.bytes()); !problem.empty()) {
      return problem;
    }
    const FrameSize frame = decoder_.frame();
    count_pixels(frame, frame);  // resized as a whole: no part could be skipped
    resized = resized_by_shorter_side(frame, shorter_side);
    if (resized.width * resized.height > kMaxResizedPixels) {
      return std::to_string(frame.width) + "x" + std::to_string(frame.height) +
             " pixels are too narrow to be resized";
    }
    if (std::string problem = decoder_.decode(
            {0, 0, frame.width, frame.height}, shorter_side, samples_.options.decode, pixels);
        !problem.empty()) {
      return problem;
    }
  }
  const StageTimer timer(counters_.resize_ns);
  const auto row_bytes = resized.width * 3;
  std::uint8_t* const all = resized_.at_least(static_cast<std::size_t>(row_bytes * resized.height));
  {
    const Range resize("resize");
    resize_pixels(pixels, resized, all);
  }
  const Range write("write");
  const Crop middle = center_crop(resized, samples_.image_size);
  for (std::int64_t y = 0; y < middle.height; ++y) {
    std::memcpy(out + y * middle.width * 3,
                all + (middle.y + y) * row_bytes + middle.x * 3,
                static_cast<std::size_t>(middle.width * 3));
  }
  return "";
}

}  // namespace tune::worker
