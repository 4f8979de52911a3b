// Tables of numbers and outlines in TOML. A file is named from the folder of the project.
#pragma once
#include <toml++/toml.h>

#include "geometry/polygon.hpp"
#include "prelude.hpp"

namespace dem::test {

struct TomlTable {
  toml::table table;

  static TomlTable of_file(const std::string& file) { return {toml::parse_file(LIBDEM_SOURCE_DIR "/" + file)}; }
  /// The tables [[name]].
  std::vector<TomlTable> tables(const char* name) const {
    std::vector<TomlTable> all;
    if (const toml::array* list = table[name].as_array())
      for (const toml::node& each : *list) all.push_back({*each.as_table()});
    return all;
  }
  std::string text(const char* name) const { return table[name].value<std::string>().value(); }
  double number(const char* name) const { return table[name].value<double>().value(); }
  std::vector<double> numbers(const char* name) const { return numbers_of(*table[name].as_array()); }
  Vec2 point(const char* name) const { return {numbers(name).at(0), numbers(name).at(1)}; }
  geometry::Outline outline(const char* name) const {
    geometry::Outline all;
    for (const toml::node& each : *table[name].as_array()) {
      const std::vector<double> at = numbers_of(*each.as_array());
      all.push_back({at.at(0), at.at(1)});
    }
    return all;
  }

 private:
  static std::vector<double> numbers_of(const toml::array& list) {
    std::vector<double> all;
    for (const toml::node& each : list) all.push_back(each.value<double>().value());
    return all;
  }
};

}  // namespace dem::test
