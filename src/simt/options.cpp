#include "simt/options.hpp"

namespace assay::simt {
namespace {

constinit thread_local Session* innermost = nullptr;

}  // namespace

Statistics& Statistics::operator+=(const Statistics& other) {
  launches += other.launches;
  blocks += other.blocks;
  threads += other.threads;
  barriers += other.barriers;
  warp_operations += other.warp_operations;
  mma += other.mma;
  macs += other.macs;
  switches += other.switches;
  accesses += other.accesses;
  return *this;
}

Session::Session(Options options) : options_(options), outer_(innermost) { innermost = this; }

Session::~Session() { innermost = outer_; }

Session& Session::current() {
  if (innermost == nullptr) {
    thread_local Session outermost;  // its constructor makes it the innermost
    return outermost;
  }
  return *innermost;
}

}  // namespace assay::simt
