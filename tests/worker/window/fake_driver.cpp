// A fake driver. Its answers are compiled in: FAKE_INIT, FAKE_VERSION.
extern "C" int cuInit(unsigned int /*flags*/) {
  return FAKE_INIT;
}

extern "C" int cuDriverGetVersion(int* version) {
  *version = FAKE_VERSION;
  return 0;
}

extern "C" int cuGetErrorString(int /*code*/, const char** words) {
  *words = "words of the driver";
  return 0;
}
