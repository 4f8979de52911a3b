// The order in which the bodies of a plane assembly are stored: that of their numbers, unless these are scattered.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "libdem/contacts/planar/contact.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Neighbours in the plane should be neighbours in memory, and of one thread. Numbers of a lattice are good enough;
/// those of a random generator, or of an import, may not be. The order is that of the assembly before the first step,
/// for the whole run. A resumed run finds the same order, although no checkpoint has it. Walls stay last.
class BodyOrder {
 public:
  BodyOrder() = default;  ///< places are numbers
  /// Takes the order that the bodies are already in. Else decides, if no step was made.
  explicit BodyOrder(const State&);

  bool is_by_number() const { return !places_; }
  const Places& places() const { return places_; }
  std::span<const std::uint32_t> numbers() const { return numbers_; }  ///< of the places; empty where they are equal
  std::uint32_t number(std::size_t place) const { return places_ ? numbers_[place] : std::uint32_t(place); }
  /// A key of places as one of numbers, and back. The first body of both is that with the lower number.
  ContactKey named(ContactKey key) const {
    key.i = number(key.i);
    key.j = number(key.j);
    return key;
  }
  ContactKey placed(ContactKey key) const {
    if (places_) key.i = (*places_)[key.i], key.j = (*places_)[key.j];
    return key;
  }

 private:
  Places places_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace dem
