// The drivers that a case may use. Adding one: a pair of files, and driver_row<MyDriver>() as a row in catalogue.cpp.
// In a program outside the library: add_driver(driver_row<MyDriver>()) before the first case is read.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "libdem/drivers/driver.hpp"
#include "libdem/drivers/findings.hpp"
#include "libdem/laws/key.hpp"

namespace dem {

/// A driver with a table of its own in the case file: the keys of that table, and how the driver is made.
struct DriverEntry {
  std::string_view table, description;
  std::vector<laws::Key> keys;
  const char* mark;                                    ///< laws::mark_of the options
  std::shared_ptr<void> (*copy)(const void* options);  ///< null: of the default options
  std::unique_ptr<Driver> (*make)(const void* options, const Case&, const State&);
  // Parts that only some drivers have. Functions may be null.
  std::string_view selector = {};  ///< key whose word decides which others exist (Key::only)
  std::optional<DriverTopic> topic = {};
  void (*adapt)(void* options, const Case&) = nullptr;                   ///< defaults that depend on the assembly
  void (*check)(const void* options, const Case&, Findings&) = nullptr;  ///< of the case file
  std::vector<WallSpec> (*walls)(const void* options) = nullptr;         ///< that the driver brings along
  bool outside = false;                                                  ///< it came by add_driver
};

/// Makes the row of a driver out of what its class says:
///
///   static constexpr const char *table, *description;
///   struct Options; static std::vector<laws::Key> keys();    an option is a member and a key
///   MyDriver(const Options&, const Case&, const State&);      throws AssemblyError("TABLE.KEY: found …, allowed …")
///
/// It may have more, as DriverEntry explains:
///
///   static constexpr const char* selector;
///   static DriverTopic topic();
///   static void adapt(Options&, const Case&);
///   static void check(const Options&, const Case&, Findings&);
///   static std::vector<WallSpec> walls(const Options&);
template <class D>
DriverEntry driver_row() {
  using Options = typename D::Options;
  DriverEntry entry{D::table,
                    D::description,
                    D::keys(),
                    &laws::mark_of<Options>,
                    [](const void* options) -> std::shared_ptr<void> {
                      return options ? std::make_shared<Options>(*static_cast<const Options*>(options))
                                     : std::make_shared<Options>();
                    },
                    [](const void* options, const Case& given, const State& state) -> std::unique_ptr<Driver> {
                      return std::make_unique<D>(*static_cast<const Options*>(options), given, state);
                    }};
  if constexpr (requires { D::selector; }) entry.selector = D::selector;
  if constexpr (requires { D::topic(); }) entry.topic = D::topic();
  if constexpr (requires(Options & o, const Case& c) { D::adapt(o, c); })
    entry.adapt = [](void* options, const Case& given) { D::adapt(*static_cast<Options*>(options), given); };
  if constexpr (requires(const Options& o, const Case& c, Findings& f) { D::check(o, c, f); })
    entry.check = [](const void* options, const Case& given, Findings& findings) {
      D::check(*static_cast<const Options*>(options), given, findings);
    };
  if constexpr (requires(const Options& o) { D::walls(o); })
    entry.walls = [](const void* options) { return D::walls(*static_cast<const Options*>(options)); };
  return entry;
}

/// Makes a driver known; [table] is then a table of the case file. Throws std::invalid_argument where a driver has this
/// table already, and for names that a case file cannot have (laws::check_names). Throws std::logic_error once a case
/// was read.
void add_driver(DriverEntry);
const std::deque<DriverEntry>& registered_drivers();
/// The schema of the case file has been made from the drivers: none can come any more.
void close_drivers();

/// Those that this case uses, in the order in which they act. Throws AssemblyError where one cannot drive this
/// assembly.
Drivers make_drivers(const Case&, const State&);

}  // namespace dem
