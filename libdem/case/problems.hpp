// What is wrong with a case file, collected with the line of each key.
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

  /// The key (or table) is in the file, at this line, or given by --set (line 0), with this value as messages show it.
  /// Paths: "material.density", "stage[2].strain", counted from 1.
  void given(const std::string& path, int line, std::string shown = {}) { given_[path] = {line, std::move(shown)}; }
  /// The file has what is known by no name, or not in this table, where `path` (a key or a table) was meant. It counts
  /// as given, and what is wrong with it, or with the keys of that table, only follows: it is left out.
  void meant(const std::string& path) { meant_.insert(path); }
  bool is_given(const std::string& path) const override { return given_.contains(path) || is_meant(path); }

  /// One problem a path: later ones only follow from the first. A key that is not in the file is reported at its table.
  void add(const std::string& path, std::string_view found, std::string_view allowed) override;
  /// The same for what is listed before all others, because others may follow from it: a key spelt wrongly.
  void add_first(const std::string& path, std::string_view found, std::string_view allowed);
  /// The same for the value of a key: found is what the file says there, or `value`, its default.
  void refuse(const std::string& path, std::string_view value, std::string_view allowed) override;
  bool has(const std::string& path) const;     ///< a problem with this very key
  int line_of(const std::string& path) const;  ///< of the key, or of its table
  bool any() const { return !reports_.empty(); }
  /// The messages, keys spelt wrongly first, then by line: `file:line: key: found …, allowed …`.
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

/// The parts of a message `file:line: key: found …, allowed …`; what it does not have stays empty (line: 0).
struct MessageParts {
  std::string file;
  int line = 0;
  std::string key, found, allowed;
};
MessageParts parts_of(std::string_view message);

/// Number of insertions, deletions, replacements and exchanges of neighbours that turn one word into the other. Of
/// texts too long to be words it is their length.
int edit_distance(std::string_view, std::string_view);
/// The largest distance at which another word may be what this one was meant to be: a third of its letters, at least
/// one.
int near_enough(std::string_view word);

using Names = std::vector<std::string_view>;
/// "a", "b", or without quotes a, b.
std::string listed(const Names&, bool quoted = true);
/// The name that is nearest to the word; empty where none is near enough.
std::string_view nearest(std::string_view word, const Names& known);
/// "; nearest known key: friction"; empty where none is near enough.
std::string nearest(std::string_view word, const Names& known, std::string_view what);

}  // namespace dem::case_file
