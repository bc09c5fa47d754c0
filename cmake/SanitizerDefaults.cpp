// Options that AddressSanitizer starts with in the asan preset. LLVM's bump allocator poisons what
// it has not given out yet, from code inlined into ours; libLLVM.so and libMLIR.so are not
// instrumented and take memory without unpoisoning it, so poisoning by hand is left out.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
