// What each kernel file defines, for the machine whose namespace this is included in.

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

/// Every kernel, by paper and file.
inline std::vector<Build> all_builds() {
  std::vector<Build> all;
  for (const auto of_file :
       {sanatan::features_builds, sanatan::scan_builds, sanatan::chunk_builds, sanatan::parallel_builds,
        sanatan::decode_builds, sfda::scan_builds, sfda::chunk_wy_builds, sfda::decode_builds, sfda::scan_pairs_builds,
        sfda::compose_in_order_builds, sfda::compose_as_tree_builds, sas::tiled_builds, sas::split_kv_builds,
        sas::rank_blocks_builds, sas::recompute_builds, sas::recompute_once_builds, sas::gates_builds,
        sas::score_gradients_builds}) {
    const std::vector<Build> builds = of_file();
    all.insert(all.end(), builds.begin(), builds.end());
  }
  return all;
}
