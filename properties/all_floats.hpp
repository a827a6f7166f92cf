#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace assay {

/// part(begin, end) over equal parts of the codes [0, 2^32), one thread a core: what each part returns.
template <class Part>
auto over_all_float_codes(Part part) {
  const std::uint64_t count = std::max(1u, std::thread::hardware_concurrency()), codes = 1ull << 32;
  std::vector<decltype(part(0, 0))> results(count);
  std::vector<std::jthread> threads;
  for (std::uint64_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] { results[i] = part(codes * i / count, codes * (i + 1) / count); });
  threads.clear();  // joins
  return results;
}

}  // namespace assay
