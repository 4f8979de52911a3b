#include "libdem/drivers/catalogue.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/drivers/wall_motion.hpp"

namespace dem {

namespace {

/// Drivers with a table of their own. One of the library has its row here. The order is that of their tables in a
/// resolved case.
std::deque<DriverEntry>& entries() {
  static std::deque<DriverEntry> all{driver_row<Plates>(), driver_row<ShearBox>()};
  return all;
}
bool closed = false;

}  // namespace

void add_driver(DriverEntry driver) {
  const std::string table(driver.table);
  if (closed)
    throw std::logic_error("driver '" + table + "' comes too late: drivers are added before the first case is read");
  for (const DriverEntry& other : entries())
    if (other.table == driver.table) throw std::invalid_argument("there is a driver '" + table + "' already");
  if (!laws::is_plain(table))
    throw std::invalid_argument("driver '" + table + "': found this table, allowed letters, digits and _");
  laws::check_names("driver '" + table + "'", driver.keys);
  driver.outside = true;
  entries().push_back(std::move(driver));
}

const std::deque<DriverEntry>& registered_drivers() { return entries(); }

void close_drivers() { closed = true; }

bool DriverChoice::has(const char* mark) const { return entry && entry->mark == mark; }

DriverChoice& Case::choice_of(const char* mark) {
  auto place = drivers.begin();
  for (const DriverEntry& entry : entries()) {
    const bool used = place != drivers.end() && place->entry == &entry;
    if (entry.mark == mark) return used ? *place : *drivers.insert(place, {&entry, {}});
    if (used) ++place;
  }
  throw std::logic_error("no driver has options of this type: see add_driver");
}

bool operator==(const DriverChoice& a, const DriverChoice& b) {
  return a.entry == b.entry && (!a.entry || std::ranges::all_of(a.entry->keys, [&](const laws::Key& key) {
           return key.get(a.options.get()) == key.get(b.options.get());
         }));
}

Drivers make_drivers(const Case& given, const State& state) {
  Drivers drivers;
  const auto with_tables = [&](bool outside) {
    for (const DriverChoice& choice : given.drivers)
      if (choice.entry->outside == outside) drivers.push_back(choice.entry->make(choice.options.get(), given, state));
  };
  // The order is that of their actions in a step, and of their fields in the state hash.
  if (!given.assembly.walls.empty()) drivers.push_back(std::make_unique<WallMotion>());
  with_tables(false);
  if (std::ranges::any_of(given.stages, [](const Stage& stage) { return stage.cell.has_value(); }))
    drivers.push_back(std::make_unique<CellDriver>(given, state));
  if (largest_mass_damping(given) > 0) drivers.push_back(std::make_unique<MassDamping>(state));
  with_tables(true);
  return drivers;
}

}  // namespace dem
