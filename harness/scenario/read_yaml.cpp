#include "scenario/read_yaml.h"

#include "scenario/complaints.h"
#include "scenario/yaml_node.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>

namespace tune::scenario {

namespace {

constexpr std::size_t kTextLimit = 1 << 20;

// Bytes of the UTF-8 sequence that begins here, 0 when there is none.
std::size_t sequence_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80U) {
      return 0;
    }
  }
  return length;
}

bool is_allowed_control(char c) {
  return c == '\n' || c == '\t' || c == '\r';
}

// The text without byte order mark. Complains and throws when it is larger than 1 MiB, no UTF-8,
// or holds control characters: yaml-cpp takes some of them for the end of the file.
std::string check_bytes(const std::string& text, Complaints& complaints) {
  if (text.size() > kTextLimit) {
    complaints.add({1, 1}, "the file is too large", "at most 1 MiB");
    complaints.throw_if_any();
  }
  const bool marked = text.starts_with("\xef\xbb\xbf");
  Mark mark;
  std::size_t line_begin = 0;
  for (std::size_t at = marked ? 3 : 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool control = byte == 0x7f || (byte < 0x20 && !is_allowed_control(text[at]));
    if (length == 0 || control) {
      mark.column = static_cast<std::int64_t>(at - line_begin) + 1;
      std::array<char, 8> hex{};
      std::snprintf(hex.data(), hex.size(), "0x%02x", static_cast<unsigned>(byte));
      complaints.add(
          mark,
          std::string("byte ") + hex.data() + " is not text",
          length == 0 ? std::string(complaints.kind().many) + " are UTF-8" : "a control character");
      complaints.throw_if_any();
    }
    if (text[at] == '\n') {
      ++mark.line;
      line_begin = at + 1;
    }
    at += length;
  }
  return marked ? text.substr(3) : text;
}

constexpr std::size_t kDepthLimit = 16, kValueLimit = 20'000, kScalarLimit = 8192;

/// Ends the reading after a complaint that makes the rest meaningless; never leaves this file.
struct Stop {};

Mark mark_of(const YAML::Mark& mark) {
  return {static_cast<std::int64_t>(mark.line) + 1, static_cast<std::int64_t>(mark.column) + 1};
}

// Builds the tree from yaml-cpp's events rather than from its nodes: these have lost the order of
// keys, the second of two equal keys, and how a scalar was written.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Complaints& complaints) : complaints_(complaints) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override { root_.mark = mark_of(mark); }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add({.kind = YamlNode::Kind::null, .mark = mark_of(mark)});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases", "write the value out");
  }

  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (value.size() > kScalarLimit) {
      stop(mark, "the text is too long", "at most 8 KiB");
    }
    YamlNode node{.kind = YamlNode::Kind::text, .mark = mark_of(mark), .text = value};
    const bool plain = tag == "?";
    node.text_column = node.mark.column + (plain ? 0 : 1);
    if (plain && !expects_key()) {
      type_plain_scalar(node, complaints_);
    }
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::list);
  }

  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::map);
  }

  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    std::optional<YamlKey> key;  // read, its value not yet
  };

  [[noreturn]] void stop(const YAML::Mark& mark, const std::string& problem, const char* why) {
    complaints_.add(mark_of(mark), problem, why);
    throw Stop();
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& what, const char* why) {
    stop(mark, what + " are not used in " + std::string(complaints_.kind().many), why);
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) {
      refuse(mark, "anchors", "write the value out");
    }
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark, "tags", "values have the type that their key needs");
    }
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == YamlNode::Kind::map && !open_.back().key;
  }

  void open(const YAML::Mark& mark,
            const std::string& tag,
            YAML::anchor_t anchor,
            YamlNode::Kind kind) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (open_.size() == kDepthLimit) {
      stop(mark, "nested too deep", "at most 16 levels");
    }
    if (expects_key()) {
      stop(mark, "a key must be a word", "this one is a list or a map");
    }
    open_.push_back({{.kind = kind, .mark = mark_of(mark)}, std::nullopt});
  }

  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(YamlNode node) {
    if (++values_ > kValueLimit) {
      complaints_.add(node.mark, "too many values", "at most 20,000");
      throw Stop();
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (expects_key()) {
      check_key(parent.node, node);
      parent.key = YamlKey{node.text, node.mark};
      return;
    }
    if (parent.key) {
      if (node.kind == YamlNode::Kind::null && node.text.empty()) {
        node.mark = parent.key->mark;  // yaml-cpp places what is missing on the next line
      }
      parent.node.keys.push_back(std::move(*parent.key));
      parent.key.reset();
    }
    parent.node.items.push_back(std::move(node));
  }

  void check_key(const YamlNode& map, const YamlNode& key) {
    if (key.kind == YamlNode::Kind::null) {
      complaints_.add(key.mark, "a key is missing before `:`");
    }
    for (const YamlKey& other : map.keys) {
      if (other.name == key.text) {
        complaints_.add(key.mark,
                        "the key " + quote(key.text) + " is there twice",
                        "first in line " + std::to_string(other.mark.line));
        break;
      }
    }
  }

  Complaints& complaints_;
  YamlNode root_;
  std::vector<Open> open_;
  std::size_t values_ = 0;
};

// The first line that is indented with a tab, which looks right and is not: YAML takes spaces only.
std::optional<Mark> tab_indent(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (std::int64_t number = 1; std::getline(lines, line); ++number) {
    const std::size_t tab = line.find_first_not_of(' ');
    if (tab != std::string::npos && line[tab] == '\t') {
      return Mark{number, static_cast<std::int64_t>(tab) + 1};
    }
  }
  return std::nullopt;
}

}  // namespace

YamlNode read_yaml(const std::string& text, Complaints& complaints) {
  std::istringstream in(check_bytes(text, complaints));
  TreeBuilder builder(complaints);
  try {
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder)) {
      complaints.add({1, 1}, "the file is empty", "no YAML document");
    }
    YamlNode root = builder.take();
    if (complaints.empty() && parser.HandleNextDocument(builder)) {
      complaints.add(builder.take().mark, "a second document begins here", "one a file");
    }
    if (root.kind == YamlNode::Kind::map) {
      return root;
    }
    const DocumentKind& kind = complaints.kind();
    complaints.add(
        root.mark, std::string(kind.one) + " is a map of keys and values", std::string(kind.see));
  } catch (const YAML::Exception& error) {
    if (const auto tab = tab_indent(text)) {
      complaints.add(*tab, "a tab indents this line", "YAML takes spaces only");
    } else {
      complaints.add(mark_of(error.mark), "this is not YAML", error.msg);
    }
  } catch (const Stop&) {
  }
  complaints.throw_if_any();
  return {};
}

YamlNode read_faultless_yaml(const std::string& text, const std::string& file) {
  Complaints complaints(file);
  YamlNode root = read_yaml(text, complaints);
  complaints.throw_if_any();
  return root;
}

}  // namespace tune::scenario
