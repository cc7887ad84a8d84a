// As if built against a LibTorch that had a function more.

extern "C" int function_of_another_libtorch();

extern "C" __attribute__((visibility("default"))) const void* tune_plugin();

const void* tune_plugin() {
  static int answer = 0;
  answer = function_of_another_libtorch();
  return &answer;
}
