// A law by value, with its options. Only the law's own header knows their type, so that no other file includes it.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "libdem/laws/tangential_history.hpp"

namespace dem::laws {

struct LawEntry;

/// Mark of a type of options: its address is different for each.
template <class Options>
inline constexpr char mark_of = 0;

class LawChoice {
 public:
  static constexpr std::size_t most_bytes = 128;  ///< of the options of one law

  LawChoice() : LawChoice("linear") {}
  /// The law with its default options. Throws std::invalid_argument if no law has this name.
  explicit LawChoice(std::string_view name);
  LawChoice& operator=(std::string_view name) { return *this = LawChoice(name); }

  const LawEntry& operator*() const { return *entry_; }
  const LawEntry* operator->() const { return entry_; }
  std::string_view name() const;
  const void* data() const { return bytes_.data(); }  ///< the options, for functions of LawEntry
  void* data() { return bytes_.data(); }

  /// The options as the header of the law has them. Throws std::invalid_argument if the chosen law has another type.
  template <class Law>
  typename Law::Options& options() {
    return *static_cast<typename Law::Options*>(checked(&mark_of<typename Law::Options>));
  }
  template <class Law>
  const typename Law::Options& options() const {
    return const_cast<LawChoice*>(this)->options<Law>();
  }
  /// Null if the chosen law has another type of options.
  template <class Law>
  const typename Law::Options* options_if() const {
    return has(&mark_of<typename Law::Options>) ? static_cast<const typename Law::Options*>(data()) : nullptr;
  }

  /// The option `history`; null if the law has none.
  TangentialHistory* history();
  std::optional<TangentialHistory> history() const;
  /// Sets the history to this one, or to that of `given` if empty. Returns true if it changed.
  bool set_history(std::optional<TangentialHistory>, const LawChoice& given);

  /// The same law with the same values of all keys.
  friend bool operator==(const LawChoice&, const LawChoice&);
  friend bool operator==(const LawChoice& choice, std::string_view name) { return choice.name() == name; }

 private:
  bool has(const void* mark) const;
  void* checked(const void* mark);

  const LawEntry* entry_;
  alignas(std::max_align_t) std::array<std::byte, most_bytes> bytes_{};
};

}  // namespace dem::laws
