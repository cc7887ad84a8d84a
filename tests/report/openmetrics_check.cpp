#include "openmetrics_check.h"

#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <sstream>
#include <utility>

namespace tune::report {

namespace {

bool is_name(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    return false;
  }
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') {
      return false;
    }
  }
  return true;
}

class Reader {
 public:
  OpenMetricsText read(const std::string& text) {
    if (!text.ends_with("# EOF\n")) {
      complain("the text does not end with # EOF");
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && found_.problem.empty();) {
      line_ = line;
      if (has_ended_) {
        complain("a line behind # EOF");
      } else if (line == "# EOF") {
        has_ended_ = true;
      } else if (line.starts_with("#")) {
        read_descriptor();
      } else {
        read_sample();
      }
    }
    return std::move(found_);
  }

 private:
  struct Family {
    std::string name, type, unit;
    bool has_samples = false;
  };

  void complain(const std::string& what) {
    if (found_.problem.empty()) {
      found_.problem = what + ": " + line_.substr(0, 200);
    }
  }

  void read_descriptor() {
    std::istringstream words(line_);
    std::string hash, kind, name, value, more;
    words >> hash >> kind >> name >> value;
    if (hash != "#" || !is_name(name) || value.empty() || words >> more) {
      complain("no descriptor");
    } else if (kind == "TYPE") {
      if (!names_.insert(name).second) {
        complain("a family that is there already");
      }
      if (value != "gauge" && value != "stateset" && value != "info") {
        complain("an unknown type");
      }
      family_ = {.name = name, .type = value};
    } else if (kind == "UNIT") {
      if (name != family_.name || family_.has_samples || !family_.unit.empty() ||
          family_.type != "gauge" || !name.ends_with("_" + value)) {
        complain("a unit in the wrong place");
      }
      family_.unit = value;
    } else {
      complain("an unknown descriptor");
    }
  }

  void read_sample() {
    OpenMetricsSample sample;
    std::size_t at = line_.find_first_of("{ ");
    if (at == std::string::npos) {
      return complain("a sample without a number");
    }
    sample.name = line_.substr(0, at);
    if (sample.name != family_.name + (family_.type == "info" ? "_info" : "")) {
      return complain("a sample of another family");
    }
    if (line_[at] == '{' && !read_labels(at, sample.labels)) {
      return complain("labels that cannot be read");
    }
    if (at >= line_.size() || line_[at] != ' ') {
      return complain("no space before the number");
    }
    const std::string number = line_.substr(at + 1);
    char* end = nullptr;
    sample.value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0' || !std::isfinite(sample.value) ||
        std::string("0123456789-+.").find(number.front()) == std::string::npos) {
      return complain("no finite number");
    }
    check_type(sample);
    if (!seen_.insert({sample.name, sample.labels}).second) {
      complain("a sample that is there already");
    }
    family_.has_samples = true;
    found_.samples.push_back(std::move(sample));
  }

  void check_type(const OpenMetricsSample& sample) {
    const bool is_state = family_.type == "stateset";
    if (is_state && !sample.labels.contains(family_.name)) {
      complain("a state without its label");
    }
    if ((is_state && sample.value != 0 && sample.value != 1) ||
        (family_.type == "info" && sample.value != 1)) {
      complain("neither 0 nor 1");
    }
  }

  // {name="value",...}: `at` stands behind it afterwards.
  bool read_labels(std::size_t& at, std::map<std::string, std::string>& labels) {
    do {
      const std::size_t equals = line_.find('=', ++at);
      if (equals == std::string::npos || line_.compare(equals, 2, "=\"") != 0) {
        return false;
      }
      const std::string name = line_.substr(at, equals - at);
      std::string value;
      for (at = equals + 2; at < line_.size() && line_[at] != '"'; ++at) {
        if (line_[at] == '\\') {
          ++at;
          if (at >= line_.size() || std::string("n\"\\").find(line_[at]) == std::string::npos) {
            return false;
          }
          value += line_[at] == 'n' ? '\n' : line_[at];
        } else {
          value += line_[at];
        }
      }
      if (at >= line_.size() || !is_name(name) || !labels.emplace(name, value).second) {
        return false;
      }
      ++at;
    } while (at < line_.size() && line_[at] == ',');
    return at < line_.size() && line_[at++] == '}';
  }

  std::string line_;
  bool has_ended_ = false;
  Family family_;
  std::set<std::string> names_;
  std::set<std::pair<std::string, std::map<std::string, std::string>>> seen_;
  OpenMetricsText found_;
};

}  // namespace

OpenMetricsText read_openmetrics(const std::string& text) {
  if (text.find('\r') != std::string::npos) {
    return {.problem = "a carriage return"};
  }
  return Reader().read(text);
}

}  // namespace tune::report
