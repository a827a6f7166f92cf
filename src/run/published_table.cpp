#include "run/published_table.hpp"

#include <fstream>
#include <stdexcept>

#include <boost/tokenizer.hpp>
#include <fmt/format.h>

namespace assay {
namespace {

std::vector<std::string> split_cells(const std::string& line) {
  const boost::tokenizer<boost::escaped_list_separator<char>> cells(line);
  return {cells.begin(), cells.end()};
}

}  // namespace

PublishedTable read_published_table(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot be read", file.string()));
  PublishedTable table;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const auto cells = split_cells(line);
    if (number == 1) {
      table.columns = cells;
    } else if (cells.size() != table.columns.size()) {
      throw std::runtime_error(fmt::format("{}:{}: {} cells, needs {} like the first line", file.string(), number,
                                           cells.size(), table.columns.size()));
    } else {
      table.rows.push_back(cells);
    }
  }
  if (table.rows.empty()) throw std::runtime_error(fmt::format("{}: no rows below the column names", file.string()));
  return table;
}

}  // namespace assay
