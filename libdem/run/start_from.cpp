#include "libdem/run/start_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "libdem/case/difference.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/results/record.hpp"
#include "libdem/run/same_forces.hpp"

namespace dem {
namespace {

constexpr std::string_view allowed = "the results folder of a finished run of the same assembly, walls and time step";

StartFromError refuse(const Case& c, std::string_view found, std::string_view instead = allowed) {
  return StartFromError(fmt::format("start_from: found \"{}\"{}, allowed {}", c.start_from.string(), found, instead));
}

/// The run that the case starts from.
struct Earlier {
  std::optional<Checkpoint> checkpoint;
  Case given;
  std::vector<std::uint64_t> file_sums;
};

Earlier earlier_run(const Case& c) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(c.start_from, ignored)) throw refuse(c, ", which is no folder");
  try {
    Earlier earlier;
    earlier.checkpoint.emplace(c.start_from / "checkpoint.h5");  // not the previous one
    const FolderRecord record = FolderRecord::of(*earlier.checkpoint);
    earlier.given = parse_written_case(record.case_text);  // not case.toml, which may have been edited
    earlier.file_sums = record.file_sums;
    return earlier;
  } catch (const FileError& error) {
    throw refuse(c, fmt::format(" ({})", error.what()));
  } catch (const CaseErrors& error) {
    throw refuse(c, fmt::format(" ({})", error.messages.front()));
  }
}

/// The files are compared by their content, so that a whole study may be moved.
Assembly without_folders(Assembly assembly) {
  if (auto* file = assembly.file()) *file = file->filename();
  return assembly;
}

/// The plate may be loaded in another way.
bool same_walls(ShearBoxSpec a, const ShearBoxSpec& b) {
  a.plate = b.plate;
  a.plate_mass = b.plate_mass;
  a.servo_gain = b.servo_gain;
  return a == b;
}

/// Friction of each pair of materials during a stage.
std::vector<double> frictions(const Case& c, const Stage& stage) {
  std::vector<double> all;
  for (const PairValues& pair : springs_by_pair(c)) all.push_back(stage.friction.value_or(pair.friction));
  return all;
}

bool same_elastic_constants(const Case& c, const Case& other) {
  if (c.materials.size() != other.materials.size()) return false;
  for (std::size_t a = 0; a <= c.materials.size(); ++a)
    for (std::size_t b = 0; b <= c.materials.size(); ++b) {
      const ElasticPair one = elastic_pair(c, a, b), two = elastic_pair(other, a, b);
      if (one.modulus != two.modulus || one.ratio != two.ratio) return false;
    }
  return true;
}

/// Histories of the other case mean the same in this one. Those with legs hold normal forces and slopes, which follow
/// from the elastic constants. With others the contacts would seem to be pressed or relieved in the first step.
bool keeps_histories_of(const Case& c, const Case& other) {
  const laws::LawChoice &law = c.contact.law, &earlier = other.contact.law;
  if (&*law != &*earlier) return false;
  for (const laws::Key& key : law->keys)
    if (key.shapes_state && key.get(law.data()) != key.get(earlier.data())) return false;
  return law->legs < 0 || same_elastic_constants(c, other);
}

/// As between stages: laws whose histories friction bounds go on with the friction that made them. Without friction
/// there are no histories.
void check_friction_is_kept(const Case& c, const Case& earlier) {
  if (!keeps_histories_of(c, earlier) || c.contact.law->legs < 0) return;
  const std::vector<double> before = frictions(earlier, earlier.stages.back()), now = frictions(c, c.stages.front());
  for (std::size_t pair = 0; pair < std::min(before.size(), now.size()); ++pair)
    if (now[pair] != before[pair] && before[pair] != 0)
      throw refuse(
          c, fmt::format(", results that end with friction {:g}, while stage[1] has {:g}", before[pair], now[pair]),
          fmt::format("those of a run that ends with the friction of stage[1], or with friction 0: histories "
                      "of law = \"{}\" are bounded by the friction they were made with",
                      c.contact.law.name()));
}

}  // namespace

void take_step_of_start(Case& c) {
  if (c.time.step != 0 || c.start_from.empty()) return;
  c.time.step = earlier_run(c).given.time.step;
  check_times(c);
}

void check_start_is_kept(const Case& c, const std::filesystem::path& output) {
  std::error_code ignored;
  if (!c.start_from.empty() && std::filesystem::equivalent(c.start_from, output, ignored))
    throw refuse(c, ", the results folder of this run itself", "another one, or another folder for the results");
}

void check_start_fits(const Case& c, const Case& earlier) {
  const std::string same(allowed);
  if (!(without_folders(earlier.assembly) == without_folders(c.assembly)))
    throw refuse(c, ", results of another assembly", same + ": [assembly] and [[body]], [[wall]] tables as there");
  const auto *box = c.driver_options<ShearBoxSpec>(), *earlier_box = earlier.driver_options<ShearBoxSpec>();
  if (!box != !earlier_box || (box && !same_walls(*box, *earlier_box)))
    throw refuse(c, ", results of another shear box", same + ": the walls of [shear_box] as there");
  if (earlier.time.integrator != c.time.integrator)
    throw refuse(c, ", results of another integrator", "those of the same one");
  if (const double then = earlier.time.step, now = c.time.step; then != 0 && now != 0 && then != now)
    throw refuse(c, fmt::format(", results with time.step = {:g}, while this case has {:g}", then, now),
                 "the same one");
  if (c.dimension == 3 && earlier.output.ledger != c.output.ledger)
    throw refuse(c, fmt::format(", results with output.ledger = {}", earlier.output.ledger),
                 "those of a run with the same: their contacts are kept otherwise");
  check_friction_is_kept(c, earlier);
}

StartFrom start_from_results(Simulation& run, const Case& c) {
  const Earlier found = earlier_run(c);
  const Checkpoint& checkpoint = *found.checkpoint;
  const Case& earlier = found.given;
  const std::string same(allowed);
  try {
    check_start_fits(c, earlier);
    if (found.file_sums != sums_of_files(c))
      throw refuse(c, ", results of other files of the same names", same + ": the files of its shapes unchanged");
    if (const std::size_t stage = Simulation::saved_stage(checkpoint); stage < earlier.stages.size())
      throw refuse(c,
                   fmt::format(", a run that has stopped at step {} in stage {} of {}", checkpoint.header().step,
                               stage + 1, earlier.stages.size()),
                   fmt::format("one that has come to its end: dem resume {}", c.start_from.string()));
    const bool kept = keeps_histories_of(c, earlier);
    const std::optional<TangentialHistory> own = earlier.contact.law.history(), last = earlier.stages.back().history;
    run.take_over(checkpoint, kept, has_forces_of(c, 0, earlier, earlier.stages.size() - 1), last ? last : own);
    return {checkpoint.header().step, kept};
  } catch (const StartFromError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw refuse(c, fmt::format(" ({})", error.what()));
  }
}

}  // namespace dem
