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

/// Null where the case does not use the driver.
using Make = std::unique_ptr<Driver> (*)(const Case&, const State&);

// Drivers whose keys lie in several tables. The order is that of their actions in a step, and of their fields in the
// state hash. Drivers with a table of their own come after them.
constexpr Make rows[] = {
    [](const Case& c, const State&) -> std::unique_ptr<Driver> {
      return c.assembly.walls.empty() ? nullptr : std::make_unique<WallMotion>();
    },
    [](const Case& c, const State& state) -> std::unique_ptr<Driver> {
      return c.plates
                 ? std::make_unique<Plates>(state, state.cell.periodic[0] ? state.cell.vectors[0].x : c.cell_size.x)
                 : nullptr;
    },
    [](const Case& c, const State& state) -> std::unique_ptr<Driver> {
      return c.shear_box ? std::make_unique<ShearBox>(*c.shear_box, state) : nullptr;
    },
    [](const Case& c, const State& state) -> std::unique_ptr<Driver> {
      return std::ranges::any_of(c.stages, [](const Stage& stage) { return stage.cell.has_value(); })
                 ? std::make_unique<CellDriver>(c, state)
                 : nullptr;
    },
    [](const Case& c, const State& state) -> std::unique_ptr<Driver> {
      return largest_mass_damping(c) > 0 ? std::make_unique<MassDamping>(state) : nullptr;
    },
};

/// Drivers with a table of their own. One of the library gets its row here: {driver_row<MyDriver>()}.
std::deque<DriverEntry>& entries() {
  static std::deque<DriverEntry> all;
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
  entries().push_back(std::move(driver));
}

const std::deque<DriverEntry>& registered_drivers() { return entries(); }

void close_drivers() { closed = true; }

bool operator==(const DriverChoice& a, const DriverChoice& b) {
  return a.entry == b.entry && (!a.entry || std::ranges::all_of(a.entry->keys, [&](const laws::Key& key) {
           return key.get(a.options.get()) == key.get(b.options.get());
         }));
}

Drivers make_drivers(const Case& given, const State& state) {
  Drivers drivers;
  for (const Make make : rows)
    if (std::unique_ptr<Driver> driver = make(given, state)) drivers.push_back(std::move(driver));
  for (const DriverChoice& choice : given.drivers)
    drivers.push_back(choice.entry->make(choice.options.get(), given, state));
  return drivers;
}

}  // namespace dem
