#include "record/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "record/record.hpp"

namespace assay {

namespace {

std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  return path.string() + fmt::format(".{}.part", ::getpid());
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& why) {
  throw RecordError(fmt::format("{}: cannot be written: {}", path.string(), why));
}

}  // namespace

void require_writable(const std::filesystem::path& path) {
  const std::filesystem::path temporary = temporary_beside(path);
  errno = 0;
  if (std::filesystem::is_directory(path)) fail_to_write(path, "is a folder");
  if (!std::ofstream(temporary, std::ios::binary)) fail_to_write(path, std::strerror(errno));
  std::filesystem::remove(temporary);
}

void write_whole_file(const std::string& text, const std::filesystem::path& path) {
  const std::filesystem::path temporary = temporary_beside(path);
  std::ofstream out(temporary, std::ios::binary);
  out << text;
  out.close();
  std::error_code failed;
  if (out) std::filesystem::rename(temporary, path, failed);
  if (out && !failed) return;
  const std::string why = failed ? failed.message() : std::strerror(errno);
  std::filesystem::remove(temporary, failed);
  fail_to_write(path, why);
}

std::string read_whole_file(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw RecordError(fmt::format("{}: is a folder", path.string()));
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in) throw RecordError(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  return text;
}

}  // namespace assay
