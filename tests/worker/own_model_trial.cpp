#include "own_model_trial.h"

#include "small_trial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <system_error>
#include <unistd.h>

namespace tune::worker {

namespace fs = std::filesystem;
using trial::OwnModel;

namespace {

class Archives {
 public:
  Archives()
      : folder_(fs::path(testing::TempDir()) / ("tune-own-model-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    EXPECT_EQ(output_of("'" SCRIPT_ARCHIVES "' '" + folder_.string() + "' 2>&1 && echo written"),
              "written\n");
  }
  ~Archives() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Archives(const Archives&) = delete;
  Archives& operator=(const Archives&) = delete;

  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

}  // namespace

const fs::path& archives() {
  static const Archives kArchives;
  return kArchives.folder();
}

trial::TrialSpec with_own(OwnModel::Kind kind, const fs::path& file) {
  trial::TrialSpec spec = small_spec();
  spec.workload.own.kind = kind;
  spec.workload.own.path = file;
  spec.workload.model = std::string(key_of(kind)) + ":" + file.filename().string();
  return spec;
}

trial::TrialSpec with_archive(const std::string& name) {
  return with_own(OwnModel::Kind::torchscript, archives() / name);
}

void expect_refused_with(const trial::TrialSpec& spec, const std::string& words) {
  const runner::TrialOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, runner::OutcomeKind::refused) << outcome.reason;
  EXPECT_NE(outcome.reason.find(words), std::string::npos) << outcome.reason;
  EXPECT_EQ(outcome.reason.find('\n'), std::string::npos) << "one line";
  EXPECT_LT(outcome.reason.size(), 500U) << outcome.reason;
}

double last_loss(const trial::TrialReply& reply) {
  return reply.losses.empty() ? std::nan("") : reply.losses.back().value;
}

}  // namespace tune::worker
