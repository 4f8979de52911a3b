#include "libdem/laws/catalogue.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "libdem/laws/hertz_history.hpp"
#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/hooke_history.hpp"
#include "libdem/laws/jaeger.hpp"
#include "libdem/laws/linear.hpp"
#include "libdem/laws/linear_refined.hpp"
#include "libdem/laws/row.hpp"

namespace dem::laws {
namespace {

std::atomic<unsigned> version = 1;

std::list<LawEntry>& all() {
  static std::list<LawEntry> laws{row<Linear>(),       row<LinearRefined>(), row<Jaeger>(),      row<JaegerChecked>(),
                                  row<HertzMindlin>(), row<HookeHistory>(),  row<HertzHistory>()};
  return laws;
}

}  // namespace

bool is_plain(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::ranges::all_of(name, plain);
}

void check_names(const std::string& owner, const std::vector<Key>& keys) {
  for (const Key& key : keys) {
    if (!is_plain(key.name))
      throw std::invalid_argument(owner + ": found the key '" + key.name + "', allowed letters, digits and _");
    if (std::ranges::count(keys, key.name, &Key::name) > 1)
      throw std::invalid_argument(owner + ": found the key '" + key.name + "' twice, allowed each once");
  }
}

const std::list<LawEntry>& catalogue() { return all(); }
unsigned catalogue_version() { return version; }

const LawEntry* find(std::string_view name) {
  for (const LawEntry& law : all())
    if (law.name == name) return &law;
  return nullptr;
}

void check_keys(const LawEntry& law) {
  const std::string name(law.name);
  check_names("law '" + name + "'", law.keys);
  for (const Key& key : law.keys)
    for (const LawEntry& other : all())
      if (const Key* same = other.find_key(key.name);
          same && other.name != law.name && static_cast<const KeyForm&>(*same) != key)
        throw std::invalid_argument("key '" + key.name + "' of law '" + name + "' has another form than that of law '" +
                                    std::string(other.name) + "'");
}

void add(LawEntry law) {
  const std::string name(law.name);
  if (find(name)) throw std::invalid_argument("there is a law '" + name + "' already");
  check_keys(law);
  all().push_back(std::move(law));
  ++version;
}

void hide(std::string_view name) {
  static std::list<LawEntry> hidden;  // cases and runs that have the law keep its place
  const auto found = std::ranges::find(all(), name, &LawEntry::name);
  if (found == all().end()) return;
  hidden.splice(hidden.end(), all(), found);
  ++version;
}

const Key* LawEntry::find_key(std::string_view key) const {
  const auto found = std::ranges::find(keys, key, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

LawChoice::LawChoice(std::string_view name) : entry_(find(name)) {
  if (!entry_) throw std::invalid_argument("unknown law '" + std::string(name) + "'");
  bytes_ = entry_->defaults;
}

std::string_view LawChoice::name() const { return entry_->name; }

bool LawChoice::has(const void* mark) const { return entry_->options_mark == mark; }

void* LawChoice::checked(const void* mark) {
  if (!has(mark)) throw std::invalid_argument("law '" + std::string(name()) + "' has other options");
  return data();
}

TangentialHistory* LawChoice::history() { return entry_->history ? entry_->history(data()) : nullptr; }

std::optional<TangentialHistory> LawChoice::history() const {
  const TangentialHistory* own = const_cast<LawChoice*>(this)->history();
  return own ? std::optional(*own) : std::nullopt;
}

bool LawChoice::set_history(std::optional<TangentialHistory> wanted, const LawChoice& given) {
  TangentialHistory* own = history();
  if (!own) return false;
  const TangentialHistory before = std::exchange(*own, wanted.value_or(given.history().value_or(*own)));
  return before != *own;
}

bool operator==(const LawChoice& a, const LawChoice& b) {
  return a.entry_ == b.entry_ &&
         std::ranges::all_of(a->keys, [&](const Key& key) { return key.get(a.data()) == key.get(b.data()); });
}

}  // namespace dem::laws
