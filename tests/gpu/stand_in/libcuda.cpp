// Stands in for libcuda.so.1: what a program asks before it computes.
#include "gpu/stand_in/answers.h"

extern "C" {
int cuInit(unsigned flags);
int cuDriverGetVersion(int* version);
int cuDeviceGetCount(int* count);
int cuGetErrorString(int code, const char** words);
int cuGetProcAddress_v2(
    const char* name, void** function, int version, unsigned long long flags, int* status);
}

namespace {

const tune::stand_in::Answers& answers() {
  static const auto answers =
      tune::stand_in::Answers::beside(reinterpret_cast<const void*>(&cuInit));
  return answers;
}

}  // namespace

int cuInit(unsigned /*flags*/) {
  return answers().code("cuInit");
}

int cuDriverGetVersion(int* version) {
  *version = static_cast<int>(answers().number("cuda", 13000));
  return answers().code("cuDriverGetVersion");
}

int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(answers().gpus().size());
  return answers().code("cuDeviceGetCount");
}

int cuGetErrorString(int code, const char** words) {
  *words = code == 100   ? "no CUDA-capable device is detected"
           : code == 803 ? "system has unsupported display driver / cuda driver combination"
                         : "unknown error";
  return 0;
}

int cuGetProcAddress_v2(const char* /*name*/,
                        void** function,
                        int /*version*/,
                        unsigned long long /*flags*/,
                        int* /*status*/) {
  constexpr int kNotFound = 500;
  *function = nullptr;
  return kNotFound;
}
