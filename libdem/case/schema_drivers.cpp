// Tables of the case file that drivers own.
#include "libdem/case/key_values.hpp"
#include "libdem/case/schema.hpp"

namespace dem::case_file {

namespace {

Field<DriverChoice> key_field(const laws::Key& key, const std::shared_ptr<const void>& defaults,
                              const DriverEntry& driver) {
  const Description words = describe_key(key);
  Field<DriverChoice> row;
  row.required = key.required;
  row.fresh = encode_key(key.get(defaults.get()), 2);
  row.key = {key.name,      "",       words.type,    key.unit, key.required ? "required" : row.fresh,
             words.allowed, key.text, words.meanings};
  for (const auto& [word, meaning] : words.meanings) row.words.push_back(word);
  row.allowed_in_plane = words.allowed_in_plane;
  row.allowed_in_space = words.allowed_in_space;
  if (key.kind == laws::KeyForm::Kind::number || key.kind == laws::KeyForm::Kind::vector)
    row.key.bounds = std::pair(key.low, key.high);
  row.read = [key, &driver](const Value& value, DriverChoice& out) {
    laws::Key::Value read;
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

const std::vector<Section<DriverChoice>>& driver_sections() {
  static const std::vector<Section<DriverChoice>> all = [] {
    close_drivers();
    std::vector<Section<DriverChoice>> sections;
    for (const DriverEntry& driver : registered_drivers()) {
      const std::shared_ptr<const void> defaults = driver.copy(nullptr);
      Section<DriverChoice> section{std::string(driver.table), std::string(driver.description), {}};
      section.fresh = [&driver, defaults] { return DriverChoice{&driver, defaults}; };
      for (const laws::Key& key : driver.keys) section.fields.push_back(key_field(key, defaults, driver));
      sections.push_back(std::move(section));
    }
    return sections;
  }();
  return all;
}

}  // namespace dem::case_file
