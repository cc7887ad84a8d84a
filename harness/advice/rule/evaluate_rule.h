#pragma once

#include "advice/rule/fact_table.h"
#include "advice/rule/rule.h"
#include "base/expression/explain.h"

#include <string>
#include <vector>

namespace tune::rule {

enum class State { fired, quiet, not_applicable };

/// "fired", "quiet", "not-applicable".
const char* to_text(State state);

/// What a rule says of a run.
struct Evaluation {
  State state = State::not_applicable;
  std::string reason;                            ///< why it is not applicable
  bool needs_a_run = false;                      ///< a run of tune could tell what is missing
  std::string text;                              ///< what decided of the condition, with its values
  std::vector<expression::ExplainedPart> parts;  ///< all of the condition, part by part
};

/// `applies` false or unknown: not applicable. `when` true: fired; false: quiet; unknown: not
/// applicable, with the reason of the leftmost unknown that decided. Everything is evaluated.
Evaluation evaluate_rule(const Rule& rule, const FactTable& facts);

/// What a name of the rule's expressions means: a limit, or a fact. What is unknown says which
/// name it is: "num_workers: a trace does not say how it was set".
expression::Result value_for(const Rule& rule, const FactTable& facts, const std::string& name);

/// Whether a condition of the rule holds; false when that is not known.
bool is_true(const Rule& rule, const FactTable& facts, const expression::Expression& condition);

/// A part of the rule with its values: "data_wait_ratio 0.31 > 5% ✓".
std::string substituted(const Rule& rule,
                        const FactTable& facts,
                        const expression::Expression& part);

}  // namespace tune::rule
