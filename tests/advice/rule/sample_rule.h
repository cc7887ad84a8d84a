#pragma once

#include "advice/rule/read_rule.h"

#include <stdexcept>
#include <string>

namespace tune::rule {

/// A rule file that is right; the first `from` in it replaced by `to`.
inline std::string rule_text(const std::string& from = "", const std::string& to = "") {
  std::string text = R"yaml(rule: 1
id: sample
group: transfers
title: Pin the host batches
question: Do copies from pageable memory hold up the host?
applies: device == 'cuda'
needs: [device, pin_memory, h2d_pageable_host_ratio, h2d_device_ratio, h2d_pageable_bytes]
limits:
  share: {value: 3%, source: own, calibrate: true}
when: h2d_pageable_host_ratio >= limit.share and h2d_pageable_host_ratio > h2d_device_ratio
severity: from-gain
evidence: [h2d_pageable_host_ratio, h2d_device_ratio, h2d_pageable_bytes, pin_memory]
change:
  knobs: [{name: pin_memory, to: true}, {name: non_blocking, to: true}]
  code:
    cpp: "batch.to(device, /*non_blocking=*/true)"
    python: "DataLoader(..., pin_memory=True)"
gain: {model: amdahl, share: "max(0, h2d_pageable_host_ratio - h2d_device_ratio)", removable: [0.5, 1.0]}
numerics: preserving
transfers: python
risk: Pinned memory cannot be swapped.
guidance: 3
explained_by: []
mutes: []
verify: paired A/B with both knobs changed
)yaml";
  if (!from.empty()) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
      throw std::logic_error("the sample has no '" + from + "'");
    }
    text.replace(at, from.size(), to);
  }
  return text;
}

inline Rule sample_rule(const std::string& from = "", const std::string& to = "") {
  return read_rule(rule_text(from, to), "rules/sample.yaml");
}

/// A short rule of any id that fires when data_wait_ratio exceeds 5 %, with further lines.
inline std::string short_rule(const std::string& id, const std::string& more = "") {
  return "rule: 1\nid: " + id +
         "\ngroup: input\n"
         "title: Feed the training faster\n"
         "question: Does the step wait for data?\n"
         "needs: [data_wait_ratio]\n"
         "limits: {wait: {value: 5%, source: own}}\n"
         "when: data_wait_ratio > limit.wait\n"
         "severity: from-gain\n"
         "evidence: [data_wait_ratio]\n"
         "change: {text: load faster}\n"
         "gain: {model: amdahl, share: data_wait_ratio, removable: [0.5, 1]}\n"
         "numerics: preserving\n"
         "transfers: python\n"
         "risk: none\n"
         "guidance: 2\n"
         "verify: paired A/B\n" +
         more;
}

}  // namespace tune::rule
