// Only the loader: images/s, CPU time per image, time to the first batch. See README.md.

#include "base/clock.h"
#include "trial/knob_catalog.h"
#include "worker/data/crop.h"
#include "worker/data/file_bytes.h"
#include "worker/data/image_samples.h"
#include "worker/data/jpeg_decoder.h"
#include "worker/data/loader.h"
#include "worker/data/random_stream.h"

#include <CLI/App.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/resource.h>

namespace {

using namespace tune;

struct Request {
  std::string data, loader = "ring", decode = "roi", dtype = "u8", task = "train", crops, dump;
  std::int64_t workers = 2, batch = 64, size = 224, prefetch = 2, images = 4000;
  bool is_persistent = true;
};

trial::TrialSpec as_spec(const Request& request) {
  trial::TrialSpec spec;
  spec.data.source = "generated-jpeg";
  spec.data.path = request.data;
  spec.data.drop_last = true;
  spec.workload.task = request.task;
  spec.workload.image_size = request.size;
  spec.knobs = trial::default_settings();
  spec.knobs["num_workers"] = request.workers;
  spec.knobs["batch_size"] = request.batch;
  spec.knobs["prefetch_factor"] = request.prefetch;
  spec.knobs["loader"] = request.loader;
  spec.knobs["decode"] = request.decode;
  spec.knobs["dtype"] = request.dtype;
  spec.knobs["persistent_workers"] = request.is_persistent;
  return spec;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The crops of the first images in the order of delivery, so that another program can do the same
// work: path, x, y, width, height, flipped; separated by tabs.
void write_crops(const Request& request) {
  const worker::ImageSamples samples = worker::read_image_samples(as_spec(request));
  std::ofstream out(request.crops);
  worker::FileBytes file;
  worker::JpegDecoder decoder;
  const std::int64_t per_epoch = samples.batches_per_epoch * request.batch;
  for (std::int64_t i = 0; i < request.images; ++i) {
    const std::int64_t epoch = i / per_epoch;
    const auto order = worker::epoch_order(samples.seed, epoch, samples.count());
    for (; i < request.images && i / per_epoch == epoch; ++i) {
      const std::int64_t sample = order[static_cast<std::size_t>(i % per_epoch)];
      const std::string path = (samples.folder.root / samples.file(sample).path).string();
      if (!file.read(path).empty() || !decoder.open(file.bytes()).empty()) {
        throw std::runtime_error(path + ": no JPEG");
      }
      const auto [is_flipped, crop] =
          worker::draw_augmentation(decoder.frame(), samples.seed, epoch, sample);
      out << path << '\t' << crop.x << '\t' << crop.y << '\t' << crop.width << '\t' << crop.height
          << '\t' << (is_flipped ? 1 : 0) << '\n';
    }
    --i;
  }
}

// The bytes of the first batch, [N, height, width, 3].
void write_first_batch(const Request& request) {
  const worker::Batch batch = worker::make_loader(as_spec(request))->next();
  std::ofstream(request.dump, std::ios::binary)
      .write(static_cast<const char*>(batch.images.const_data_ptr()),
             static_cast<std::streamsize>(batch.images.nbytes()));
}

void measure(const Request& request) {
  const std::int64_t made_ns = monotonic_ns();
  const auto loader = worker::make_loader(as_spec(request));
  loader->next();
  const std::int64_t first_ns = monotonic_ns();
  // Batches made ahead do not count as throughput of the window, so it must start and end with
  // equally few: the consumer below does nothing, and the stock is empty at both edges.
  for (std::int64_t i = 0; i < request.prefetch * 2; ++i) {
    loader->next();
  }
  const auto before = loader->report();
  const double cpu_before = cpu_seconds();
  const std::int64_t start_ns = monotonic_ns();
  std::int64_t images = 0;
  while (images < request.images) {
    images += loader->next().labels.size(0);
  }
  const double wall = static_cast<double>(monotonic_ns() - start_ns) * 1e-9;
  const double cpu = cpu_seconds() - cpu_before;
  const auto after = loader->report();
  const auto count = static_cast<double>(images);
  const auto us = [&](std::int64_t ns) { return static_cast<double>(ns) * 1e-3 / count; };
  std::printf(
      "%s %s %s workers=%ld batch=%ld size=%ld: %.0f images/s, %.0f CPU us/image "
      "(read %.0f, decode %.0f, resize %.0f), first batch %.0f ms\n",
      request.loader.c_str(),
      request.decode.c_str(),
      request.dtype.c_str(),
      request.workers,
      request.batch,
      request.size,
      count / wall,
      cpu * 1e6 / count,
      us(after.read_ns - before.read_ns),
      us(after.decode_ns - before.decode_ns),
      us(after.resize_ns - before.resize_ns),
      static_cast<double>(first_ns - made_ns) * 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  CLI::App app{"tune's loader without a model"};
  app.add_option("data", request.data, "folder with one sub-folder of JPEGs per class")->required();
  app.add_option("--loader", request.loader, "ring or libtorch");
  app.add_option("--decode", request.decode, "full, roi or roi-scaled");
  app.add_option("--dtype", request.dtype, "u8 or f32");
  app.add_option("--task", request.task, "train or infer");
  app.add_option("--workers", request.workers, "loader threads");
  app.add_option("--batch", request.batch, "images per batch");
  app.add_option("--size", request.size, "pixels");
  app.add_option("--prefetch", request.prefetch, "prefetch_factor");
  app.add_option("--images", request.images, "images of the measured window");
  app.add_flag("--persistent,!--no-persistent", request.is_persistent, "keep threads over epochs");
  app.add_option("--crops", request.crops, "measure nothing; write the crops of --images images");
  app.add_option("--dump", request.dump, "measure nothing; write the first batch's bytes");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!request.crops.empty()) {
      write_crops(request);
    } else if (!request.dump.empty()) {
      write_first_batch(request);
    } else {
      measure(request);
    }
  } catch (const std::exception& error) {
    std::cerr << "loader_bench: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
