#pragma once

#include <concepts>

namespace assay {

/// Integers that convert exactly into every arithmetic here; a truth value is none.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

}  // namespace assay
