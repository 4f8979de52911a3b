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
  /// The number there; nothing where there is none.
  std::optional<double> number(std::string_view place) const;
  /// The case key of the place, as `dem help` knows it: "body.force". Throws std::invalid_argument like set.
  std::string key(std::string_view place) const;
  std::size_t stages() const;
  std::string text() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace dem
