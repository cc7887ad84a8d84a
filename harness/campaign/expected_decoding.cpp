#include "campaign/expected_decoding.h"

#include "dataset/generated_spec.h"

#include <algorithm>

namespace tune::campaign {

namespace {

/// What decoding one image of the probe's kind should cost, by what it found here.
class DecodeModel {
 public:
  DecodeModel(const probe::ProbeRecord& record, const char* label)
      : per_kb_(probe::value_of(record, "decode_time_per_kb", label)),
        per_kpx_(probe::value_of(record, "decode_time_per_kpx", label)) {}

  bool is_known() const { return per_kb_ && per_kpx_; }

  double seconds(const dataset::ImagePlan& image) const {
    constexpr double kKilo = 1e-3, kMicro = 1e-6;
    const double pixels = static_cast<double>(image.width) * static_cast<double>(image.height);
    return (*per_kb_ * static_cast<double>(image.target_bytes) + *per_kpx_ * pixels) * kKilo *
           kMicro;
  }

 private:
  std::optional<double> per_kb_, per_kpx_;
};

}  // namespace

ExpectedDecoding expected_decoding(const probe::ProbeRecord& record,
                                   const trial::Data& data,
                                   std::int64_t classes) {
  if (data.source != "generated-jpeg") {
    return {.reason = data.source == "image-folder" ? "the sizes of a folder's images are not known"
                                                    : "nothing is decoded"};
  }
  constexpr std::int64_t kMost = 512;
  const std::int64_t images = std::min(kMost, data.samples);
  if (images <= 0) {
    return {.reason = "the data set is empty"};
  }
  const dataset::GeneratedSpec spec{
      .profile = data.profile, .samples = data.samples, .classes = classes};
  const DecodeModel coarse(record, "4:2:0"), fine(record, "4:4:4");
  double sum_s = 0;
  for (std::int64_t i = 0; i < images; ++i) {
    const dataset::ImagePlan image = dataset::plan_image(spec, i);
    const DecodeModel& model = image.subsampling == dataset::Subsampling::none_444 ? fine : coarse;
    if (!model.is_known()) {
      return {.reason = "the probe did not time decoding"};
    }
    sum_s += model.seconds(image);
  }
  return {.seconds = sum_s / static_cast<double>(images)};
}

}  // namespace tune::campaign
