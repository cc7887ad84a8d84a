#include "advice/relations.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace tune::advice {

namespace {

using rule::Group;
using rule::Severity;
using rule::State;

// Who mutes whom; `mutes` has no circles, which the catalogue has checked.
class Muting {
 public:
  explicit Muting(const std::vector<Finding>& findings) : findings_(findings) {
    muted_by_.resize(findings.size(), kNotAsked);
    std::map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      index.emplace(findings[i].rule->id, i);
    }
    muters_.resize(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
      for (const rule::Related& target : findings[i].rule->mutes) {
        const auto found = index.find(target.id);
        if (found != index.end()) {
          muters_[found->second].push_back(i);
        }
      }
    }
  }

  // The index of the finding that mutes this one, or kNobody. As deep as chains of `mutes` are
  // long.
  std::size_t muted_by(std::size_t finding) {
    if (muted_by_[finding] == kNotAsked) {
      muted_by_[finding] = kNobody;
      for (const std::size_t muter : muters_[finding]) {
        if (is_heard(muter, finding) && muted_by(muter) == kNobody) {
          muted_by_[finding] = muter;
          break;
        }
      }
    }
    return muted_by_[finding];
  }

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

 private:
  static constexpr std::size_t kNotAsked = static_cast<std::size_t>(-2);

  // What something costs that nobody knows may be nothing: it silences no other kind of cause.
  bool is_heard(std::size_t muter, std::size_t target) const {
    const Finding& finding = findings_[muter];
    const bool is_of_unknown_cost =
        finding.rule->severity == Severity::from_gain && finding.severity == Severity::info;
    return finding.has_fired() && finding.severity != Severity::low &&
           (!is_of_unknown_cost || finding.rule->group == findings_[target].rule->group);
  }

  const std::vector<Finding>& findings_;
  std::vector<std::vector<std::size_t>> muters_;
  std::vector<std::size_t> muted_by_;
};

}  // namespace

void apply_muting(std::vector<Finding>& findings) {
  Muting muting(findings);
  std::vector<std::size_t> muted_by(findings.size(), Muting::kNobody);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    muted_by[i] = muting.muted_by(i);
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    if (!finding.has_fired() || muted_by[i] == Muting::kNobody) {
      continue;
    }
    const rule::Rule& muter = *findings[muted_by[i]].rule;
    const bool is_rejected = muter.group == Group::validity;
    finding.muted_by = muter.id;
    finding.state = is_rejected ? State::not_applicable : State::quiet;
    finding.reason = (is_rejected ? "rejected by " : "muted by ") + muter.id;
    finding.severity = Severity::info;
  }
}

void apply_explanations(std::vector<Finding>& findings) {
  std::map<std::string_view, bool> fired;
  for (const Finding& finding : findings) {
    fired.emplace(finding.rule->id, finding.has_fired());
  }
  for (Finding& finding : findings) {
    if (!finding.has_fired()) {
      continue;
    }
    for (const rule::Related& cause : finding.rule->explained_by) {
      const auto found = fired.find(cause.id);
      if (found != fired.end() && found->second) {
        finding.explained_by.push_back(cause.id);
      }
    }
    if (finding.explained_by.empty() && !finding.rule->explained_by.empty()) {
      finding.labels.emplace_back("unexplained");
    }
    if (finding.explained_by.empty() && finding.rule->gain.is_of_causes) {
      finding.gain = {.model = finding.rule->gain.model,
                      .reason = "none of the rules that could explain it fired"};
    }
  }
}

}  // namespace tune::advice
