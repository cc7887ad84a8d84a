#pragma once

#include "trial/trial_reply.h"
#include "worker/data/file_bytes.h"
#include "worker/data/image_samples.h"
#include "worker/data/jpeg_decoder.h"
#include "worker/data/sample_times.h"
#include "worker/data/wait_watch.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::worker {

/// Resizes to size.width x size.height by ATen's antialiased bilinear filter on bytes, which
/// follows Pillow's and torchvision's. `out` gets interleaved RGB rows without gaps.
void resize_pixels(const Pixels& in, FrameSize size, std::uint8_t* out);

/// Mirrors interleaved RGB rows, left to right; `row` is room for one.
void flip_rows(std::uint8_t* pixels, FrameSize size, GrowBuffer& row);

/// One file that could not be used as it is.
struct Fault {
  std::string path, problem, treatment;
};

/// The result of one sample.
struct MadeSample {
  std::int64_t label = 0;
  std::optional<Fault> fault;
};

/// The time that one thread has spent. Written by that thread, read by the reporting thread; on its
/// own cache lines, because shared ones would slow the threads down.
struct alignas(128) StageCounters {
  std::atomic<std::int64_t> read_ns = 0, decode_ns = 0, resize_ns = 0;  ///< CPU time of the thread
  std::atomic<std::int64_t> bytes_read = 0;
  std::atomic<std::int64_t> frame_pixels = 0, kept_pixels = 0;  ///< decoded; within the crop

  void add_to(trial::LoaderReport& report) const;
};

/// Totals over the threads of a loader: the sums of their stages, and the share of the decoded
/// frames that crops keep.
void add_counters(const std::vector<const StageCounters*>& threads, trial::LoaderReport& report);

/// Makes one sample after the other: read, decode, resize, flip, directly into the batch. One per
/// thread. When steps are recorded, these are the ranges read, decode, resize and write; write is
/// what still moves pixels after resizing. The bytes depend on (seed, epoch, sample) only.
class SampleMaker {
 public:
  explicit SampleMaker(const ImageSamples& samples) : samples_(samples) {}

  /// Fills `out` with bytes_per_image() bytes. With the policy `fail` they are undefined when the
  /// result has a fault.
  MadeSample make(std::int64_t epoch, std::int64_t sample, std::uint8_t* out);

  const StageCounters& counters() const { return counters_; }
  const WorkInHand& in_hand() const { return in_hand_; }
  const SampleTimes& times() const { return times_; }

 private:
  MadeSample make_sample(std::int64_t epoch, std::int64_t sample, std::uint8_t* out);
  void count_pixels(FrameSize frame, FrameSize kept);
  std::string fill(std::int64_t epoch, std::int64_t sample, std::uint8_t* out);
  std::string fill_for_training(std::int64_t epoch, std::int64_t sample, std::uint8_t* out);
  std::string fill_for_inference(std::uint8_t* out);
  void replace(std::int64_t epoch, std::int64_t sample, std::uint8_t* out, MadeSample& made);
  void fill_with_zero(std::uint8_t* out);

  const ImageSamples& samples_;
  FileBytes file_;
  JpegDecoder decoder_;
  GrowBuffer bytes_, resized_, row_;
  StageCounters counters_;
  WorkInHand in_hand_;
  SampleTimes times_;
};

}  // namespace tune::worker
