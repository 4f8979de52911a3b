#include "libdem/start_from.hpp"

#include <fmt/format.h>

#include "libdem/files/case_difference.hpp"
#include "libdem/files/results_record.hpp"
#include "libdem/files/file_error.hpp"

namespace dem {

StartFrom start_from_results(Simulation& run, const Case& c) {
  const std::string allowed = "the results folder of a finished run of the same assembly, walls and time step";
  const auto refuse = [&](const std::string& found, const std::string& instead) {
    return StartFromError(fmt::format("start_from: found \"{}\"{}, allowed {}", c.start_from.string(), found, instead));
  };
  std::error_code ignored;
  if (!std::filesystem::is_directory(c.start_from, ignored)) throw refuse(", which is no folder", allowed);
  try {
    const Checkpoint checkpoint(c.start_from / "checkpoint.h5", Simulation::layout());  // itself, not the one before it
    const FolderRecord record = FolderRecord::of(checkpoint);
    const Case earlier = parse_written_case(record.case_text);  // not case.toml, which may have been edited since
    if (!(earlier.assembly == c.assembly)) throw refuse(", results of another assembly", allowed + ": [assembly] and [[body]], [[wall]] tables as there");
    if (record.file_sums != sums_of_files(c)) throw refuse(", results of other files of the same names", allowed + ": the files of its shapes unchanged");
    if (!(earlier.shear_box == c.shear_box)) throw refuse(", results of another shear box", allowed + ": [shear_box] as there");
    if (earlier.time.integrator != c.time.integrator) throw refuse(", results of another integrator", "those of the same one");
    if (const std::size_t stage = Simulation::saved_stage(checkpoint); stage < earlier.stages.size())
      throw refuse(fmt::format(", a run that has stopped at step {} in stage {} of {}", checkpoint.header().step, stage + 1, earlier.stages.size()),
                   fmt::format("one that has come to its end: dem resume {}", c.start_from.string()));
    if (c.dimension == 3 && earlier.output.ledger != c.output.ledger)
      throw refuse(fmt::format(", results with output.ledger = {}", earlier.output.ledger), "those of a run with the same: their contacts are kept otherwise");
    const bool same_law = earlier.contact.law == c.contact.law;
    run.take_over(checkpoint, same_law);
    return {checkpoint.header().step, same_law};
  } catch (const FileError& error) {
    throw refuse(fmt::format(" ({})", error.what()), allowed);
  } catch (const CaseErrors& error) {
    throw refuse(fmt::format(" ({})", error.messages.front()), allowed);
  } catch (const StartFromError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw refuse(fmt::format(" ({})", error.what()), allowed);
  }
}

}  // namespace dem
