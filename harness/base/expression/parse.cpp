#include "base/expression/expression.h"
#include "base/expression/tokens.h"
#include "base/expression/tree.h"

#include <array>
#include <string_view>
#include <utility>

// expr   := term { "or" term }            term := factor { "and" factor }
// factor := "not" factor | cmp            cmp  := sum [ ("<"|"<="|">"|">="|"=="|"!=") sum
//                                                    | ["not"] "in" list ]
// sum    := prod { ("+"|"-") prod }       prod := unary { ("*"|"/") unary }
// unary  := "-" unary | number [unit] | string | "true" | "false" | name | call | "(" expr ")"
// call   := "known" "(" name ")" | ("min"|"max") "(" expr { "," expr } ")" | "abs" "(" expr ")"
// list   := "[" [ expr { "," expr } ] "]" | name

namespace tune::expression {

namespace {

constexpr std::size_t kTextLimit = 4096, kLevelLimit = 64, kNodeLimit = 512, kListLimit = 64;

struct Spelled {
  std::string_view word;
  Operation operation;
};

constexpr std::array<Spelled, 6> kComparisons = {{{"<", Operation::less},
                                                  {"<=", Operation::less_equal},
                                                  {">", Operation::greater},
                                                  {">=", Operation::greater_equal},
                                                  {"==", Operation::equal},
                                                  {"!=", Operation::not_equal}}};
constexpr std::array<Spelled, 2> kSums = {{{"+", Operation::add}, {"-", Operation::subtract}}};
constexpr std::array<Spelled, 2> kProducts = {
    {{"*", Operation::multiply}, {"/", Operation::divide}}};
constexpr std::array<Spelled, 3> kCalls = {
    {{"min", Operation::minimum}, {"max", Operation::maximum}, {"abs", Operation::absolute}}};

/// Unwinds the parser; never leaves this file.
struct Stop {};

class Parser {
 public:
  Parser(const std::string& text, std::vector<Token> tokens, std::vector<Complaint>& complaints)
      : tokens_(std::move(tokens)), complaints_(complaints) {
    tree_.text = text;
  }

  Tree parse() {
    parse_or();
    if (current().kind != Token::Kind::end) {
      fail_expected("`and`, `or` or the end");
    }
    return std::move(tree_);
  }

 private:
  // Counts the nesting depth, which bounds this parser's own stack.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.level_ > kLevelLimit) {
        parser_.fail("the expression is nested too deep", "at most 64 levels");
      }
    }
    ~Level() { --parser_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  const Token& current() const { return tokens_[at_]; }
  const Token& take() { return tokens_[at_++]; }

  bool is(Token::Kind kind, std::string_view word) const {
    return current().kind == kind && current().word == word;
  }

  [[noreturn]] void fail(std::string problem, std::string why = "", std::string suggestion = "") {
    complaints_.push_back(
        {current().begin, std::move(problem), std::move(why), std::move(suggestion)});
    throw Stop();
  }

  [[noreturn]] void fail_expected(const std::string& what) {
    const Token& found = current();
    const std::string before =
        found.kind == Token::Kind::end
            ? "end of expression"
            : "`" + tree_.text.substr(found.begin, found.end - found.begin) + "`";
    fail("expected " + what + " before " + before);
  }

  void expect(std::string_view symbol) {
    if (!is(Token::Kind::symbol, symbol)) {
      fail_expected("`" + std::string(symbol) + "`");
    }
    ++at_;
  }

  std::size_t add(Node node) {
    if (tree_.nodes.size() >= kNodeLimit) {
      fail("the expression is too long", "at most 512 parts");
    }
    tree_.nodes.push_back(std::move(node));
    return tree_.nodes.size() - 1;
  }

  std::size_t add(Operation operation, std::size_t begin, std::vector<std::size_t> operands) {
    Node node{.operation = operation, .begin = begin, .end = tokens_[at_ - 1].end};
    node.operands = std::move(operands);
    return add(std::move(node));
  }

  template <std::size_t N>
  const Spelled* find(const std::array<Spelled, N>& table) const {
    for (const Spelled& spelled : table) {
      if (is(Token::Kind::symbol, spelled.word) || is(Token::Kind::name, spelled.word)) {
        return &spelled;
      }
    }
    return nullptr;
  }

  // One node for the whole chain `a or b or c`: chains may be long without being deep.
  template <class Part>
  std::size_t parse_row(std::string_view keyword, Operation operation, Part part) {
    const std::size_t begin = current().begin;
    std::vector<std::size_t> operands = {part()};
    while (is(Token::Kind::keyword, keyword)) {
      ++at_;
      operands.push_back(part());
    }
    return operands.size() == 1 ? operands.front() : add(operation, begin, std::move(operands));
  }

  std::size_t parse_or() {
    const Level level(*this);
    return parse_row("or", Operation::logical_or, [this] { return parse_and(); });
  }

  std::size_t parse_and() {
    return parse_row("and", Operation::logical_and, [this] { return parse_factor(); });
  }

  std::size_t parse_factor() {
    if (!is(Token::Kind::keyword, "not")) {
      return parse_comparison();
    }
    const Level level(*this);
    const std::size_t begin = take().begin;
    const std::size_t operand = parse_factor();
    return add(Operation::logical_not, begin, {operand});
  }

  std::size_t parse_comparison() {
    const std::size_t begin = current().begin;
    const std::size_t left = parse_sum();
    const bool negated = is(Token::Kind::keyword, "not");
    if (negated) {
      ++at_;
      if (!is(Token::Kind::keyword, "in")) {
        fail_expected("`in`");
      }
    }
    if (is(Token::Kind::keyword, "in")) {
      ++at_;
      const std::size_t list = parse_list();
      return add(negated ? Operation::not_in : Operation::in, begin, {left, list});
    }
    const Spelled* const comparison = find(kComparisons);
    if (comparison == nullptr) {
      return left;
    }
    ++at_;
    const std::size_t right = parse_sum();
    if (find(kComparisons) != nullptr) {
      fail("comparisons do not chain", "`a < b < c`", "did you mean `a < b and b < c`");
    }
    return add(comparison->operation, begin, {left, right});
  }

  std::size_t parse_sum() {
    const std::size_t begin = current().begin;
    std::size_t left = parse_product();
    while (const Spelled* const sum = find(kSums)) {
      ++at_;
      const std::size_t right = parse_product();
      left = add(sum->operation, begin, {left, right});
    }
    return left;
  }

  std::size_t parse_product() {
    const std::size_t begin = current().begin;
    std::size_t left = parse_unary();
    while (const Spelled* const product = find(kProducts)) {
      ++at_;
      const std::size_t right = parse_unary();
      left = add(product->operation, begin, {left, right});
    }
    return left;
  }

  std::size_t parse_unary() {
    const Token& token = current();
    if (is(Token::Kind::symbol, "-")) {
      const Level level(*this);
      ++at_;
      const std::size_t operand = parse_unary();
      return add(Operation::negate, token.begin, {operand});
    }
    if (is(Token::Kind::symbol, "(")) {
      ++at_;
      const std::size_t inner = parse_or();
      expect(")");
      tree_.nodes[inner].begin = token.begin;
      tree_.nodes[inner].end = tokens_[at_ - 1].end;
      return inner;
    }
    if (token.kind == Token::Kind::number) {
      ++at_;
      return add_literal(token, {token.number});
    }
    if (token.kind == Token::Kind::text) {
      ++at_;
      return add_literal(token, {token.word});
    }
    if (is(Token::Kind::keyword, "true") || is(Token::Kind::keyword, "false")) {
      ++at_;
      return add_literal(token, {token.word == "true"});
    }
    if (token.kind == Token::Kind::name) {
      return parse_name_or_call();
    }
    fail_expected("a value");
  }

  std::size_t add_literal(const Token& token, Value value) {
    Node node{.operation = Operation::literal, .begin = token.begin, .end = token.end};
    node.literal = std::move(value);
    return add(std::move(node));
  }

  std::size_t add_name(Operation operation, std::size_t begin, const Token& token) {
    Node node{.operation = operation, .begin = begin, .end = tokens_[at_ - 1].end};
    node.name = token.word;
    return add(std::move(node));
  }

  std::size_t parse_name_or_call() {
    const Token& token = current();
    const Token& next = tokens_[at_ + 1];
    const bool is_call = next.kind == Token::Kind::symbol && next.word == "(";
    if (!is_call) {
      ++at_;
      return add_name(Operation::name, token.begin, token);
    }
    if (token.word == "known") {
      at_ += 2;
      if (current().kind != Token::Kind::name) {
        fail_expected("a name");
      }
      const Token& asked = take();
      expect(")");
      return add_name(Operation::known, token.begin, asked);
    }
    const Spelled* const call = find(kCalls);
    if (call == nullptr) {
      fail("there is no function `" + token.word + "`", "functions: known min max abs");
    }
    at_ += 2;
    std::vector<std::size_t> operands = parse_elements(")");
    if (operands.empty() || (call->operation == Operation::absolute && operands.size() != 1)) {
      fail("`" + token.word + "` takes " +
           (call->operation == Operation::absolute ? "one value" : "at least one value"));
    }
    return add(call->operation, token.begin, std::move(operands));
  }

  std::vector<std::size_t> parse_elements(std::string_view close) {
    std::vector<std::size_t> elements;
    while (!is(Token::Kind::symbol, close)) {
      if (!elements.empty()) {
        if (!is(Token::Kind::symbol, ",")) {
          fail_expected("`" + std::string(close) + "`");
        }
        ++at_;
      }
      if (elements.size() == kListLimit) {
        fail("the list is too long", "at most 64 values");
      }
      elements.push_back(parse_or());
    }
    ++at_;
    return elements;
  }

  std::size_t parse_list() {
    const Token& token = current();
    if (token.kind == Token::Kind::name) {
      ++at_;
      return add_name(Operation::name, token.begin, token);
    }
    if (!is(Token::Kind::symbol, "[")) {
      fail_expected("a list");
    }
    ++at_;
    std::vector<std::size_t> elements = parse_elements("]");
    return add(Operation::list, token.begin, std::move(elements));
  }

  Tree tree_;
  std::vector<Token> tokens_;
  std::vector<Complaint>& complaints_;
  std::size_t at_ = 0, level_ = 0;
};

}  // namespace

std::optional<Expression> parse_expression(const std::string& text,
                                           std::vector<Complaint>& complaints) {
  if (text.size() > kTextLimit) {
    complaints.push_back({0, "the expression is too long", "at most 4 KiB", ""});
    return std::nullopt;
  }
  auto tokens = split_into_tokens(text, complaints);
  if (!tokens) {
    return std::nullopt;
  }
  if (tokens->size() == 1) {
    complaints.push_back({0, "the expression is empty", "", ""});
    return std::nullopt;
  }
  try {
    return Expression(
        std::make_shared<const Tree>(Parser(text, std::move(*tokens), complaints).parse()));
  } catch (const Stop&) {
    return std::nullopt;
  }
}

}  // namespace tune::expression
