#include "data_check.h"
#include "dataset/image_folder.h"
#include "worker/data/crop.h"
#include "worker/data/file_bytes.h"
#include "worker/data/jpeg_decoder.h"
#include "worker/data/normalize.h"
#include "worker/data/sample_maker.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

namespace data_check {

namespace {

using tune::trial::TrialSpec;
using tune::worker::Batch;
using tune::worker::Crop;
using tune::worker::FileBytes;
using tune::worker::FrameSize;
using tune::worker::JpegDecoder;
using tune::worker::Pixels;
using Mode = JpegDecoder::Mode;
using Bytes = std::vector<std::uint8_t>;

Bytes decode(JpegDecoder& decoder, const FileBytes& file, const Crop& crop, Mode mode) {
  Pixels pixels;
  expect_equal(decoder.open(file.bytes()), "", "open");
  expect_equal(decoder.decode(crop, 1, mode, pixels), "", "decode");
  return {pixels.data, pixels.data + pixels.size.width * pixels.size.height * 3};
}

// No byte may differ: this is why the decoded window is wider than the crop.
void check_roi(const Folders& folders) {
  const auto folder = tune::dataset::read_image_folder(folders.photos());
  FileBytes file;
  JpegDecoder decoder;
  std::int64_t sample = 0;
  for (const auto& image : folder.files) {
    expect_equal(file.read((folder.root / image.path).string()), "", image.path);
    decoder.open(file.bytes());
    const FrameSize frame = decoder.frame();
    for (std::int64_t epoch = 0; epoch < 6; ++epoch) {
      const Crop crop = tune::worker::draw_augmentation(frame, 3, epoch, sample).crop;
      expect(decode(decoder, file, crop, Mode::roi) == decode(decoder, file, crop, Mode::full),
             image.path + ": roi and full differ in epoch " + std::to_string(epoch));
    }
    ++sample;
  }
}

void check_scaled(const Folders& folders) {
  const auto folder = tune::dataset::read_image_folder(folders.photos());
  FileBytes file;
  JpegDecoder decoder;
  int smaller = 0;
  for (const auto& image : folder.files) {
    expect_equal(file.read((folder.root / image.path).string()), "", image.path);
    decoder.open(file.bytes());
    const FrameSize frame = decoder.frame();
    const Crop crop = {frame.width / 5, frame.height / 5, frame.width / 2, frame.height / 2};
    Pixels pixels;
    expect_equal(decoder.decode(crop, 48, Mode::roi_scaled, pixels), "", "decode");
    expect(pixels.size.width >= std::min<std::int64_t>(48, crop.width) &&
               pixels.size.height >= std::min<std::int64_t>(48, crop.height),
           image.path + ": the picture is smaller than the target");
    smaller += pixels.size.width < crop.width ? 1 : 0;
  }
  expect(smaller > 48, "most crops are decoded at a smaller scale");
}

struct Golden {
  std::string name;
  Crop crop;
  std::int64_t size = 0;
};

std::vector<Golden> goldens() {
  std::vector<Golden> all;
  std::ifstream in(fs::path(GOLDEN_DIR) / "goldens.txt");
  Golden golden;
  while (in >> golden.name >> golden.crop.x >> golden.crop.y >> golden.crop.width >>
         golden.crop.height >> golden.size) {
    all.push_back(golden);
  }
  expect(all.size() >= 6, "goldens.txt lists them");
  return all;
}

void check_golden(const Golden& golden, Mode mode) {
  FileBytes jpeg, rgb;
  expect_equal(jpeg.read((fs::path(GOLDEN_DIR) / (golden.name + ".jpg")).string()), "", "jpg");
  expect_equal(rgb.read((fs::path(GOLDEN_DIR) / (golden.name + ".rgb")).string()), "", "rgb");
  JpegDecoder decoder;
  Pixels pixels;
  expect_equal(decoder.open(jpeg.bytes()), "", golden.name);
  expect_equal(decoder.decode(golden.crop, 1, mode, pixels), "", golden.name);
  Bytes found(static_cast<std::size_t>(golden.size * golden.size * 3));
  tune::worker::resize_pixels(pixels, {golden.size, golden.size}, found.data());
  expect_equal(rgb.bytes().size(), found.size(), golden.name + ": bytes of the golden");
  std::int64_t equal = 0;
  int worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const int difference = std::abs(int{found[i]} - int{rgb.bytes()[i]});
    equal += difference == 0 ? 1 : 0;
    worst = std::max(worst, difference);
  }
  const double ratio = static_cast<double>(equal) / static_cast<double>(found.size());
  expect(ratio >= 0.95 && worst <= 2,
         golden.name + ": " + std::to_string(ratio) + " of the bytes equal, worst difference " +
             std::to_string(worst));
}

void check_goldens(const Folders&) {
  for (const Golden& golden : goldens()) {
    check_golden(golden, Mode::full);
    check_golden(golden, Mode::roi);
  }
}

// The header says how much memory the picture would take.
void check_large_pictures(const Folders&) {
  FileBytes file;
  expect_equal(file.read((fs::path(GOLDEN_DIR) / "progressive.jpg").string()), "", "jpg");
  Bytes bytes(file.bytes().begin(), file.bytes().end());
  const std::array<std::uint8_t, 2> frame_marker = {0xff, 0xc2};
  const auto frame =
      std::search(bytes.begin(), bytes.end(), frame_marker.begin(), frame_marker.end());
  expect(bytes.end() - frame > 9, "the file has a frame");
  const std::array<std::uint8_t, 4> five_thousand = {0x13, 0x88, 0x13, 0x88};
  std::copy(five_thousand.begin(), five_thousand.end(), frame + 5);  // height and width
  JpegDecoder decoder;
  expect_equal(
      decoder.open(bytes), "5000x5000 pixels are more than 16 Mpx in several scans", "open");
}

void check_buffers(const Folders&) {
  constexpr std::size_t kMiB = 1 << 20;
  tune::worker::GrowBuffer buffer;
  buffer.at_least(4 * kMiB);
  expect_equal(buffer.capacity(), 6 * kMiB, "with room to grow");
  buffer.at_least(64 * kMiB);
  expect_equal(buffer.capacity(), 64 * kMiB, "huge: exact");
  buffer.at_least(17 * kMiB);
  expect_equal(buffer.capacity(), 64 * kMiB, "kept while samples are large");
  buffer.at_least(kMiB);
  expect(buffer.capacity() < 2 * kMiB, "freed at the next usual sample");
  const std::uint8_t* const kept = buffer.at_least(kMiB);
  expect(buffer.at_least(100) == kept, "a usual one is kept");
}

void check_crops(const Folders&) {
  const FrameSize frame = {500, 375};
  double area = 0;
  int flipped = 0;
  constexpr int kCrops = 20000;
  for (int i = 0; i < kCrops; ++i) {
    const auto [is_flipped, crop] = tune::worker::draw_augmentation(frame, 1, 0, i);
    const auto width = static_cast<double>(crop.width), height = static_cast<double>(crop.height);
    expect(crop.x >= 0 && crop.y >= 0 && crop.x + crop.width <= frame.width &&
               crop.y + crop.height <= frame.height,
           "the crop is inside the frame");
    expect(width / height > 0.74 && width / height < 1.35, "the ratio is 3/4 to 4/3");
    area += width * height / (500.0 * 375.0) / kCrops;
    flipped += is_flipped ? 1 : 0;
  }
  // torchvision 0.26 has 0.4308 over 8,000 draws: large crops of the wrong ratio are drawn again.
  expect(area > 0.425 && area < 0.437, "mean area " + std::to_string(area));
  expect(std::abs(flipped - kCrops / 2) < 400, "half of the images are flipped");
  const Crop strip = tune::worker::draw_augmentation({1000, 20}, 1, 0, 0).crop;
  expect(strip == Crop{486, 0, 27, 20}, "a strip is cropped in the middle");
}

void check_flip(const Folders&) {
  Bytes pixels = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  tune::worker::GrowBuffer row;
  tune::worker::flip_rows(pixels.data(), {3, 2}, row);
  const Bytes expected = {7, 8, 9, 4, 5, 6, 1, 2, 3, 17, 18, 19, 14, 15, 16, 11, 12, 13};
  expect(pixels == expected, "rows are mirrored pixel by pixel");
}

void check_normalize(const Folders&) {
  constexpr std::array<double, 3> kMean = {0.485, 0.456, 0.406};
  constexpr std::array<double, 3> kDeviation = {0.229, 0.224, 0.225};
  at::Tensor images =
      at::empty({3, 3, 17, 19},
                at::TensorOptions().dtype(at::kByte).memory_format(at::MemoryFormat::ChannelsLast));
  auto* const bytes = images.data_ptr<std::uint8_t>();
  for (std::int64_t i = 0; i < images.numel(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i * 37 % 256);
  }
  const at::Tensor wide = images.to(at::kDouble).contiguous();
  for (const auto format : {at::MemoryFormat::ChannelsLast, at::MemoryFormat::Contiguous}) {
    for (const auto dtype : {at::kFloat, at::kBFloat16}) {
      at::Tensor found =
          at::empty(images.sizes(), at::TensorOptions().dtype(dtype).memory_format(format));
      tune::worker::normalize_into(images, found);
      const at::Tensor plain = found.to(at::kDouble).contiguous();
      const double tolerance = dtype == at::kFloat ? 1e-6 : 8e-3;
      for (std::int64_t i = 0; i < plain.numel(); ++i) {
        const auto channel = static_cast<std::size_t>(i / (17 * 19) % 3);
        const double expected =
            (wide.data_ptr<double>()[i] / 255 - kMean[channel]) / kDeviation[channel];
        const double difference = std::abs(plain.data_ptr<double>()[i] - expected);
        expect(difference <= tolerance * (1 + std::abs(expected)),
               "normalised value differs by " + std::to_string(difference));
      }
    }
  }
}

// Mean colour of an image.
std::array<double, 3> colour(const at::Tensor& image) {
  std::array<double, 3> mean{};
  for (std::int64_t channel = 0; channel < 3; ++channel) {
    mean[static_cast<std::size_t>(channel)] = image[channel].to(at::kDouble).mean().item<double>();
  }
  return mean;
}

// Classes differ in hue. If the nearest mean colour of epoch one predicts the class in epoch two
// far better than chance, labels and pixels belong together.
void check_labels(const Folders& folders) {
  const auto loader = open(folders.photos());
  std::array<std::array<double, 3>, 4> means{};
  std::array<int, 4> counts{};
  int right = 0, all = 0;
  for (std::int64_t i = 0; i < 2 * loader->batches_per_epoch(); ++i) {
    const Batch batch = loader->next();
    for (std::int64_t k = 0; k < batch.labels.size(0); ++k) {
      const auto label = static_cast<std::size_t>(batch.labels[k].item<std::int64_t>());
      const std::array<double, 3> seen = colour(batch.images[k]);
      if (batch.epoch == 0) {
        ++counts.at(label);
        for (std::size_t c = 0; c < 3; ++c) {
          means[label][c] += seen[c] / 24;
        }
        continue;
      }
      const auto distance = [&](const std::array<double, 3>& mean) {
        return std::hypot(mean[0] - seen[0], mean[1] - seen[1], mean[2] - seen[2]);
      };
      const auto nearest =
          std::min_element(means.begin(), means.end(), [&](const auto& a, const auto& b) {
            return distance(a) < distance(b);
          });
      right += static_cast<std::size_t>(nearest - means.begin()) == label ? 1 : 0;
      ++all;
    }
  }
  for (const int count : counts) {
    expect_equal(count, 24, "images of a class in an epoch");
  }
  expect(right * 2 > all, std::to_string(right) + " of " + std::to_string(all) + " classes right");
}

}  // namespace

void add_pixel_checks(std::map<std::string, Check>& checks) {
  checks["roi-equals-full"] = check_roi;
  checks["scaled-decode-reaches-the-target"] = check_scaled;
  checks["pixels-equal-pillow"] = check_goldens;
  checks["large-pictures-in-scans-are-refused"] = check_large_pictures;
  checks["huge-buffers-are-given-back"] = check_buffers;
  checks["crops-follow-torchvision"] = check_crops;
  checks["flip-mirrors-rows"] = check_flip;
  checks["normalize-follows-the-formula"] = check_normalize;
  checks["labels-belong-to-pixels"] = check_labels;
}

}  // namespace data_check
