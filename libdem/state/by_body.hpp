// A number of each body: indexed by the number of the body, stored in the order of places.
//
// Numbers are those of the case and of all results. Places follow from where bodies lie in space. Neighbours in space
// are then neighbours in memory, and what one thread works on lies together. Without an order, places are numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "libdem/platform/page_aligned.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {

/// The place of each body. Never changed, so that copies of bodies share it.
using Places = std::shared_ptr<const std::vector<std::uint32_t>>;

template <class T>
class ByBody {
 public:
  using value_type = T;
  ByBody() = default;
  ByBody(std::initializer_list<T> values) : values_(values) {}

  T& operator[](std::size_t body) { return values_[place(body)]; }
  const T& operator[](std::size_t body) const { return values_[place(body)]; }

  /// In the order of places. For work on each body by itself; sums over bodies go in the order of their numbers.
  std::span<T> stored() { return values_; }
  std::span<const T> stored() const { return values_; }
  /// In the order of the numbers.
  std::vector<T> by_number() const {
    if (!places_) return {values_.begin(), values_.end()};
    std::vector<T> out(values_.size());
    for (std::size_t b = 0; b < out.size(); ++b) out[b] = values_[(*places_)[b]];
    return out;
  }
  void set_by_number(const std::vector<T>& values) {
    values_.resize(values.size());
    for (std::size_t b = 0; b < values.size(); ++b) values_[place(b)] = values[b];
  }

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  void swap(ByBody& other) noexcept {
    values_.swap(other.values_);
    if (places_ != other.places_) places_.swap(other.places_);
  }
  /// Sets all bodies alike.
  void fill(T value) { values_.assign(values_.size(), value); }
  /// Gives the memory back.
  void clear() { Values().swap(values_); }

  // While an assembly is built, in the order of the numbers.
  void reserve(std::size_t n) { values_.reserve(n); }
  void push_back(T value) { values_.push_back(value); }
  T& front() { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }
  const T& front() const { return (*this)[0]; }
  const T& back() const { return (*this)[size() - 1]; }
  void assign(std::size_t n, T value) { values_.assign(n, value); }
  void resize(std::size_t n) { values_.resize(n); }

  /// Moves each number to its new place. Arrays without elements stay so.
  void rearrange(const Places& to) {
    if (values_.empty() || places_ == to) {
      places_ = to;
      return;
    }
    Values moved(values_.size());
    for (std::size_t b = 0; b < moved.size(); ++b) moved[to ? (*to)[b] : b] = values_[place(b)];
    values_ = std::move(moved);
    places_ = to;
  }

  /// Equal numbers of all bodies, whatever their places.
  friend bool operator==(const ByBody& a, const ByBody& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (!(a[k] == b[k])) return false;
    return true;
  }

 private:
  using Values = std::vector<T, PageAligned<T>>;
  std::size_t place(std::size_t body) const { return places_ ? (*places_)[body] : body; }

  Values values_;
  Places places_;
};

}  // namespace dem
