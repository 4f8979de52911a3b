// Tables of the case file that drivers own.
#include <algorithm>

#include "libdem/case/schema.hpp"
#include "libdem/case/value.hpp"

namespace dem::case_file {

namespace {

Field<DriverChoice> key_field(const laws::Key& key, const std::shared_ptr<const void>& defaults,
                              const DriverEntry& driver) {
  Field<DriverChoice> row = key_row<DriverChoice>(key, encode_key(key.get(defaults.get()), 2));
  if (key.required) row = std::move(row).require();
  row.only_for = key.only_for;
  row.sparse = key.unusual;
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
      Section<DriverChoice> section{
          std::string(driver.table), std::string(driver.description), {}, std::string(driver.selector)};
      for (const laws::Key& key : driver.keys) section.fields.push_back(key_field(key, defaults, driver));
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
