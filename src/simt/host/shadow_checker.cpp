#include "simt/host/shadow_checker.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "simt/host/thread_index.hpp"

namespace assay::simt::runtime {
namespace {

const char* name_of(AccessKind kind) {
  return kind == AccessKind::read ? "read" : kind == AccessKind::write ? "write" : "atomic update";
}

const std::string dynamic_name = "dynamic shared memory";

std::size_t cell_count(std::size_t bytes) { return (bytes + Cell::bytes - 1) / Cell::bytes; }

}  // namespace

void ShadowChecker::begin_launch(const KernelSymbols& symbols, std::vector<Private> ignored, const std::byte* dynamic,
                                 std::size_t dynamic_bytes) {
  symbols_ = &symbols;
  ignored_ = std::move(ignored);
  thread_local_ = thread_local_block();
  static_shadows_.assign(symbols.arrays.size(), {});
  dynamic_ = dynamic;
  dynamic_bytes_ = dynamic_bytes;
  dynamic_shadow_.clear();
  regions_ = all_regions();
  order_.begin_launch();
}

bool ShadowChecker::is_private(const void* address) const {
  for (const Private& range : ignored_)
    if (address >= range.begin && address < range.end) return true;
  for (const auto& [word, bytes] : {std::pair<const void*, std::size_t>(&threadIdx, sizeof threadIdx),
                                    {&blockIdx, sizeof blockIdx},
                                    {&blockDim, sizeof blockDim},
                                    {&gridDim, sizeof gridDim}})
    if (address >= word && address < static_cast<const std::byte*>(word) + bytes) return true;
  return in_program_image(address);
}

std::optional<ShadowChecker::Area> ShadowChecker::find_shared(const std::byte* address) {
  if (address >= dynamic_ && address < dynamic_ + dynamic_bytes_)
    return Area{
        &dynamic_shadow_, static_cast<std::size_t>(address - dynamic_), dynamic_bytes_, &dynamic_name, true, false};
  if (address < thread_local_.data || address >= thread_local_.data + thread_local_.bytes) return std::nullopt;
  const auto offset = static_cast<std::size_t>(address - thread_local_.data);
  for (std::size_t i = 0; i < symbols_->arrays.size(); ++i) {
    const SharedArray& array = symbols_->arrays[i];
    if (offset >= array.offset && offset < array.offset + array.bytes)
      return Area{&static_shadows_[i], offset - array.offset, array.bytes, &array.name, true, false};
  }
  return std::nullopt;
}

std::optional<ShadowChecker::Area> ShadowChecker::find_region(const std::byte* address) {
  const auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                      [](const std::byte* a, const Region& region) { return a < region.data; });
  if (after == regions_.begin()) return std::nullopt;
  const Region& region = *std::prev(after);
  const auto offset = static_cast<std::size_t>(address - region.data);
  if (offset >= region.bytes || region.in_gap(offset)) return std::nullopt;
  return Area{region.shadow.get(), offset, region.bytes, &region.name, false, region.initialised};
}

std::optional<ShadowChecker::Area> ShadowChecker::find(const std::byte* address) {
  const auto shared = find_shared(address);
  return shared ? shared : find_region(address);
}

const Violation* ShadowChecker::access(int thread, const void* address, std::size_t bytes, AccessKind kind,
                                       const void* code) {
  if (is_private(address)) return nullptr;
  const auto* at = static_cast<const std::byte*>(address);
  const auto area = find(at);
  if (!area) return outside_every_array(at, kind);
  if (area->offset + bytes > area->bytes) return outside_every_array(at + area->bytes - area->offset, kind);
  if (area->shadow->empty()) area->shadow->resize(cell_count(area->bytes));
  const Stamp now = order_.stamp(thread, kind, code);
  for (std::size_t i = area->offset / Cell::bytes; i < cell_count(area->offset + bytes); ++i)
    if (const Violation* violation = touch((*area->shadow)[i], *area, now)) return violation;
  return nullptr;
}

const Violation* ShadowChecker::touch(Cell& cell, const Area& area, const Stamp& now) {
  if (area.shared && !order_.in_this_block(cell.write)) cell = {};  // shared memory lives as long as its block
  const auto where = [&] { return fmt::format("'{}' + {} bytes", *area.name, area.offset); };
  if (cell.awaits_copy)
    return report(fmt::format("{} of {}, where a cp.async has not been waited for", name_of(now.kind), where()),
                  &cell.write);
  if (now.kind != AccessKind::write && !cell.initialised && !area.initialised)
    return report(fmt::format("uninitialised read of {}", where()));
  const auto conflicts = [&](const Stamp& earlier) {
    const bool both_atomic = now.kind == AccessKind::atomic && earlier.kind == AccessKind::atomic;
    return !both_atomic && !order_.ordered(earlier, now.thread);
  };
  if (conflicts(cell.write))
    return report(fmt::format("race: {} of {} while it is written", name_of(now.kind), where()), &cell.write);
  if (now.kind == AccessKind::read) {
    cell.note_read(now);
    return nullptr;
  }
  for (const Stamp& read : cell.reads)
    if (conflicts(read))
      return report(fmt::format("race: {} of {} while it is read", name_of(now.kind), where()), &read);
  cell.write = now;
  cell.initialised = true;
  return nullptr;
}

const Violation* ShadowChecker::issue_copy(int thread, const void* to, std::size_t bytes, const void* code) {
  if (const Violation* violation = access(thread, to, bytes, AccessKind::write, code)) return violation;
  const auto area = find(static_cast<const std::byte*>(to));
  for (std::size_t i = area->offset / Cell::bytes; i < cell_count(area->offset + bytes); ++i)
    (*area->shadow)[i].awaits_copy = true;
  return nullptr;
}

void ShadowChecker::deliver_copy(int thread, const void* to, std::size_t bytes) {
  const auto area = find(static_cast<const std::byte*>(to));
  for (std::size_t i = area->offset / Cell::bytes; i < cell_count(area->offset + bytes); ++i) {
    Cell& cell = (*area->shadow)[i];
    cell.awaits_copy = false;
    cell.write = order_.stamp(thread, AccessKind::write, cell.write.code);
  }
}

const Violation* ShadowChecker::outside_every_array(const std::byte* address, AccessKind kind) {
  if (address >= thread_local_.data && address < thread_local_.data + thread_local_.bytes) {
    const SharedArray other = shared_array_at(static_cast<std::size_t>(address - thread_local_.data));
    if (!other.name.empty())
      return report(
          fmt::format("{} of {}: a __shared__ array must be declared in the kernel itself", name_of(kind), other.name));
    return report(fmt::format("out of bounds: {} outside every __shared__ array", name_of(kind)));
  }
  for (const Region& region : regions_)
    if (address >= region.pad_begin - region.guard_bytes && address < region.pad_end + region.guard_bytes)
      return report(fmt::format("out of bounds: {} {} buffer '{}' ({} bytes)", name_of(kind),
                                address < region.data                  ? "before the start of"
                                : address < region.data + region.bytes ? "in a gap between the rows of"
                                                                       : "past the end of",
                                region.name, region.bytes));
  if (address >= dynamic_ + dynamic_bytes_ && address < dynamic_ + dynamic_bytes_ + (1 << 16))
    return report(fmt::format("out of bounds: {} past the end of dynamic shared memory ({} bytes)", name_of(kind),
                              dynamic_bytes_));
  return report(fmt::format("out of bounds: {} outside every buffer", name_of(kind)));
}

const Violation* ShadowChecker::report(std::string rule, const Stamp* other) {
  violation_ = {std::move(rule)};
  if (other != nullptr && other->run != 0) {
    const bool here = order_.in_this_block(*other);
    violation_.other =
        fmt::format("the {} by thread {} of {} block", name_of(other->kind), other->thread, here ? "this" : "another");
    violation_.other_code = other->code;
  }
  return &violation_;
}

}  // namespace assay::simt::runtime
