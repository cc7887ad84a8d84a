#pragma once

#include "scenario/complaints.h"
#include "scenario/yaml_node.h"

#include <cstdint>
#include <string>

namespace tune::scenario {

/// The keys of one section of a scenario. A key that is missing, or of another type (which the
/// schema has complained about), leaves the default as it is.
class Section {
 public:
  Section(const YamlNode& root, const char* name, Complaints& complaints);

  bool written() const { return node_ != nullptr; }
  const YamlNode* find(const char* key) const;
  Complaints& complaints() const { return complaints_; }
  /// The place of the value, or of the section when the key is missing.
  Mark mark_of(const char* key) const;

  void read(const char* key, std::int64_t& value) const;
  void read_seed(const char* key, std::uint64_t& value) const;
  void read(const char* key, double& value) const;
  void read(const char* key, bool& value) const;
  void read(const char* key, std::string& value) const;
  void read_time(const char* key, std::int64_t& value_ns, std::int64_t most_ns) const;
  void read_ratio(const char* key, double& value) const;

  /// Complains about a value that is there, unless something has been said about it already.
  void complain(const char* key,
                std::string problem,
                std::string why = "",
                std::string suggestion = "") const;

 private:
  const YamlNode* find(const char* key, YamlNode::Kind kind) const;

  const YamlNode* node_;
  Mark mark_;
  Complaints& complaints_;
};

}  // namespace tune::scenario
