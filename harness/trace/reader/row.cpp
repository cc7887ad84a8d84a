#include "trace/reader/row.h"

#include "trace/decimal_time.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace tune::profile {

namespace {

struct ArgumentKey {
  std::string_view key;
  Argument argument = Argument::count;
};

// Kineto's output_json.cpp and c10d's ParamCommsUtils; names in lower case are from 2021 or ROCm.
constexpr ArgumentKey kArgumentKeys[] = {
    {"name", Argument::name},
    {"labels", Argument::labels},
    {"External id", Argument::external_id},
    {"external id", Argument::external_id},
    {"External Id", Argument::external_id},
    {"correlation", Argument::correlation},
    {"connection_id", Argument::correlation},  // Ascend
    {"device", Argument::device},
    {"stream", Argument::stream},
    {"grid", Argument::grid},
    {"block", Argument::block},
    {"blocks per SM", Argument::blocks_per_sm},
    {"warps per SM", Argument::warps_per_sm},
    {"est. achieved occupancy %", Argument::occupancy},
    {"registers per thread", Argument::registers},
    {"shared memory", Argument::shared_memory},
    {"graph node id", Argument::graph_node},
    {"bytes", Argument::bytes},
    {"wait_on_stream", Argument::wait_on_stream},
    {"wait_on_cuda_event_record_corr_id", Argument::wait_on_record_correlation},
    {"wait_on_cuda_event_id", Argument::wait_on_event},
    {"Input Dims", Argument::input_dims},
    {"Input dims", Argument::input_dims},
    {"Input type", Argument::input_types},
    {"Input Strides", Argument::input_strides},
    {"Concrete Inputs", Argument::concrete_inputs},
    {"Sequence number", Argument::sequence_number},
    {"Fwd thread id", Argument::forward_thread},
    {"Module Hierarchy", Argument::module_hierarchy},
    {"Call stack", Argument::call_stack},
    {"Python id", Argument::python_id},
    {"Python parent id", Argument::python_parent},
    {"Python module id", Argument::python_module},
    {"Device Type", Argument::device_type},
    {"Device Id", Argument::device_id},
    {"Addr", Argument::address},
    {"Bytes", Argument::memory_bytes},
    {"Total Allocated", Argument::total_allocated},
    {"Total Reserved", Argument::total_reserved},
    {"Collective name", Argument::collective_name},
    {"dtype", Argument::dtype},
    {"In msg nelems", Argument::elements_in},
    {"Out msg nelems", Argument::elements_out},
    {"Group size", Argument::group_size},
    {"Process Group Name", Argument::group_name},
    {"Process Group Description", Argument::group_description},
    {"Process Group Ranks", Argument::group_ranks},
    {"Src Rank", Argument::source_rank},
    {"Dst Rank", Argument::target_rank},
    {"Seq", Argument::sequence},
};

// Ordered by length, so that a key is compared with few of its length only.
class ArgumentIndex {
 public:
  ArgumentIndex() {
    for (const ArgumentKey& entry : kArgumentKeys) {
      by_length_.resize(std::max(by_length_.size(), entry.key.size() + 1));
      by_length_[entry.key.size()].push_back(entry);
    }
  }

  Argument find(std::string_view key) const {
    if (key.size() < by_length_.size()) {
      for (const ArgumentKey& entry : by_length_[key.size()]) {
        if (entry.key == key) {
          return entry.argument;
        }
      }
    }
    return Argument::count;
  }

 private:
  std::vector<std::vector<ArgumentKey>> by_length_;
};

}  // namespace

Argument argument_of(std::string_view key) {
  static const ArgumentIndex index;
  return index.find(key);
}

Member member_of(std::string_view key) {
  switch (key.size()) {  // one comparison at most for the keys of a row
    case 2:
      return key == "ph" ? Member::phase : key == "ts" ? Member::start : Member::none;
    case 3:
      return key == "cat"   ? Member::category
             : key == "pid" ? Member::process
             : key == "tid" ? Member::thread
             : key == "dur" ? Member::duration
                            : Member::none;
    case 4:
      return key == "name" ? Member::name : key == "args" ? Member::args : Member::none;
    default:
      return Member::none;
  }
}

namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

// The four digits of \uXXXX at `at`, which is behind the u.
std::optional<std::uint32_t> code_unit(std::string_view text, std::size_t at) {
  constexpr std::size_t kDigits = 4;
  if (text.size() < at + kDigits) {
    return std::nullopt;
  }
  std::uint32_t unit = 0;
  const char* const end = text.data() + at + kDigits;
  const auto [stopped, error] = std::from_chars(text.data() + at, end, unit, 16);
  return error == std::errc() && stopped == end ? std::optional(unit) : std::nullopt;
}

// Appends the character whose escape is \u at `at`; returns where the text continues.
std::size_t append_code_point(std::string_view text, std::size_t at, std::string& out) {
  const auto first = code_unit(text, at + 2);
  if (!first) {
    append_utf8(kReplacement, out);
    return at + 2;
  }
  at += 6;
  if (*first >= 0xd800 && *first <= 0xdbff && text.substr(at, 2) == "\\u") {
    const auto second = code_unit(text, at + 2);
    if (second && *second >= 0xdc00 && *second <= 0xdfff) {
      append_utf8(0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00), out);
      return at + 6;
    }
  }
  append_utf8(*first >= 0xd800 && *first <= 0xdfff ? kReplacement : *first, out);
  return at;
}

char meaning_of(char escaped) {
  switch (escaped) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return escaped;  // \" \\ \/
  }
}

}  // namespace

bool is_kept_frame(const Row& row) {
  constexpr std::size_t kDigits = 4;  // of whole microseconds
  return is_collection(row.name) || is_list_conversion(row.name) ||
         row.duration.substr(0, row.duration.find('.')).size() >= kDigits;
}

std::string_view unescaped(std::string_view text, std::string& buffer) {
  if (text.find('\\') == std::string_view::npos) {
    return text;
  }
  buffer.clear();
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      buffer += text[at++];
    } else if (text[at + 1] == 'u') {
      at = append_code_point(text, at, buffer);
    } else {
      buffer += meaning_of(text[at + 1]);
      at += 2;
    }
  }
  return buffer;
}

std::string_view compact(std::string_view json, std::string& buffer) {
  if (buffer.size() < json.size()) {
    buffer.resize(json.size());
  }
  char* const begin = buffer.data();
  char* end = begin;
  bool in_text = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_text && c == '\\' && at + 1 < json.size()) {
      *end++ = c;
      *end++ = json[++at];
      continue;
    }
    in_text = in_text != (c == '"');
    *end = c;  // kept when the end moves
    end += in_text || (c != ' ' && c != '\n' && c != '\r' && c != '\t') ? 1 : 0;
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::int64_t RowNumbers::integer(std::string_view piece, std::int64_t unknown) {
  if (piece.empty()) {
    return unknown;
  }
  std::int64_t value = 0;
  const bool is_hexadecimal = piece.starts_with("0x") || piece.starts_with("0X");
  const char* const begin = piece.data() + (is_hexadecimal ? 2 : 0);
  const char* const end = piece.data() + piece.size();
  const auto [stopped, error] = std::from_chars(begin, end, value, is_hexadecimal ? 16 : 10);
  if (error == std::errc() && stopped == end) {
    return value;
  }
  const DecimalTime decimal = to_integer(piece);  // 1.0e3, 12.0
  if (!decimal.error) {
    return decimal.ns;
  }
  const bool is_large =
      error == std::errc::result_out_of_range || decimal.error == DecimalError::out_of_range;
  notes.add(is_large ? NoteKind::beyond_int64 : NoteKind::not_a_number, offset);
  return unknown;
}

double RowNumbers::ratio(std::string_view piece) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  if (piece.empty()) {
    return unknown;
  }
  double value = 0;
  const char* const end = piece.data() + piece.size();
  const auto [stopped, error] = std::from_chars(piece.data(), end, value);
  if (error == std::errc() && stopped == end && std::isfinite(value)) {
    return value;
  }
  notes.add(NoteKind::not_a_number, offset);
  return unknown;
}

std::array<std::int32_t, 3> RowNumbers::triple(std::string_view piece) {
  std::array<std::int32_t, 3> values = {-1, -1, -1};
  const char* at = piece.data();
  const char* const end = at + piece.size();
  for (std::int32_t& value : values) {
    at = std::find_if(at, end, [](char c) { return c >= '0' && c <= '9'; });
    at = std::from_chars(at, end, value).ptr;
  }
  return values;
}

}  // namespace tune::profile
