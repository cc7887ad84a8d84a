#include "trial/fields.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace tune::trial {

using nlohmann::ordered_json;

ordered_json written(const std::function<void(Fields&)>& write) {
  ordered_json value = ordered_json::object();
  Fields fields(value);
  write(fields);
  return value;
}

void Fields::whole(const char* name, std::int64_t& value, Range range) {
  if (input_ != nullptr) {
    value = input_->whole(name, range);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::whole(const char* name, std::optional<std::int64_t>& value, Range range) {
  if (input_ == nullptr) {
    (*output_)[name] = value ? ordered_json(*value) : ordered_json(nullptr);
  } else if (!input_->is_null(name)) {
    value = input_->whole(name, range);
  }
}

void Fields::seed(const char* name, std::uint64_t& value) {
  if (input_ != nullptr) {
    value = input_->seed(name);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::real(const char* name, double& value, double min, double max) {
  if (input_ != nullptr) {
    value = input_->real(name, min, max);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::real(const char* name, std::optional<double>& value, double min, double max) {
  if (input_ == nullptr) {
    (*output_)[name] = value ? ordered_json(*value) : ordered_json(nullptr);
  } else if (!input_->is_null(name)) {
    value = input_->real(name, min, max);
  }
}

void Fields::whole_if_said(const char* name, std::optional<std::int64_t>& value, Range range) {
  if (has(name)) {
    whole(name, value, range);
  }
}

void Fields::real_if_said(const char* name, std::optional<double>& value, double min, double max) {
  if (has(name)) {
    real(name, value, min, max);
  }
}

void Fields::any_real(const char* name, double& value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (input_ != nullptr && input_->any(name).is_string()) {
    const std::string word = input_->word(name, {"nan", "inf", "-inf"});
    value = word == "nan"   ? std::numeric_limits<double>::quiet_NaN()
            : word == "inf" ? kInfinity
                            : -kInfinity;
  } else if (input_ != nullptr || std::isfinite(value)) {
    constexpr double kMost = std::numeric_limits<double>::max();
    real(name, value, -kMost, kMost);
  } else {
    (*output_)[name] = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
}

void Fields::flag(const char* name, bool& value) {
  if (input_ != nullptr) {
    value = input_->flag(name);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::text(const char* name, std::string& value, std::size_t limit_bytes) {
  if (input_ != nullptr) {
    value = input_->text(name, limit_bytes);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::text_or_null(const char* name, std::string& value, std::size_t limit_bytes) {
  if (input_ == nullptr && value.empty()) {
    (*output_)[name] = nullptr;
  } else if (input_ == nullptr || !input_->is_null(name)) {
    text(name, value, limit_bytes);
  }
}

void Fields::word(const char* name,
                  std::string& value,
                  const std::vector<std::string_view>& choices) {
  if (input_ != nullptr) {
    value = input_->word(name, choices);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::whole_list(const char* name,
                        std::vector<std::int64_t>& values,
                        std::size_t limit,
                        Range range) {
  if (input_ != nullptr) {
    values = input_->whole_list(name, limit, range);
  } else {
    (*output_)[name] = values;
  }
}

void Fields::text_list(const char* name, std::vector<std::string>& values, std::size_t limit) {
  if (input_ != nullptr) {
    values = input_->text_list(name, limit);
  } else {
    (*output_)[name] = values;
  }
}

void Fields::inner(const char* name, const std::function<void(Fields&)>& visit) {
  if (input_ == nullptr) {
    (*output_)[name] = written(visit);
    return;
  }
  JsonObject object = input_->object(name);
  Fields fields(object, unknown_);
  visit(fields);
  fields.end();
}

void Fields::entries(const char* name,
                     std::size_t limit,
                     std::size_t count,
                     const std::function<void(Fields&, std::size_t)>& visit) {
  std::size_t i = 0;
  if (input_ != nullptr) {
    input_->each(name, limit, [&](JsonObject& entry) {
      Fields fields(entry, unknown_);
      visit(fields, i++);
      fields.end();
    });
    return;
  }
  ordered_json& list = (*output_)[name] = ordered_json::array();
  for (; i < count; ++i) {
    list.push_back(written([&](Fields& fields) { visit(fields, i); }));
  }
}

bool Fields::is_null(const char* name, bool is_nothing) {
  if (input_ != nullptr) {
    return input_->is_null(name);
  }
  if (is_nothing) {
    (*output_)[name] = nullptr;
  }
  return is_nothing;
}

void Fields::put(const char* name, const nlohmann::json& value) {
  (*output_)[name] = value;
}

bool Fields::says(const char* name) const {
  return input_ == nullptr || (input_->has(name) && !input_->is_null(name));
}

void Fields::expect(bool is_so, const char* name, const std::string& problem) const {
  if (input_ != nullptr && !is_so) {
    complain(input_->where(), input_->path_of(name), problem);
  }
}

void Fields::end() const {
  if (input_ != nullptr && unknown_ == Unknown::refused) {
    input_->expect_no_more();
  }
}

}  // namespace tune::trial
