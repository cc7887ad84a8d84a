// A shared library, but none of tune's.

extern "C" __attribute__((visibility("default"))) int answer();

int answer() {
  return 42;
}
