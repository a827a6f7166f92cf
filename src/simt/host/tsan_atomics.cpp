// What `g++ -fsanitize=thread` makes of atomic operations in a checked build: of reference counts and of local statics,
// for kernels have atomics of their own. They do what they say, and announce nothing. Stronger orders than asked for
// are correct, so every one is sequentially consistent.

#include <cstdint>

#define ASSAY_UPDATE(bits, type, operation)                                      \
  extern "C" type __tsan_atomic##bits##_##operation(type* at, type value, int) { \
    return __atomic_##operation(at, value, __ATOMIC_SEQ_CST);                    \
  }

#define ASSAY_EXCHANGE(bits, type, strength, weak)                                                                   \
  extern "C" int __tsan_atomic##bits##_compare_exchange_##strength(type* at, type* expected, type value, int, int) { \
    return __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);               \
  }

#define ASSAY_ATOMICS(bits, type)                                                                                   \
  extern "C" type __tsan_atomic##bits##_load(const type* at, int) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); } \
  extern "C" void __tsan_atomic##bits##_store(type* at, type value, int) {                                          \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                  \
  }                                                                                                                 \
  extern "C" type __tsan_atomic##bits##_exchange(type* at, type value, int) {                                       \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                        \
  }                                                                                                                 \
  ASSAY_UPDATE(bits, type, fetch_add)                                                                               \
  ASSAY_UPDATE(bits, type, fetch_sub)                                                                               \
  ASSAY_UPDATE(bits, type, fetch_and)                                                                               \
  ASSAY_UPDATE(bits, type, fetch_or)                                                                                \
  ASSAY_UPDATE(bits, type, fetch_xor)                                                                               \
  ASSAY_EXCHANGE(bits, type, strong, false)                                                                         \
  ASSAY_EXCHANGE(bits, type, weak, true)

ASSAY_ATOMICS(8, std::uint8_t)
ASSAY_ATOMICS(16, std::uint16_t)
ASSAY_ATOMICS(32, std::uint32_t)
ASSAY_ATOMICS(64, std::uint64_t)

extern "C" void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
extern "C" void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
