#pragma once

#include "kernels/build.hpp"

// What each kernel file defines, once for every machine that it is compiled for.

namespace assay::kernels {

inline namespace host {
namespace sanatan {
std::vector<Build> features_builds();
std::vector<Build> scan_builds();
std::vector<Build> chunk_builds();
std::vector<Build> parallel_builds();
std::vector<Build> decode_builds();
}  // namespace sanatan
namespace sfda {
std::vector<Build> scan_builds();
std::vector<Build> chunk_wy_builds();
std::vector<Build> decode_builds();
std::vector<Build> scan_pairs_builds();
std::vector<Build> compose_in_order_builds();
std::vector<Build> compose_as_tree_builds();
}  // namespace sfda
namespace sas {
std::vector<Build> tiled_builds();
std::vector<Build> split_kv_builds();
std::vector<Build> rank_blocks_builds();
std::vector<Build> recompute_builds();
std::vector<Build> recompute_once_builds();
std::vector<Build> gates_builds();
std::vector<Build> score_gradients_builds();
}  // namespace sas
}  // namespace host

inline namespace checked {
namespace sanatan {
std::vector<Build> features_builds();
std::vector<Build> scan_builds();
std::vector<Build> chunk_builds();
std::vector<Build> parallel_builds();
std::vector<Build> decode_builds();
}  // namespace sanatan
namespace sfda {
std::vector<Build> scan_builds();
std::vector<Build> chunk_wy_builds();
std::vector<Build> decode_builds();
std::vector<Build> scan_pairs_builds();
std::vector<Build> compose_in_order_builds();
std::vector<Build> compose_as_tree_builds();
}  // namespace sfda
namespace sas {
std::vector<Build> tiled_builds();
std::vector<Build> split_kv_builds();
std::vector<Build> rank_blocks_builds();
std::vector<Build> recompute_builds();
std::vector<Build> recompute_once_builds();
std::vector<Build> gates_builds();
std::vector<Build> score_gradients_builds();
}  // namespace sas
}  // namespace checked

}  // namespace assay::kernels
