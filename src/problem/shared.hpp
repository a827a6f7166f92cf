#pragma once

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include <sys/mman.h>

namespace assay {

/// A T in memory that processes forked later share.
template <class T>
class Shared {
 public:
  Shared() {
    void* const map = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "memory to share with workers");
    object_ = new (map) T();
  }
  Shared(Shared&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Shared& operator=(Shared&&) = delete;
  ~Shared() {
    if (object_ != nullptr) ::munmap(object_, sizeof(T));
  }

  T& operator*() const { return *object_; }

 private:
  T* object_;
};

}  // namespace assay
