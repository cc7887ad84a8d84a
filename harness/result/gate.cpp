#include "result/gate.h"

#include "base/fields.h"
#include "base/text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tune::result {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// {path: SHA-256}
void files(Fields& fields,
           const char* name,
           std::vector<std::pair<std::string, std::string>>& files) {
  if (fields.stored() != nullptr) {
    fields.each_member(name, [&files](const std::string& path, const json& sha256) {
      files.emplace_back(cleaned(path),
                         sha256.is_string() ? cleaned(sha256.get_ref<const std::string&>()) : "");
    });
  } else if (ordered_json* const output = fields.output()) {
    ordered_json& object = (*output)[name] = ordered_json::object();
    for (const auto& [path, sha256] : files) {
      object[path] = sha256;
    }
  }
}

// {metric: number}
void values(Fields& fields, const char* name, std::map<std::string, double>& values) {
  if (fields.stored() != nullptr) {
    fields.each_member(name, [&values](const std::string& metric, const json& value) {
      if (value.is_number() && std::isfinite(value.get<double>())) {
        values[cleaned(metric)] = value.get<double>();
      }
    });
  } else if (ordered_json* const output = fields.output()) {
    ordered_json& object = (*output)[name] = ordered_json::object();
    for (const auto& [metric, value] : values) {
      object[metric] = value;
    }
  }
}

void delta(Fields& fields, GateRow& row) {
  fields.object("delta", [&row](Fields& delta) {
    row.delta.is_there = true;
    value_and_interval(delta, row.delta);
    if (row.is_measured || delta.output() == nullptr) {
      delta.real("confidence", row.delta.confidence);
      delta.whole("n", row.delta.n);
      delta.text("unit", row.delta.unit);
      delta.flag("is_worse", row.is_worse);
      delta.real("p", row.p);
      delta.object("sign_interval", [&row](Fields& sign) {
        sign.real("lower", row.sign_lower);
        sign.real("upper", row.sign_upper);
        sign.real("confidence", row.sign_confidence);
      });
    }
    delta.text_or_null("reason", row.delta.reason);
  });
}

}  // namespace

static void fields_of(Fields& fields, GateRow& row) {
  fields.text("metric", row.metric);
  std::string kind = row.is_measured ? "measured" : "counted";
  fields.text("kind", kind);
  row.is_measured = kind != "counted";
  fields.flag("gated", row.is_gated);
  fields.text("unit", row.unit);
  range(fields, "baseline", row.baseline);
  range(fields, "candidate", row.candidate);
  delta(fields, row);
  fields.real("budget", row.budget);
  fields.real("mde", row.mde);
  if (row.is_measured) {
    fields.whole("pairs", row.pairs);
  } else {
    fields.nothing("pairs");  // counts do not need it
  }
  fields.text("verdict", row.verdict);
  fields.text("why", row.why);
}

static void fields_of(Fields& fields, GateSide& side) {
  fields.text("words", side.words);
  fields.text("model", side.model);
  setting(fields, "knobs", side.knobs);
  fields.flag_if_any("own_setting", side.own_setting);
  fields.text_or_null("worker_sha256", side.worker_sha256);
  fields.text_or_null("data_sha256", side.data_sha256);
  fields.text_or_null("commit", side.commit);
  files(fields, "files", side.files);
}

static void fields_of(Fields& fields, GateProcess& process) {
  values(fields, "values", process.values);
  fields.whole("clean_slices", process.clean_slices);
  fields.whole("tainted_slices", process.tainted_slices);
  fields.text_or_null("taint", process.taint);
  fields.text("steadiness", process.steadiness);
  fields.text_or_null("steadiness_why", process.steadiness_why);
}

static void fields_of(Fields& fields, GatePair& pair) {
  std::string order = pair.baseline_first ? "AB" : "BA";
  fields.text("order", order);
  pair.baseline_first = order != "BA";
  fields.record("baseline", pair.baseline);
  fields.record("candidate", pair.candidate);
}

static void fields_of(Fields& fields, GateLookRow& row) {
  fields.text("metric", row.metric);
  fields.real("lower", row.lower);
  fields.real("estimate", row.estimate);
  fields.real("upper", row.upper);
  fields.real("p", row.p);
  fields.real("mde", row.mde);
  fields.text("verdict", row.verdict);
}

static void fields_of(Fields& fields, GateLook& look) {
  fields.text("utc", look.utc);
  fields.whole("look", look.look);
  fields.whole("pairs", look.pairs);
  fields.real("alpha_spent", look.alpha_spent);
  fields.real("alpha_total", look.alpha_total);
  fields.object("tainted_slices", [&look](Fields& tainted) {
    tainted.whole("baseline", look.baseline_tainted);
    tainted.whole("candidate", look.candidate_tainted);
  });
  fields.list("rows", look.rows);
}

static void fields_of(Fields& fields, GateControls& controls) {
  Number &sentinel = controls.sentinel, &position = controls.position;
  fields.reasoned("sentinel", sentinel.is_there, sentinel.reason, [&](Fields& inner) {
    value_and_interval(inner, sentinel);
    inner.flag("shifted", controls.machine_changed);
  });
  fields.reasoned("position_effect", position.is_there, position.reason, [&](Fields& inner) {
    value_and_interval(inner, position);
    inner.whole("blocks", controls.blocks);
    inner.flag("large", controls.is_position_large);
  });
  fields.reasoned("epoch", controls.has_epoch, controls.epoch_reason, [&controls](Fields& epoch) {
    epoch.real("estimated", controls.epoch_estimated_s);
    epoch.real("measured", controls.epoch_measured_s);
    epoch.real("difference", controls.epoch_difference);
  });
  fields.real("taint_p", controls.taint_p);
  fields.object("steadiness", [&controls](Fields& steadiness) {
    steadiness.record("baseline", controls.baseline_steadiness);
    steadiness.record("candidate", controls.candidate_steadiness);
  });
}

static void fields_of(Fields& fields, GateWarmup& warmup) {
  fields.whole("steps", warmup.steps);
  fields.flag("searched", warmup.searched);
  fields.real_or_reason("time_to_steady", warmup.time_to_steady, warmup.time_to_steady_reason);
}

static void fields_of(Fields& fields, GateAnchor& anchor) {
  fields.text("words", anchor.words);
  fields.text_or_null("skipped", anchor.skipped);
  fields.text_or_null("verdict", anchor.verdict);
  fields.text("why", anchor.why);
  fields.text_or_null("end", anchor.end);
  fields.text_or_null("end_reason", anchor.end_reason);
  fields.whole("exit_code", anchor.exit_code);
  fields.flag("decides", anchor.decides);
  fields.list("rows", anchor.rows);
  fields.flag("may_move", anchor.may_move);
  fields.text("move", anchor.move);
  fields.text_or_null("directory", anchor.directory);
  fields.text_list("warnings", anchor.warnings);
}

static void fields_of(Fields& fields, AfterTheFact& judged) {
  fields.text("directory", judged.directory);
  fields.text("started", judged.started);
  fields.text("kind", judged.kind);
  fields.flag("other_policy", judged.other_policy);
}

void fields_of(Fields& fields, Gate& gate) {
  fields.text("verdict", gate.verdict);
  fields.text("headline", gate.headline);
  fields.text("why", gate.why);
  fields.text("end", gate.end);
  fields.text_or_null("end_reason", gate.end_reason);
  fields.whole("exit_code", gate.exit_code);
  fields.text("mode", gate.mode);
  fields.text("inconclusive", gate.inconclusive);
  fields.real("min_effect", gate.min_effect);
  fields.list("rows", gate.rows);
  fields.object("sides", [&gate](Fields& sides) {
    sides.record("baseline", gate.baseline);
    sides.record("candidate", gate.candidate);
    sides.flag("equal", gate.sides_are_equal);
  });
  fields.text_or_null("stored_baseline", gate.stored_baseline);
  fields.whole("pairs", gate.pair_count);
  fields.text("order", gate.order);
  gate.has_pairs = fields.says("measured_pairs");
  fields.list("measured_pairs", gate.pairs);
  fields.list("lost_pairs", gate.lost_pairs);
  fields.real("alpha", gate.alpha);
  fields.whole_list("looks_at", gate.looks_at);
  fields.list("looks", gate.looks);
  fields.record("warmup", gate.warmup);
  fields.record("controls", gate.controls);
  fields.text("calibration", gate.calibration);
  fields.real("calibrated_mde", gate.calibrated_mde);
  fields.record("anchor", gate.anchor);
  fields.record("after_the_fact", gate.after_the_fact);
}

}  // namespace tune::result
