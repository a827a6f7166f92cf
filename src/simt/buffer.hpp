#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::simt {

/// Whose memory a pointer points to.
enum class Machine { host, device };

/// `count` rows of `length` elements whose starts are `stride` elements apart. length ≤ stride.
struct Rows {
  std::size_t count;
  std::size_t length;
  std::size_t stride;

  static Rows dense(std::size_t count) { return {1, count, count}; }
  /// From the first element to the last: the gap after the last row does not count.
  std::size_t extent() const { return count == 0 ? 0 : (count - 1) * stride + length; }
};

namespace runtime {

/// Guarded bytes that a machine's kernels may use. Every fill, pad and gap holds the session's poison.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual std::byte* data() const = 0;
  /// Rows without gaps, in and out.
  virtual void write(const std::byte* rows) = 0;
  virtual void read(std::byte* rows) const = 0;
};

/// Rows in units of bytes. Throws Error where the machine is not built in.
std::unique_ptr<Memory> allocate(Machine machine, std::string name, Rows rows);

}  // namespace runtime

/// An array for kernels. What lies around it and in its gaps must be neither read nor written: writes there are found
/// after every launch, reads by running with both poisons, and on the host accesses past the end are faults.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Not initialised. `name` is what errors call it.
  Buffer(Machine machine, std::string name, Rows rows)
      : rows_(rows),
        memory_(runtime::allocate(machine, std::move(name),
                                  {rows.count, rows.length * sizeof(T), rows.stride * sizeof(T)})) {}
  Buffer(Machine machine, std::string name, std::size_t count) : Buffer(machine, std::move(name), Rows::dense(count)) {}

  /// A copy of `values`.
  Buffer(Machine machine, std::string name, std::span<const T> values)
      : Buffer(machine, std::move(name), values.size()) {
    set(values);
  }

  /// The first element, for kernels of the buffer's machine; aligned to 16 bytes.
  T* data() { return reinterpret_cast<T*>(memory_->data()); }
  const T* data() const { return reinterpret_cast<const T*>(memory_->data()); }
  const Rows& rows() const { return rows_; }

  /// Writes all rows from count × length values.
  void set(std::span<const T> values) { memory_->write(reinterpret_cast<const std::byte*>(values.data())); }

  /// All rows, without gaps.
  std::vector<T> values() const {
    std::vector<T> result(rows_.count * rows_.length);
    memory_->read(reinterpret_cast<std::byte*>(result.data()));
    return result;
  }

 private:
  Rows rows_;
  std::unique_ptr<runtime::Memory> memory_;
};

}  // namespace assay::simt
