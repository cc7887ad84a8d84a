// script_archives FOLDER: writes TorchScript archives for own_model_test, and packages for
// aot_package_test. A separate program, because GoogleTest and LibTorch are never linked together.
// script_archives --resnet18=FILE CLASSES: only ResNet-18, for tests/bench.

#include "aot_archives.h"
#include "script_builder.h"

#include <ATen/Context.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

namespace tune::worker {

namespace {

// A small network on [N, 3, S, S].
std::string features(ScriptBuilder& net) {
  std::string x = net.batch_norm(net.conv("x", 3, 8, 3, 2), 8);
  x = net.assign("torch.relu_(" + x + ")");
  return net.assign("torch.flatten(torch.adaptive_avg_pool2d(" + x + ", [1, 1]), 1)");
}

// Models that do not train every batch, or not in every step alike.
void write_difficult(const std::string& folder) {
  const auto file = [&](const char* name) { return folder + "/" + name; };
  ScriptBuilder tokens("Tokens");  // [N, S] -> [N, S, 256]
  const std::string embedded = tokens.embedding("x", 256, 8);
  tokens.save(file("tokens.pt"), tokens.linear(embedded, 8, 256));
  ScriptBuilder texts("Texts");  // [N, S] -> [N, 5]
  const std::string mean = texts.assign(texts.embedding("x", 256, 8) + ".mean([1])");
  texts.save(file("texts.pt"), texts.linear(mean, 8, 5));
  ScriptBuilder rating("Rating");  // [N, S] -> [N, 1]
  const std::string of_all = rating.assign(rating.embedding("x", 256, 8) + ".mean([1])");
  rating.save(file("rating.pt"), rating.linear(of_all, 8, 1));
  ScriptBuilder traced("Traced");  // with batches of four
  traced.save(file("traced.pt"), traced.linear("x.reshape([4, 16])", 16, 10));
  ScriptBuilder raises("Raises");
  raises.raise_value_error("x.size(1) != 4", "needs 4 channels");
  raises.save(file("raises.pt"), raises.linear(features(raises), 8, 10));
  ScriptBuilder late("Late");  // another parameter from the third call on
  const std::string calls = late.call_count();
  const std::string first = late.parameter({1}, 0.1);
  const std::string second = late.parameter({1}, 0.1);
  const std::string always = late.parameter({1}, 0.1);
  const std::string one = late.assign(second + " if bool(" + calls + " > 2) else " + first);
  late.save(
      file("late.pt"),
      late.assign("(torch.cat([" + one + ", " + always + "]) + 1) * torch.ones([x.size(0), 1])"));
}

void write_all(const std::string& folder) {
  const auto file = [&](const char* name) { return folder + "/" + name; };
  ScriptBuilder net("Net");
  net.save(file("net.pt"), net.linear(features(net), 8, 10));
  ScriptBuilder vector("Vector");
  vector.save(file("vector.pt"), vector.linear("x", 16, 10));
  ScriptBuilder image("Image");
  image.save(file("image.pt"), image.conv("x", 3, 3, 3, 1));
  ScriptBuilder unused("Unused");
  (void)unused.parameter({5}, 1);
  unused.save(file("unused.pt"), unused.linear(features(unused), 8, 10));
  ScriptBuilder frozen("Frozen");
  const std::string weight = frozen.parameter({10, 8}, 0.1, /*is_frozen=*/true);
  ScriptBuilder empty("Empty");
  empty.save(file("no_parameters.pt"), empty.assign("torch.flatten(x, 1)"));
  frozen.save(file("frozen.pt"),
              frozen.assign("torch.matmul(torch.flatten(x, 1)[:, 0:8], " + weight + ".t())"));
  ScriptBuilder tuple("Tuple");
  const std::string scores = tuple.linear(features(tuple), 8, 10);
  tuple.save(file("tuple.pt"), "(" + scores + ", " + scores + ")");
  ScriptBuilder two("Two");
  two.save(file("two_arguments.pt"), two.linear("x + y", 16, 10), ", y");
  write_difficult(folder);
  write_packages(folder);
}

}  // namespace

}  // namespace tune::worker

int main(int argc, char** argv) {
  constexpr std::string_view kResnet = "--resnet18=";
  try {
    at::manual_seed(1);
    const std::string_view word = argc >= 2 ? argv[1] : "";
    if (argc == 3 && word.starts_with(kResnet)) {
      tune::worker::save_resnet18(std::string(word.substr(kResnet.size())), std::atoll(argv[2]));
    } else if (argc == 2 && !word.starts_with('-') && !word.empty()) {
      tune::worker::write_all(std::string(word));
    } else {
      std::fprintf(stderr, "usage: script_archives FOLDER | --resnet18=FILE CLASSES\n");
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "script_archives: %s\n", error.what());
    return 1;
  }
  return 0;
}
