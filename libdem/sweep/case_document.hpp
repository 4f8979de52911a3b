// A case as a document whose keys can be changed one by one, before it is read as a case.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "libdem/sweep/sweep.hpp"

namespace dem {

/// Places in it are named as in sweep files: `skin`, `material.friction`, `body.NAME.force[0]`, `stage.NAME.duration`,
/// `stage[2].duration` (counted from 1 as in messages), `stage.duration` where there is one stage alone.
class CaseDocument {
 public:
  /// Throws CaseErrors when the text is not TOML.
  CaseDocument(std::string_view text, const std::string& name);
  CaseDocument(const CaseDocument&);
  ~CaseDocument();

  /// Sets a key, given or not. Throws std::invalid_argument: a sentence on what there is instead.
  void set(std::string_view place, const SweepValue&);
  /// The same with a value as it stands in a case file: a number, a switch, a list, a text in quotes. A text needs no
  /// quotes where it is no other value. Returns the key as messages name it: "body[2].force".
  std::string set_text(std::string_view place, std::string_view value);
  /// The case; messages about keys that were set begin with "--set" instead of file and line. Throws CaseErrors.
  Case read() const;
  /// The number there; nothing where there is none.
  std::optional<double> number(std::string_view place) const;
  /// The case key of the place, as `dem help` knows it: "body.force". Throws std::invalid_argument like set.
  std::string key(std::string_view place) const;
  std::size_t stages() const;
  std::string text() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
  std::string name_;
};

}  // namespace dem
