#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem/case.hpp"
#include "problem/precision.hpp"

namespace assay {

/// What an entry of a kernel sees: typed pointers into the memory of the machine that runs it, sizes and parameters.
class Call {
 public:
  struct Array {
    void* data = nullptr;
    Format format = Format::f32;
  };

  Call(const Case& c, std::map<std::string, Array, std::less<>> arrays) : case_(c), arrays_(std::move(arrays)) {}

  /// The tensor's elements, or nullptr if the case has no such tensor. Throws std::logic_error if T is not its format.
  template <class T>
  T* array(std::string_view name) const {
    const auto it = arrays_.find(name);
    if (it == arrays_.end()) return nullptr;
    if (it->second.format != FormatOf<T>::value)
      throw std::logic_error(std::string(name) + ": the kernel asks for another format than the case holds");
    return static_cast<T*>(it->second.data);
  }

  bool has(std::string_view name) const { return arrays_.contains(name); }

  std::int64_t size(Axis axis) const { return case_.sizes[axis]; }
  double parameter(std::string_view name) const { return case_.parameter(name); }

 private:
  const Case& case_;
  std::map<std::string, Array, std::less<>> arrays_;
};

/// The shapes that a kernel accepts.
struct Limits {
  std::int64_t feature = 128;
  std::int64_t value = 128;
  std::vector<std::int64_t> channels = {6};
  std::vector<std::int64_t> powers = {1};
  std::vector<std::int64_t> chunks = {};  ///< values of C, tokens a chunk; empty: any, the kernel takes no chunks
  std::vector<std::int64_t> blocks = {64, 16, 32, 48, 128};  ///< values of b, tokens a block, that cases are drawn with
  bool ragged = true;
  bool initial_state = true;
  bool final_state = true;  ///< whether it returns the optional final states
  bool sums = false;        ///< whether it returns the sums of an output, on request
  bool nodes = false;       ///< whether it returns the steps on the way to its outputs
  bool one_token = false;   ///< a decode step
  bool in_place = false;    ///< whether a final state may be the array of the initial one

  /// Whether the kernel writes this tensor; sums where they are asked for.
  bool returns(const TensorSpec& spec, bool with_sums = false) const;
};

/// How one run is made.
struct Execution {
  enum class Machine { host, checked, device } machine = Machine::host;
  std::uint64_t schedule = 0;          ///< 0: round robin; otherwise the seed of a random schedule
  std::uint32_t poison = 0xffffffffu;  ///< fills everything that the kernel must not read before writing
  unsigned workers = 1;                ///< OS threads that share the blocks of a launch; 0: one a core
  bool sums = false;                   ///< ask for the sums, of a kernel that returns them
  bool in_place = false;               ///< final states are written over the initial ones that the case has

  bool operator==(const Execution&) const = default;
};

/// What a run of a kernel returns: outputs, final states included.
struct Run {
  Tensors outputs;
};

/// A kernel broke a rule of its machine: out of bounds, a race, a divergent barrier.
struct KernelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One implementation of an operator.
struct Kernel {
  std::string name;  ///< "sanatan.attention/scan.f32"
  const Operator* op = nullptr;
  Contract contract;
  Limits limits;
  std::string mutant;  ///< the planted fault; empty for a kernel without one
  bool over_fields = false;
  std::function<Run(const Case&, const Execution&)> run;

  /// Empty if the kernel accepts the case, otherwise the rule that it breaks, with the value.
  std::string refusal(const Case& c) const;
};

}  // namespace assay
