#include "problem/families.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/operators/table.hpp"
#include "properties/asking_kernel.hpp"
#include "properties/enumerated.hpp"
#include "properties/problem/laws.hpp"
#include "properties/same.hpp"
#include "run/digest.hpp"

namespace assay {
namespace {

/// The inputs of the first small cases of a family, in both element formats.
std::uint64_t digest_of(const Operator& op, const Family& family) {
  Tensors all;
  for (const Format element : {Format::f32, Format::bf16}) {
    const Kernel kernel = asking_kernel(op, element);
    for (std::uint64_t seed = 0, found = 0; found < 4; ++seed) {
      if (work_bin_of(make_sizes(kernel, family, seed), Algorithm::scan) > 0) continue;
      ++found;
      for (auto& [name, tensor] : make_case(kernel, family, seed).inputs)
        all.emplace(fmt::format("{}/{}/{}", name_of(element), seed, name), std::move(tensor));
    }
  }
  return digest(all);
}

/// Made on x86-64 by g++ 12.
const std::map<std::string, std::uint64_t> committed = {
    {"sanatan.features/bell", 0x1973cf85e158ee5d},
    {"sanatan.features/uniform", 0xa079223299313c7c},
    {"sanatan.features/peaked", 0x4286a0960e163aef},
    {"sanatan.features/huge", 0xc1a6a276cfa800ec},
    {"sanatan.features/tiny", 0xb3057fe87e42994d},
    {"sanatan.features/zero_keys", 0x8900a45493b58c60},
    {"sanatan.features/subnormal", 0x58ad76db652cb74f},
    {"sanatan.features/saturated_labels", 0xa23e723f2a654856},
    {"sanatan.features/boundary_labels", 0x833c72b6365e137d},
    {"sanatan.features/large_angles", 0xe7b30727c0c71533},
    {"sanatan.features/specials", 0xc8d6cb7c8509582b},
    {"sanatan.attention/bell", 0x5b6cad093ddfd380},
    {"sanatan.attention/uniform", 0x01b9a43f8a8eb10f},
    {"sanatan.attention/peaked", 0x6f50774d24170d33},
    {"sanatan.attention/huge", 0x971b1fec69574041},
    {"sanatan.attention/tiny", 0x5854ecc6f5aace23},
    {"sanatan.attention/cancelling", 0x32ce9059f8dd1661},
    {"sanatan.attention/equal_keys", 0x2303cfdc9c8b34df},
    {"sanatan.attention/zero_keys", 0x78c34dbccbb04adc},
    {"sanatan.attention/one_hot", 0xe4e1051f0a6bba7f},
    {"sanatan.attention/subnormal", 0x27e6ecf4ad0e8da6},
    {"sanatan.attention/constant_values", 0x30aa2b42b24bbb93},
    {"sanatan.attention/opposite_labels", 0x1e3d6a1b1001815b},
    {"sanatan.attention/boundary_labels", 0xd3e7aee9ef30e0f1},
    {"sanatan.attention/large_angles", 0x21767d5f6819ed47},
    {"sanatan.attention/specials", 0xff6fbe58731bceb7},
    {"sanatan.feature_attention/circle", 0x7b415eccd5641b24},
    {"sanatan.feature_attention/hard_labels", 0xebe09de783dbe684},
    {"sanatan.feature_attention/opposite_labels", 0x87eb2b79edd7eeae},
    {"sanatan.feature_attention/no_labels", 0x7fbadc3d818f39ba},
    {"sanatan.feature_attention/cancelling", 0xd06f780c0c85c139},
    {"sanatan.feature_attention/constant_values", 0x31805f5753803b3f},
    {"sanatan.feature_attention/subnormal", 0x3d4a2ea4d71a17ce},
    {"sanatan.feature_attention/history", 0x9764d6b317ffcc07},
    {"sanatan.feature_attention/exact_small", 0xc3236258d67437ff},
    {"sanatan.feature_attention/exact_full", 0x9e3f73986741c29a},
    {"sanatan.feature_attention/field", 0x5179b87170d8ff3d},
    {"sanatan.feature_attention/specials", 0xe3d702a46ba9394d},
    {"sfda.attention/unit_keys", 0x6545376d7e3643b3},
    {"sfda.attention/equal_keys", 0x1f9b4256035732fd},
    {"sfda.attention/equal_tokens", 0xe9864b768582330e},
    {"sfda.attention/sparse_keys", 0xf30ba17a4c26b75b},
    {"sfda.attention/one_hot", 0x9801a7b55a237e10},
    {"sfda.attention/long_keys", 0x315a32c87c22a66d},
    {"sfda.attention/beta_0", 0x46f8ba754fc13e4b},
    {"sfda.attention/beta_1", 0x004c045f094068ff},
    {"sfda.attention/beta_2", 0xc2ddd24577957e1f},
    {"sfda.attention/beta_beyond_2", 0x22714d7f4672fec0},
    {"sfda.attention/cancelling", 0x50ab556ea44fb1c0},
    {"sfda.attention/subnormal", 0xe64e5f7c8938e93e},
    {"sfda.attention/history", 0x39f27562cd67bab6},
    {"sfda.attention/exact_small", 0x566e3adbf2677f43},
    {"sfda.attention/exact_full", 0x58e38b14fdaa74d1},
    {"sfda.attention/field", 0x7e823955ff54a393},
    {"sfda.attention/specials", 0x3b6e641fbc9983c4},
    {"sfda.attention/no_decay", 0x9ef3f2d2ad4151d8},
    {"sfda.attention/slow_decay", 0xb7aeb2a32911db17},
    {"sfda.attention/decay", 0x9db12e0f29721fa4},
    {"sfda.attention/fast_decay", 0x884a1c8b20accc44},
    {"sfda.attention/any_decay", 0x2c17307b71448be7},
    {"sfda.attention/decay_200", 0xbd6f7d37860137fc},
    {"sfda.attention/mixed_200", 0xc1979a3b1b0ea83b},
    {"sfda.attention/no_phase", 0xdea54d51f4cde81e},
    {"sfda.attention/special_phases", 0xcd022a0f1394810a},
    {"sfda.attention/large_phases", 0xf548508f9334f937},
    {"kda.attention/unit_keys", 0x862f24d8230e5d5d},
    {"kda.attention/equal_keys", 0x30baa4fae8ec2c1c},
    {"kda.attention/equal_tokens", 0x2cda6046695124a1},
    {"kda.attention/sparse_keys", 0x21f136d1cae8381d},
    {"kda.attention/one_hot", 0x78dd5cdcbf4e4fab},
    {"kda.attention/long_keys", 0x4c4db3c9c74cc1fe},
    {"kda.attention/beta_0", 0x7fcfc8d9c8acedcd},
    {"kda.attention/beta_1", 0x5ce8e305150473fc},
    {"kda.attention/beta_2", 0xd9ecc7b8f5ebaded},
    {"kda.attention/beta_beyond_2", 0x7a43d6deead41643},
    {"kda.attention/cancelling", 0xf8f39eead117d8cc},
    {"kda.attention/subnormal", 0x220d7c90575366ba},
    {"kda.attention/history", 0x94bc084c42dc1d6b},
    {"kda.attention/exact_small", 0x6998ed42ace1ed93},
    {"kda.attention/exact_full", 0xee35a45b900072fa},
    {"kda.attention/field", 0x5f387cfeac097989},
    {"kda.attention/specials", 0xa735c16487237748},
    {"kda.attention/no_decay", 0x88b1f35f9d9139fe},
    {"kda.attention/slow_decay", 0x30352db93a8973e9},
    {"kda.attention/decay", 0xa9a5da38cb47cc82},
    {"kda.attention/fast_decay", 0xf41b0c0a8d58079b},
    {"kda.attention/any_decay", 0x379c3fc1daefbe9f},
    {"kda.attention/decay_200", 0xbca74b2b7eae9565},
    {"kda.attention/mixed_200", 0xd5a9bd2bba7a2ae8},
    {"gated_delta.attention/unit_keys", 0x4ed777e7334f65f9},
    {"gated_delta.attention/equal_keys", 0xd4a15285cb32d019},
    {"gated_delta.attention/equal_tokens", 0xd50d957c6d0b31f7},
    {"gated_delta.attention/sparse_keys", 0x2860165f01934771},
    {"gated_delta.attention/one_hot", 0x1ed24cd2c06b757f},
    {"gated_delta.attention/long_keys", 0x920b27736748a2f6},
    {"gated_delta.attention/beta_0", 0xf35327e691508c4e},
    {"gated_delta.attention/beta_1", 0x4751ad1e9b8b1350},
    {"gated_delta.attention/beta_2", 0xfe439ca40f02d762},
    {"gated_delta.attention/beta_beyond_2", 0x30bd6059feb16463},
    {"gated_delta.attention/cancelling", 0x3a6406ae3d3e4104},
    {"gated_delta.attention/subnormal", 0xcfe1a5441c0a7a77},
    {"gated_delta.attention/history", 0x839d5b1d92f198e7},
    {"gated_delta.attention/exact_small", 0x22c42b18a09aa497},
    {"gated_delta.attention/exact_full", 0x9c9f84df1d7f30b4},
    {"gated_delta.attention/field", 0xa7ac3bd216b4e315},
    {"gated_delta.attention/specials", 0x81850479ea2b01a1},
    {"gated_delta.attention/no_decay", 0x9549418a6134394d},
    {"gated_delta.attention/slow_decay", 0x71f46dbbc83c7544},
    {"gated_delta.attention/decay", 0xe1b4a40ad2bda7ba},
    {"gated_delta.attention/fast_decay", 0x81574c4ca7338db9},
    {"gated_delta.attention/any_decay", 0xbe0daae5dafa0d1d},
    {"gated_delta.attention/decay_200", 0x90745d964c2095da},
    {"gated_delta.attention/mixed_200", 0x11f32efbbd42aed7},
    {"delta.attention/unit_keys", 0xfe8bac51fa716d23},
    {"delta.attention/equal_keys", 0x25ea44d65d6b7ae2},
    {"delta.attention/equal_tokens", 0xc898b37467377157},
    {"delta.attention/sparse_keys", 0xf98c2fdf56360449},
    {"delta.attention/one_hot", 0x9f47059a67ac62c6},
    {"delta.attention/long_keys", 0x0f7b0fd17aa43d33},
    {"delta.attention/beta_0", 0xc5188b04fb99e609},
    {"delta.attention/beta_1", 0xb094fc17dc30b26c},
    {"delta.attention/beta_2", 0x46866e38c5baff28},
    {"delta.attention/beta_beyond_2", 0x3cda1a8254f77615},
    {"delta.attention/cancelling", 0x7056c71868bbf89d},
    {"delta.attention/subnormal", 0x690cd44e41638317},
    {"delta.attention/history", 0x0923aa09f39a9a5d},
    {"delta.attention/exact_small", 0xa83f5dc4a1a7cd3b},
    {"delta.attention/exact_full", 0x9917fd8bcf7aecc4},
    {"delta.attention/field", 0xf556a0a8af70680d},
    {"delta.attention/specials", 0x29583766b0808611},
    {"rotation_blocks.attention/unit_keys", 0x8d90360036bc4905},
    {"rotation_blocks.attention/equal_keys", 0xb33b380e9b16f30b},
    {"rotation_blocks.attention/equal_tokens", 0x86674a11ab247eb5},
    {"rotation_blocks.attention/sparse_keys", 0x2c29dee1be341edb},
    {"rotation_blocks.attention/one_hot", 0x8f74af7f95face1a},
    {"rotation_blocks.attention/long_keys", 0xff684da8849e2417},
    {"rotation_blocks.attention/beta_0", 0xe6f7b6450f1cce24},
    {"rotation_blocks.attention/beta_1", 0x18adc48a368b5afb},
    {"rotation_blocks.attention/beta_2", 0x3dfe712daba57063},
    {"rotation_blocks.attention/beta_beyond_2", 0x13dc5329d55f1338},
    {"rotation_blocks.attention/cancelling", 0x17d1e05be1d2a223},
    {"rotation_blocks.attention/subnormal", 0x9789aee1c650b5b2},
    {"rotation_blocks.attention/history", 0x06841a729a475f82},
    {"rotation_blocks.attention/exact_small", 0x04de7d180830b12d},
    {"rotation_blocks.attention/exact_full", 0x3f599ba5effda850},
    {"rotation_blocks.attention/field", 0x18da57a67b3a8ee7},
    {"rotation_blocks.attention/specials", 0xea12a3f185d935f3},
    {"rotation_blocks.attention/no_decay", 0x7c8ebc976b9644ee},
    {"rotation_blocks.attention/slow_decay", 0xff482c698667ac73},
    {"rotation_blocks.attention/decay", 0xf2cfc20a56d24d06},
    {"rotation_blocks.attention/fast_decay", 0x3645619262e38abe},
    {"rotation_blocks.attention/any_decay", 0x6f442839193fae91},
    {"rotation_blocks.attention/decay_200", 0x2c75a239ca2fc227},
    {"rotation_blocks.attention/mixed_200", 0x809c8fb2c4011a08},
    {"rotation_blocks.attention/no_phase", 0xb58a54fc450fc2a1},
    {"rotation_blocks.attention/special_phases", 0x54bd58286fb504a8},
    {"rotation_blocks.attention/large_phases", 0x19d56401c319d2ba},
    {"sfda.compose/maps_of_tokens", 0x52b1005feb1a30ed},
    {"sfda.compose/near_identity", 0x1cc2521fcbcd54c0},
    {"sfda.compose/reflections", 0x305357d541549334},
    {"sfda.compose/rotations", 0x2f5dc70f43ec9baf},
    {"sfda.compose/forgetting", 0x05b7cdd4709ff47e},
    {"sfda.compose/subnormal", 0x883aaf4b491cfa40},
    {"sfda.compose/exact_small", 0x23d164522692da37},
    {"sfda.compose/exact_full", 0xdd1033fc3d9ca0cd},
    {"sfda.compose/field", 0x7c18a01ddabd9edf},
    {"sfda.compose/specials", 0xd536e2d090d87733},
    {"softmax.attention/bell", 0xee66000466418132},
    {"softmax.attention/sharp", 0xc01574ef7d5fae2e},
    {"softmax.attention/flat", 0xddd3c42ab59fa50e},
    {"softmax.attention/peaked", 0xb617fa7966723b72},
    {"softmax.attention/huge_exact", 0x8cbf28fdaf2227ee},
    {"softmax.attention/equal_keys", 0xdf69190f216ef4f1},
    {"softmax.attention/zero_queries", 0x59db4b8819a35009},
    {"softmax.attention/one_hot", 0x8c60f9f97b998336},
    {"softmax.attention/cancelling", 0x6c4443e8ca1a736a},
    {"softmax.attention/constant_values", 0xadde248c2bcd8d7e},
    {"softmax.attention/tiny_values", 0xcbf9becb546a3c7d},
    {"softmax.attention/subnormal", 0xf96c58447632e184},
    {"softmax.attention/exact_winner", 0x25dfe9c937c62035},
    {"softmax.attention/field", 0x144f246d487b9843},
    {"softmax.attention/specials", 0x48426e73c8c99626},
    {"sas.attention/bell", 0x4675c36415db78b1},
    {"sas.attention/deep_gates", 0x9c9138731d126234},
    {"sas.attention/closed_gates", 0x3f76c7ed567fa849},
    {"sas.attention/open_gates", 0xe15b49ab954fb652},
    {"sas.attention/raw_gates", 0x4e63f9a387cae0ee},
    {"sas.attention/zero_queries_deep_gates", 0x43ee376f5d46619a},
    {"sas.attention/sharp", 0x734bbc7d076bcfef},
    {"sas.attention/flat", 0x04bad20f37a57fd5},
    {"sas.attention/peaked", 0x2172f73eeabf858f},
    {"sas.attention/huge_exact", 0xaa210535bfc0faa0},
    {"sas.attention/equal_keys", 0x280b0aecc035a310},
    {"sas.attention/zero_queries", 0xcf7b31cf8fdbd8be},
    {"sas.attention/one_hot", 0x64a8a61f0681f1ca},
    {"sas.attention/cancelling", 0xd076c439b1e9e4ca},
    {"sas.attention/constant_values", 0x1c96327a9dde8551},
    {"sas.attention/tiny_values", 0x4ccec3a554764d12},
    {"sas.attention/subnormal", 0x634989e0b68c61f9},
    {"sas.attention/exact_winner", 0xfa50dd68908710a1},
    {"sas.attention/field", 0xa83fe3e3ea2f9f9b},
    {"sas.attention/specials", 0x753a9a7f9baf8208},
    {"softmax.gradients/bell", 0x288904d7a32371d5},
    {"softmax.gradients/sharp", 0x75e8c9deb57ab439},
    {"softmax.gradients/flat", 0x509c5f8cde54a327},
    {"softmax.gradients/peaked", 0x73486ff59fa19f6f},
    {"softmax.gradients/huge_exact", 0x124a4575b020dafd},
    {"softmax.gradients/two_keys", 0x7a7cfe5caa0e9b8c},
    {"softmax.gradients/zero_queries", 0xadeb89eac3f097bf},
    {"softmax.gradients/one_hot", 0x54374c47515ab3ce},
    {"softmax.gradients/cancelling", 0x8ca965ef15b81afb},
    {"softmax.gradients/constant_values", 0x6080456550d6e29e},
    {"softmax.gradients/tiny_values", 0xf31b852f6dbe7b44},
    {"softmax.gradients/subnormal", 0x6e38e230e919e79a},
    {"softmax.gradients/exact_winner", 0x9edf4f6fc8408ebe},
    {"softmax.gradients/field", 0x01de649880b13f69},
    {"softmax.gradients/specials", 0x45b48d970bfb7375},
    {"sas.gradients/bell", 0xc9e96431a7db3600},
    {"sas.gradients/deep_gates", 0x2d0c2be506a9a3a7},
    {"sas.gradients/closed_gates", 0x7c3df2778597fa39},
    {"sas.gradients/open_gates", 0xec86dfd488f837d6},
    {"sas.gradients/raw_gates", 0xa438bfd9092a1a35},
    {"sas.gradients/zero_queries_deep_gates", 0xcf8af466c1a643ee},
    {"sas.gradients/sharp", 0x49475ff8e579fa26},
    {"sas.gradients/flat", 0xe5ba18b6ef8010bb},
    {"sas.gradients/peaked", 0x9485bce9decbf6ca},
    {"sas.gradients/huge_exact", 0x9e43e69c347e5543},
    {"sas.gradients/two_keys", 0x071fb1ec4be09015},
    {"sas.gradients/zero_queries", 0xcafa60b831c11e6d},
    {"sas.gradients/one_hot", 0x524e6d10ff4ecfc5},
    {"sas.gradients/cancelling", 0x7ed31c3abf04bd24},
    {"sas.gradients/constant_values", 0x7709238f2389ced9},
    {"sas.gradients/tiny_values", 0xecb2103c83793cb6},
    {"sas.gradients/subnormal", 0x0720b14674d5292c},
    {"sas.gradients/exact_winner", 0x5049af22e08835da},
    {"sas.gradients/field", 0x609459f64b83bf29},
    {"sas.gradients/specials", 0x8c8487b55570fee3},
    {"sas.select/bell", 0x7c8a5300bd2081b8},
    {"sas.select/peaked", 0x07af5f5d39d34050},
    {"sas.select/equal_keys", 0xb93e77ca4942138a},
    {"sas.select/near_ties", 0x6363e27dccb80bf8},
    {"sas.select/zero_queries", 0xe87bc98e157f5005},
    {"sas.select/one_hot", 0x595921befd9e1f25},
    {"sas.select/exact_ties", 0xff58c9091eb66731},
    {"sas.select/field", 0x05bfe7c71decb19b},
    {"sas.select/specials", 0x1267a40c2d2fc879},
    {"sas.gates/bell", 0x930200fb7323e2a9},
    {"sas.gates/sharp", 0x1a7729d8f450391f},
    {"sas.gates/peaked", 0xdf08ffaa84a0acf7},
    {"sas.gates/deep", 0x0df5bb46b914ec69},
    {"sas.gates/closed", 0xf4ea34bfdbc0213b},
    {"sas.gates/equal_scores", 0x545804f2cfe4ad11},
    {"sas.gates/far_from_zero", 0x6631927c1c07a6ed},
    {"sas.gates/huge", 0xc8efa61d591b2305},
    {"sas.gates/tiny", 0xd8800e4b4823a9e3},
    {"sas.gates/subnormal", 0xe9bafd704b73562b},
    {"sas.gates/exact_winner", 0x9bf1fa46150f5c77},
    {"sas.gates/field", 0xb396324447dcb21d},
    {"sas.gates/specials", 0xa196812b3f80c5b7},
    {"sas.score_gradients/bell", 0xa67be36fae35b077},
    {"sas.score_gradients/sharp", 0x399f8e86bcb2c2cb},
    {"sas.score_gradients/deep_gates", 0xb2b20c16e4e8505d},
    {"sas.score_gradients/closed_gates", 0xa88df006b3d78733},
    {"sas.score_gradients/equal_gates", 0x5b05691a72077d29},
    {"sas.score_gradients/cancelling", 0x3521cba7e590cff1},
    {"sas.score_gradients/huge", 0x50b3ebc5a5cd8069},
    {"sas.score_gradients/tiny", 0xd0e1fcab06943029},
    {"sas.score_gradients/subnormal", 0xcee97e98f0e0038d},
    {"sas.score_gradients/exact_gates", 0x2860ae6124c2886d},
    {"sas.score_gradients/field", 0xddb137ecc78d9035},
    {"sas.score_gradients/specials", 0xbc809d8efd3a57ed},
    {"softmax.decode/bell", 0x9088ae85d9439320},
    {"softmax.decode/sharp", 0xe3801e95b0102b60},
    {"softmax.decode/flat", 0x4142c2c733f264db},
    {"softmax.decode/peaked", 0x9a5111c69e03f7c2},
    {"softmax.decode/huge_exact", 0xe237b4e7c0e869f4},
    {"softmax.decode/equal_keys", 0x374a269db2e1eb8f},
    {"softmax.decode/zero_queries", 0x01dc7031ea5a65f3},
    {"softmax.decode/one_hot", 0xe9e1917206465ba5},
    {"softmax.decode/cancelling", 0xabf7026ffcca1e5d},
    {"softmax.decode/constant_values", 0x54775d089747c3d6},
    {"softmax.decode/tiny_values", 0x1702fc576c2c70c2},
    {"softmax.decode/subnormal", 0x330e7e0edd6111da},
    {"softmax.decode/exact_winner", 0x90048dfeda4cd2c4},
    {"softmax.decode/field", 0x0fde480c3357b027},
    {"softmax.decode/specials", 0x74078751d064aef5},
    {"sas.decode/bell", 0x7b62f43429e35bfe},
    {"sas.decode/deep_gates", 0xcca1f3fc85e0a51b},
    {"sas.decode/closed_gates", 0xfe4aff5a1ca7aac5},
    {"sas.decode/open_gates", 0x77946fe8470f002f},
    {"sas.decode/raw_gates", 0x75ed8594218ab60c},
    {"sas.decode/zero_queries_deep_gates", 0xa242a5fbb1557655},
    {"sas.decode/sharp", 0xda6c2328869801ca},
    {"sas.decode/flat", 0xf2640a0059d7270c},
    {"sas.decode/peaked", 0x7644ace088aed84b},
    {"sas.decode/huge_exact", 0x3f7c4caa47fc8646},
    {"sas.decode/equal_keys", 0x6570b5c40fd43cc9},
    {"sas.decode/zero_queries", 0x06bf691e8ccef832},
    {"sas.decode/one_hot", 0xaa88d26697cbafb3},
    {"sas.decode/cancelling", 0x0201f77f55d7abc3},
    {"sas.decode/constant_values", 0xdcebe5a360f82976},
    {"sas.decode/tiny_values", 0xf15ca431be485496},
    {"sas.decode/subnormal", 0xd72cf622c4f767d2},
    {"sas.decode/exact_winner", 0x654ad9ef1b1fab40},
    {"sas.decode/field", 0xdeba3654929f2541},
    {"sas.decode/specials", 0xb8eabac2d2f45838},
};

Outcome same_inputs() {
  FirstFailure found;
  for (const Operator* op : operator_table())
    for (const Family& family : families_of(*op)) {
      const std::string name = fmt::format("{}/{}", op->name, family.name);
      const auto row = committed.find(name);
      const std::string got = fmt::format("0x{:016x}", digest_of(*op, family));
      if (row == committed.end())
        found.note(Outcome::fails(fmt::format("{} has no committed digest: it is {}", name, got)));
      else
        found.note(same(name, got, fmt::format("0x{:016x}", row->second)));
    }
  return found.outcome();
}

/// Values fit their formats, and only families that are judged by laws alone hold anything that is not finite, but for
/// logarithms of 0.
Outcome finite_inputs() {
  FirstFailure found;
  for (const Operator* op : operator_table())
    for (const Family& family : families_of(*op)) {
      if (family.standard == Standard::laws || family.standard == Standard::field) continue;
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Kernel kernel = asking_kernel(*op, seed % 2 == 0 ? Format::f32 : Format::bf16);
        if (work_bin_of(make_sizes(kernel, family, seed), Algorithm::scan) > 1) continue;
        for (const auto& [name, tensor] : make_case(kernel, family, seed).inputs)
          for (std::int64_t i = 0; i < tensor.count(); ++i)
            if (!std::isfinite(tensor.value(i)) && !(op->find(name)->logarithm && tensor.value(i) < 0))
              found.note(Outcome::fails(
                  fmt::format("{}/{}, seed {}: {}[{}] is {}", op->name, family.name, seed, name, i, tensor.value(i))));
      }
    }
  return found.outcome();
}

}  // namespace

std::vector<Law> problem_families_laws() {
  return {
      enumerated("problem.inputs_are_the_same_on_every_machine",
                 "the first small cases of every family have the digests that were committed", "", "bits", same_inputs),
      enumerated("problem.inputs_are_finite", "but for the families that have laws alone", "", "values",
                 finite_inputs)};
}

}  // namespace assay
