#pragma once
#include <string>
#include <string_view>

namespace dem {

/// Takes what a driver finds wrong with the case file, before there is an assembly. Keys have their table and, in a
/// list, the number of the table from 1: "wall[2].name".
class Findings {
 public:
  virtual ~Findings() = default;
  /// The file has the key or the table.
  virtual bool is_given(const std::string& key) const = 0;
  virtual void add(const std::string& key, std::string_view found, std::string_view allowed) = 0;
  /// The same for the value of a key. Found is the value in the file; where the file is silent, it is `value`.
  virtual void refuse(const std::string& key, std::string_view value, std::string_view allowed) = 0;
};

}  // namespace dem
