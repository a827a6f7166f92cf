#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A published table, every cell as it was printed.
struct PublishedTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< [row][column]

  /// The index of a column. Throws where the table has no such column.
  std::size_t column(std::string_view name) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i] == name) return i;
    throw std::out_of_range("column \"" + std::string(name) + "\": the table has none of that name");
  }

  /// The cell of the first row whose first cell is `row`. Throws where there is none.
  const std::string& cell(std::string_view row, std::string_view column_name) const {
    const std::size_t index = column(column_name);
    for (const auto& cells : rows)
      if (cells.front() == row) return cells[index];
    throw std::out_of_range("row \"" + std::string(row) + "\": the table has none of that name");
  }
};

/// What a source prints for one claim: text as printed, by a short name, and whole tables.
struct Published {
  std::map<std::string, std::string, std::less<>> values;
  std::map<std::string, PublishedTable, std::less<>> tables;

  const std::string& value(std::string_view name) const { return find(values, name, "published value"); }
  const PublishedTable& table(std::string_view name) const { return find(tables, name, "published table"); }

 private:
  template <class Map>
  static const typename Map::mapped_type& find(const Map& map, std::string_view name, const char* what) {
    const auto found = map.find(name);
    if (found == map.end()) throw std::out_of_range(std::string(name) + ": the claim gives no such " + what);
    return found->second;
  }
};

}  // namespace assay
