// Tables of the case file that are made from the catalogue of laws.
#pragma once
#include <deque>
#include <mutex>
#include <utility>

#include "libdem/laws/catalogue.hpp"

namespace dem::case_file {

/// A table that is made again once the catalogue has changed. Earlier ones stay, because readers hold references.
template <class T>
class OfLaws {
 public:
  explicit OfLaws(T (*make)()) : make_(make) {}
  const T& get() {
    const std::lock_guard lock(mutex_);
    if (const auto now = laws::catalogue_version(); made_.empty() || version_ != now) {
      made_.push_back(make_());
      version_ = now;
    }
    return made_.back();
  }

 private:
  T (*make_)();
  std::recursive_mutex mutex_;  // a table may be made from itself by a detour
  std::deque<T> made_;
  unsigned version_ = 0;
};

}  // namespace dem::case_file
