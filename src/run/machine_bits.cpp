#include "run/machine_bits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace assay {
namespace {

std::string label(const std::string& subject, const std::string& format, const std::string& instruction) {
  return fmt::format("{} {}{}{}", subject, format, instruction.empty() ? "" : " ", instruction);
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& digests) {
  return std::accumulate(digests.begin(), digests.end(), std::uint64_t{0});
}

/// Adds the outputs of one block that differ, and keeps the first of all in words.
void compare_block(const MachineResults& host, const MachineResults& device, std::uint64_t block, ComparedRow& out) {
  const std::vector<std::uint32_t> want = host.bits(block), got = device.bits(block);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (want[i] == got[i]) continue;
    if (out.row.mismatches++ == 0)
      out.first_difference =
          fmt::format("{}: {}: host {:08x}, device {:08x}", label(device.subject, device.format, device.instruction),
                      host.inputs(block * host.block_size + i), want[i], got[i]);
  }
}

Json error_json(const LargestError& largest) {
  return {{"error", real_json(largest.error)},
          {"unit", largest.unit},
          {"at", fmt::format("{:08x}", largest.at)},
          {"stated", largest.stated}};
}

LargestError parse_error(const Json& json) {
  return {.error = json["error"].is_number() ? json["error"].get<double>() : INFINITY,
          .unit = json["unit"],
          .at = static_cast<std::uint32_t>(parse_digest(json["at"])),
          .stated = json["stated"]};
}

Json row_json(const MachineBitsRow& row, const std::string& subject_key) {
  Json json = {{subject_key, row.subject}, {"format", row.format}};
  if (!row.instruction.empty()) json["instruction"] = row.instruction;
  json["outputs"] = row.outputs;
  json["mismatches"] = row.mismatches;
  json["digest"] = digest_text(row.digest);
  json["first_block"] = digest_text(row.first_block);
  if (row.largest_error) json["largest_error"] = error_json(*row.largest_error);
  return json;
}

MachineBitsRow parse_row(const Json& json, const std::string& subject_key) {
  MachineBitsRow row{.subject = json.at(subject_key),
                     .format = json.at("format"),
                     .instruction = json.value("instruction", ""),
                     .outputs = json.at("outputs"),
                     .mismatches = json.at("mismatches"),
                     .digest = parse_digest(json.at("digest")),
                     .first_block = parse_digest(json.at("first_block")),
                     .largest_error = {}};
  if (json.contains("largest_error")) row.largest_error = parse_error(json["largest_error"]);
  return row;
}

}  // namespace

std::vector<std::uint64_t> block_digests(const MachineResults& results,
                                         const std::function<void(std::size_t)>& advance) {
  constexpr std::uint64_t at_once = 256;  // keeps every core busy, and the line moving
  std::vector<std::uint64_t> digests;
  for (std::uint64_t first = 0; first < results.blocks; first += at_once) {
    const std::uint64_t count = std::min(at_once, results.blocks - first);
    const std::vector<std::uint64_t> some = results.digests(first, count);
    digests.insert(digests.end(), some.begin(), some.end());
    if (advance) advance(count);
  }
  return digests;
}

MachineBitsRow row_of(const MachineResults& results, const std::vector<std::uint64_t>& digests) {
  return {.subject = results.subject,
          .format = results.format,
          .instruction = results.instruction,
          .outputs = results.size(),
          .mismatches = 0,
          .digest = sum_of(digests),
          .first_block = digests.front(),
          .largest_error = {}};
}

ComparedRow compare(const MachineResults& host, const std::vector<std::uint64_t>& host_digests,
                    const MachineResults& device, const std::vector<std::uint64_t>& device_digests) {
  ComparedRow out{row_of(device, device_digests), {}};
  for (std::uint64_t block = 0; block < host.blocks; ++block)
    if (host_digests[block] != device_digests[block]) compare_block(host, device, block, out);
  return out;
}

Json machine_bits_json(const std::vector<MachineBitsRow>& rows, const std::string& subject_key) {
  std::uint64_t outputs = 0, mismatches = 0;
  Json json = Json::array();
  for (const MachineBitsRow& row : rows) {
    outputs += row.outputs;
    mismatches += row.mismatches;
    json.push_back(row_json(row, subject_key));
  }
  return {{"summary", {{"rows", rows.size()}, {"outputs", outputs}, {"mismatches", mismatches}}}, {"rows", json}};
}

std::vector<MachineBitsRow> machine_bits_rows(const Json& record, const std::string& subject_key,
                                              const std::string& file) {
  std::vector<MachineBitsRow> rows;
  try {
    for (const Json& json : record.at("rows")) rows.push_back(parse_row(json, subject_key));
  } catch (const Json::exception&) {
    throw RecordError(fmt::format("{}: not a record of bits with rows by {}", file, subject_key));
  }
  return rows;
}

std::string disagreement(const MachineBitsRow& recorded, const MachineResults& host, Extent extent,
                         const std::function<void(std::size_t)>& advance) {
  const std::string name = label(recorded.subject, recorded.format, recorded.instruction);
  if (recorded.mismatches != 0) return fmt::format("{}: {} recorded mismatches", name, recorded.mismatches);
  if (recorded.outputs != host.size())
    return fmt::format("{}: {} recorded outputs, computed are {}", name, recorded.outputs, host.size());
  const std::vector<std::uint64_t> digests =
      extent == Extent::whole ? block_digests(host, advance) : host.digests(0, 1);
  const MachineBitsRow now = row_of(host, digests);
  if (now.first_block != recorded.first_block)
    return fmt::format("{}: first block {}, recorded {}", name, digest_text(now.first_block),
                       digest_text(recorded.first_block));
  if (extent == Extent::whole && now.digest != recorded.digest)
    return fmt::format("{}: digest {}, recorded {}", name, digest_text(now.digest), digest_text(recorded.digest));
  return "";
}

}  // namespace assay
