// Errors of a case file, collected with the line of each key.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/drivers/findings.hpp"

namespace dem::case_file {

class Problems final : public Findings {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  /// Notes that the key (or table) is in the file at this line, or given by --set (line 0), with this value for
  /// messages. Paths are "material.density" or "stage[2].strain", counted from 1.
  void given(const std::string& path, int line, std::string shown = {}) { given_[path] = {line, std::move(shown)}; }
  /// Notes that an unknown or misplaced name was meant as `path` (a key or a table). Then `path` counts as given.
  /// Errors of `path`, or of keys of that table, are only consequences and are left out.
  void meant(const std::string& path) { meant_.insert(path); }
  bool is_given(const std::string& path) const override { return given_.contains(path) || is_meant(path); }

  /// Adds one problem per path, because later ones are consequences. A missing key is reported at its table.
  void add(const std::string& path, std::string_view found, std::string_view allowed) override;
  /// Adds a problem that is listed before all others, because others may follow from it: a misspelt key.
  void add_first(const std::string& path, std::string_view found, std::string_view allowed);
  /// Adds a problem with the value of a key that the file gives, as the file has it.
  void refuse(const std::string& path, std::string_view allowed) { refuse(path, "nothing", allowed); }
  /// The same for a key that may be missing. Then "found" is `value`, the default.
  void refuse(const std::string& path, std::string_view value, std::string_view allowed) override;
  bool has(const std::string& path) const;     ///< a problem with exactly this key
  int line_of(const std::string& path) const;  ///< of the key, or of its table
  bool any() const { return !reports_.empty(); }
  /// The messages `file:line: key: found …, allowed …`. Misspelt keys come first, then the order is by line.
  std::vector<std::string> messages() const;

 private:
  struct Report {
    bool later;
    int line;
    std::string path, text;
  };
  struct Given {
    int line = 0;
    std::string shown;
  };
  bool is_meant(const std::string& path) const;

  std::string file_;
  std::map<std::string, Given> given_;
  std::set<std::string> meant_;
  std::vector<Report> reports_;
};

/// Calls f(entry, path) with the path of each entry in messages: "wall[2]".
template <class List, class F>
void for_each_entry(const List& list, std::string_view table, F f) {
  for (std::size_t k = 0; k < list.size(); ++k) f(list[k], std::string(table) + "[" + std::to_string(k + 1) + "]");
}

/// The parts of a message `file:line: key: found …, allowed …`, or without a line. Missing parts stay empty (line: 0).
struct MessageParts {
  std::string file;
  int line = 0;
  std::string key, found, allowed;
};
MessageParts parts_of(std::string_view message);

/// Number of insertions, deletions, replacements and exchanges of neighbours that turn one word into the other. For
/// texts longer than any word it is their length.
int edit_distance(std::string_view, std::string_view);
/// The largest distance at which a word may be a misspelling of another: a third of its letters, at least one.
int near_enough(std::string_view word);

using Names = std::vector<std::string_view>;
/// The text "a", "b", or a, b without quotes.
std::string listed(const Names&, bool quoted = true);
/// The name nearest to the word. Empty without a near one.
std::string_view nearest(std::string_view word, const Names& known);
/// The suggestion `; nearest known key: friction`. Empty without a near one.
std::string nearest(std::string_view word, const Names& known, std::string_view what);

}  // namespace dem::case_file
