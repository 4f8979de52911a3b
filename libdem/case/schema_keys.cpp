// Rows from keys that laws and drivers own (laws/key.hpp): in [contact] the key `law` and the keys of each law, and
// the tables of drivers.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "libdem/case/schema.hpp"
#include "libdem/case/value.hpp"

namespace dem::case_file {
namespace {

using laws::Key;
using laws::KeyForm;

Field<ContactChoice> law_field() {
  Names names;
  for (const laws::LawEntry& law : laws::catalogue()) names.push_back(law.name);
  Description words = describe(std::string{}, names);
  for (const laws::LawEntry& law : laws::catalogue()) words.meanings.emplace_back(law.name, law.description);
  const std::string fresh = encode(std::string(ContactChoice().law.name()));
  Field<ContactChoice> row =
      described_row<ContactChoice>("law", "", words, fresh, "Force law. Hertzian laws are of spheres and clusters.");
  row.fresh = fresh;
  row.read = [](const Value& value, ContactChoice& out) {
    const auto* name = std::get_if<std::string>(&value.data);
    if (!name || !laws::find(*name)) return false;
    if (out.law.name() == *name) return true;  // keeps options that were read before
    out.law = *name;
    out.clip_tension = out.law->clips_tension;
    return true;
  };
  row.write = [](const ContactChoice& in, int) { return encode(std::string(in.law.name())); };
  return row;
}

/// A key of a law and of all other laws that have it. add() has checked that it has the same form in all.
Field<ContactChoice> key_field(const laws::LawEntry& law, const Key& key) {
  const Key::Value idle = key.get(law.defaults.data());
  const std::string fresh = encode_key(idle);
  Field<ContactChoice> row = key_row<ContactChoice>(key, fresh);
  bool in_plane = false;
  for (const laws::LawEntry& other : laws::catalogue())
    if (other.find_key(key.name)) {
      row.key.only_for.emplace_back(other.name);
      in_plane = in_plane || !other.hertzian;
    }
  row.dimension = in_plane ? 0 : 3;
  row.is_idle = [form = static_cast<const KeyForm&>(key), idle](const Value& value) {
    Key::Value read;
    return decode_key(form, value, read) && read == idle;
  };
  row.allowed_elsewhere =
      fmt::format("{} only: only {}", fresh,
                  laws_that_have([&](const auto& other) { return other.find_key(key.name); }, "the choice"));
  row.sparse = row.named_elsewhere = key.everywhere;
  row.is_needed = [name = key.name](const ContactChoice& draft) { return draft.law->find_key(name) != nullptr; };
  // Format 1 has lists only with their law, and always there.
  if (key.kind == KeyForm::Kind::words && key.everywhere) row.fresh.clear();
  row.read = [name = key.name](const Value& value, ContactChoice& out) {
    const Key& own = *out.law->find_key(name);
    Key::Value read;
    if (!decode_key(own, value, read)) return false;
    own.set(out.law.data(), read);
    return true;
  };
  row.write = [name = key.name](const ContactChoice& in, int) {
    return encode_key(in.law->find_key(name)->get(in.law.data()));
  };
  return row;
}

Field<DriverChoice> key_field(const Key& key, const std::shared_ptr<const void>& defaults, const DriverEntry& driver) {
  Field<DriverChoice> row = key_row<DriverChoice>(key, encode_key(key.get(defaults.get()), 2));
  if (key.required) row = std::move(row).require();
  row.key.only_for = key.only_for;
  row.sparse = key.unusual;
  row.read = [key, &driver](const Value& value, DriverChoice& out) {
    Key::Value read;
    if (!decode_key(key, value, read)) return false;
    const std::shared_ptr<void> changed = driver.copy(out.options.get());
    key.set(changed.get(), read);
    out.options = changed;
    return true;
  };
  row.write = [get = key.get](const DriverChoice& in, int dimension) {
    return encode_key(get(in.options.get()), dimension);
  };
  return row;
}

}  // namespace

void add_laws(Section<ContactChoice>& section, std::string_view before) {
  std::vector<Field<ContactChoice>> rows;
  for (const laws::LawEntry& law : laws::catalogue())
    for (const Key& key : law.keys) {
      if (key.name == "law" || section.find(key.name))
        throw std::invalid_argument(
            fmt::format("key '{}' of law '{}' is a key of every contact already", key.name, law.name));
      if (std::ranges::none_of(rows, [&](const auto& row) { return row.key.path == key.name; }))
        rows.push_back(key_field(law, key));
    }
  const auto at = std::ranges::find_if(section.fields, [&](const auto& row) { return row.key.path == before; });
  section.fields.insert(at, rows.begin(), rows.end());
  section.fields.insert(section.fields.begin(), law_field());
  section.selector = "law";
}

std::string laws_that_have(const std::function<bool(const laws::LawEntry&)>& which, std::string_view what) {
  std::vector<std::string> names;
  for (const laws::LawEntry& law : laws::catalogue())
    if (which(law)) names.push_back(fmt::format("\"{}\"", law.name));
  if (names.size() == 1) return fmt::format("law = {} has {}", names[0], what);
  const std::string last = names.empty() ? "" : names.back();
  if (!names.empty()) names.pop_back();
  return fmt::format("laws {} and {} have {}", fmt::join(names, ", "), last, what);
}

const std::vector<Section<DriverChoice>>& driver_sections() {
  static const std::vector<Section<DriverChoice>> all = [] {
    close_drivers();
    std::vector<Section<DriverChoice>> sections;
    for (const DriverEntry& driver : registered_drivers()) {
      const std::shared_ptr<const void> defaults = driver.copy(nullptr);
      Section<DriverChoice> section{
          std::string(driver.table), std::string(driver.description), {}, std::string(driver.selector)};
      for (const Key& key : driver.keys) section.fields.push_back(key_field(key, defaults, driver));
      sections.push_back(std::move(section));
    }
    return sections;
  }();
  return all;
}

DriverChoice fresh_driver(const std::string& table, const CaseDraft& draft) {
  const DriverEntry& driver = *std::ranges::find(registered_drivers(), table, &DriverEntry::table);
  const std::shared_ptr<void> options = driver.copy(nullptr);
  if (driver.adapt) driver.adapt(options.get(), resolve(draft, {}));
  return {&driver, options};
}

}  // namespace dem::case_file
