#pragma once

#include <utility>

namespace assay {

/// How random elements of K are drawn. The primary template asks K itself; types from libraries specialise it.
template <class K>
struct Uniform {
  template <class Source>
  static constexpr K draw(Source&& source) {
    return K::uniform(source);
  }
};

/// A random element of K: uniform over a finite K, a small one otherwise. `source()` gives 64 uniform bits.
template <class K, class Source>
constexpr K uniform_element(Source&& source) {
  return Uniform<K>::draw(source);
}

}  // namespace assay
