#include "report/run_differences.h"

#include "measure/gate/fingerprint.h"
#include "report/reason_code.h"

#include <cstddef>
#include <utility>

namespace tune::report {

namespace {

constexpr std::size_t kShownDigits = 12;  // of a checksum

// Neither, where one of them is not known.
template <class Value>
void forget_unless_both(Value& a, Value& b) {
  if (a == Value{} || b == Value{}) {
    a = b = Value{};
  }
}

gate::Fingerprint fingerprint_of(const ComparedRun& run) {
  const result::Result& result = run.result;
  gate::Fingerprint print;
  print.device = result.environment.device;
  print.cpu_model = result.environment.cpu_model.text;
  print.cpus = result.environment.cpus;
  print.gpus = result.environment.gpus;
  print.variables = run.variables.value_or(std::vector<std::string>());
  print.torch_version = result.environment.worker.torch_version;
  print.cpu_capability = result.environment.worker.cpu_capability;
  print.scenario_sha256 = result.scenario.sha256;
  print.data_sha256 = result.environment.data.manifest_sha256;
  return print;
}

std::pair<gate::Fingerprint, gate::Fingerprint> known_of_both(const ComparedRun& a,
                                                              const ComparedRun& b) {
  gate::Fingerprint x = fingerprint_of(a), y = fingerprint_of(b);
  forget_unless_both(x.device, y.device);
  forget_unless_both(x.cpu_model, y.cpu_model);
  forget_unless_both(x.cpus, y.cpus);
  forget_unless_both(x.cpu_capability, y.cpu_capability);
  forget_unless_both(x.scenario_sha256, y.scenario_sha256);
  forget_unless_both(x.data_sha256, y.data_sha256);
  if (!a.variables || !b.variables) {
    x.variables = y.variables;
  }
  if (x.device == "cpu" && y.device == "cpu") {  // a GPU that trained nothing makes no difference
    x.gpus = y.gpus;
  }
  return {std::move(x), std::move(y)};
}

// LibTorch is what one may want to compare; everything else makes two questions of one.
bool is_obstacle(const std::string& what) {
  return what != gate::kLibTorch && what != gate::kKernelsFor;
}

// "0.1.0 (b8ede5c0a1b2)"
std::string version_of(const result::Result& result) {
  return result.provenance.commit.text.empty()
             ? result.provenance.tune_version
             : result.provenance.tune_version + " (" + result.provenance.commit.text + ")";
}

void add_program(const std::string& what,
                 const std::string& a,
                 const std::string& b,
                 std::vector<RunDifference>& found) {
  if (!a.empty() && !b.empty() && a != b) {
    found.push_back({.what = what, .a = a, .b = b, .code = std::string(code_of_difference(what))});
  }
}

}  // namespace

std::vector<RunDifference> run_differences(const ComparedRun& a, const ComparedRun& b) {
  std::vector<RunDifference> found;
  const auto [x, y] = known_of_both(a, b);
  for (const gate::Difference& each : gate::differences(x, y)) {
    found.push_back({.what = each.what,
                     .a = each.then,
                     .b = each.now,
                     .code = std::string(code_of_difference(each.what)),
                     .is_obstacle = is_obstacle(each.what)});
    if (each.what == gate::kScenarioText && a.result.scenario.name != b.result.scenario.name) {
      found.back().what = "scenario";
      found.back().a = a.result.scenario.name;
      found.back().b = b.result.scenario.name;
    }
  }
  add_program("tune", version_of(a.result), version_of(b.result), found);
  add_program("tune-worker",
              a.result.provenance.worker_sha256.substr(0, kShownDigits),
              b.result.provenance.worker_sha256.substr(0, kShownDigits),
              found);
  return found;
}

std::string words_of(const RunDifference& difference) {
  return difference.a.empty() && difference.b.empty()
             ? difference.what
             : difference.what + " " + difference.a + " -> " + difference.b;
}

}  // namespace tune::report
