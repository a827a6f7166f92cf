#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "properties/enumerated.hpp"
#include "properties/record/laws.hpp"
#include "properties/same.hpp"
#include "properties/temporary_folder.hpp"
#include "record/record.hpp"
#include "record/whole_file.hpp"
#include "run/isolated.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

Json record_of(std::size_t bytes) {
  return {{"schema", schema_version}, {"command", "assay verify"}, {"filler", std::string(bytes, 'x')}};
}

/// "" if writing is refused with the path in one line; otherwise what went wrong.
std::string refusal(const fs::path& path, const Json& record) {
  try {
    write_record(record, path);
  } catch (const RecordError& error) {
    const std::string line = error.what();
    return line.find(path.string()) != std::string::npos && line.find('\n') == std::string::npos ? "" : line;
  }
  return "was written";
}

Outcome written_and_read() {
  const TemporaryFolder folder;
  const fs::path path = folder / "record.json";
  write_record(record_of(10), path);
  write_record(record_of(20), path);
  return all_of({holds_if(read_record(path) == record_of(20), "another record came back"),
                 same("files", folder.entries(), std::size_t{1})});
}

/// Folders that are not there, that are files, or that take no files.
Outcome refused_places() {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  FirstFailure found;
  for (const fs::path& path :
       {folder / "absent" / "record.json", folder / "file" / "record.json", fs::path("/proc/record.json")}) {
    const std::string why = refusal(path, record_of(10));
    found.note(holds_if(why.empty(), fmt::format("{}: {}", path.string(), why)));
  }
  return found.outcome();
}

/// In a process that may write no file beyond 4096 bytes: what a full disk looks like.
std::string write_to_full_disk(const fs::path& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{4096, 4096};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit could be set";
  return refusal(path, record_of(1 << 16));
}

Outcome full_disk() {
  const TemporaryFolder folder;
  const fs::path path = folder / "record.json";
  write_record(record_of(10), path);
  std::string why = "no answer";
  run_isolated(
      1, {.processes = 1}, [&](std::size_t) { return write_to_full_disk(path); },
      [&](std::size_t, const JobAnswer& answer) {
        why = answer.text;
        return true;
      });
  return all_of({holds_if(why.empty(), "on a full disk: " + why),
                 holds_if(read_record(path) == record_of(10), "the old record was touched"),
                 same("files", folder.entries(), std::size_t{1})});
}

Outcome refuses(const fs::path& path, const std::string& text, const char* word) {
  std::ofstream(path) << text;
  try {
    read_record(path);
  } catch (const RecordError& error) {
    const std::string line = error.what();
    return holds_if(line.find(word) != std::string::npos && line.find(path.string()) != std::string::npos,
                    fmt::format("'{}' does not say '{}'", line, word));
  }
  return Outcome::fails(fmt::format("'{}' is read as a record", text));
}

Outcome refused_texts() {
  const TemporaryFolder folder;
  const fs::path path = folder / "record.json";
  return all_of({refuses(path, "", "JSON"), refuses(path, R"({"schema": 1, "comm)", "JSON"),
                 refuses(path, "[1]", "schema"), refuses(path, R"({"command": "x"})", "schema"),
                 refuses(path, R"({"schema": 999})", "999"), refuses(path, R"({"schema": "1"})", "schema")});
}

}  // namespace

std::vector<Law> record_files_laws() {
  return {enumerated("record.is_written_whole_and_read_back", "the new one in place of the old, nothing beside it", "",
                     "files", written_and_read),
          enumerated("record.is_not_written_where_it_cannot_be", "one line says where and why", "", "files",
                     refused_places),
          enumerated("record.outlives_a_full_disk", "the old record stays, and no part of the new one", "", "files",
                     full_disk),
          enumerated("record.reading_refuses_what_is_no_record", "no JSON, cut short, another schema", "", "files",
                     refused_texts)};
}

}  // namespace assay
