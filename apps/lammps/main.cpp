// dem-lammps: a case of spheres, discs or polygons on several ranks.
//
//   mpirun -n 4 dem-lammps CASE.toml --output FOLDER
//   mpirun -n 8 dem-lammps --resume FOLDER
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <optional>

#include "apps/case_input.hpp"
#include "apps/command_line.hpp"
#include "apps/lammps/part.hpp"
#include "apps/lammps/start.hpp"
#include "apps/run_progress.hpp"
#include "apps/subcommands.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/platform/every.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/platform/stop_requests.hpp"
#include "libdem/run/run_case.hpp"
#include "libdem/state/groups.hpp"
#include "libdem/state/view.hpp"

namespace dem {
namespace {

bool all_ranks_know = false;  // of the error of this rank
std::string way_on;           // once there is a folder to go on from

/// Message of rank 0 to the other ranks: make steps until this one, or end.
struct Order {
  std::uint64_t until = 0;
  bool ends = false;
};
Order told(Order order) {
  std::array<std::uint64_t, 2> words{order.until, order.ends ? 1u : 0u};
  MPI_Bcast(words.data(), 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return {words[0], words[1] != 0};
}

/// Makes steps until one that rank 0 looks at, and brings the state there. Returns the contacts of these steps. A step
/// that ends a stage is one. The next stage begins when all go on.
class Advance {
 public:
  Advance(Part& part, std::uint64_t until, const std::function<bool()>& checkpoint_is_due) : part_(part) {
    if (part.stage_is_over()) part.change_stage();
    Wish wish = Wish::none;
    while (wish == Wish::none && part.step_count() < until && !part.stage_is_over() && !part.trouble()) {
      wish = part.step(part.step_count() + 1 == until, is_stopped()          ? Wish::stop
                                                       : checkpoint_is_due() ? Wish::checkpoint
                                                                             : Wish::none);
      contacts_ += part.contact_count();
    }
    if (wish == Wish::stop && !is_stopped()) ask_to_stop();  // the signal reached another rank
  }
  std::uint64_t collect(MemoryArchive& archive) {
    part_.gather(archive);
    std::array sum{double(contacts_)};
    part_.ranks().sum(sum);
    return std::uint64_t(sum[0]);
  }

 private:
  Part& part_;
  std::uint64_t contacts_ = 0;
};

void serve(Part& part) {
  for (Order order = told({}); !order.ends; order = told({})) {
    MemoryArchive none;
    Advance(part, order.until, [] { return false; }).collect(none);
  }
}

/// The run as rank 0 sees it: a simulation whose steps all ranks make.
RunResult lead(Simulation& run, RunObserver& observer, ResultsFolder& folder, Part& part, bool start,
               const Options& options) {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint64_t longest_leap = 1000;  // steps between looks at the health of the run
  const double interval = run.given().time.limit_check_interval;
  const Every measures{interval > 0 ? std::uint64_t(std::ceil(interval / run.state().dt)) : longest_leap};
  const OutputPlan plan(run.given(), run.state().dt, observer.first_step());
  const std::chrono::duration<double> checkpoint_interval(run.given().output.checkpoint_interval);
  auto last = Clock::now();
  bool due = false;
  Progress progress(run);
  RunHooks hooks;
  const std::optional<std::uint64_t>& until = options.until_step;
  hooks.stop = [&](const Simulation& r) { return is_stopped() || (until && r.step_count() >= *until); };
  const auto fetch = [&](Simulation& r, std::uint64_t step) {
    told({step, false});
    Advance steps(part, step, [&] { return due = Clock::now() - last >= checkpoint_interval; });
    MemoryArchive archive;
    r.save(archive);
    const std::uint64_t contacts = steps.collect(archive);
    r.load(archive);
    return contacts;
  };
  hooks.advance = [&](Simulation& r) {
    if (due) last = Clock::now();  // after the checkpoint
    due = false;
    std::uint64_t next = r.step_count() + 1;
    const std::uint64_t end = r.step_count() + longest_leap;
    while (next < end && !measures.at(next - observer.first_step()) && !plan.row_at(next) && !plan.snapshot_at(next) &&
           !plan.frame_at(next) && !(until && next == *until))
      ++next;
    const std::uint64_t contacts = fetch(r, next);
    if (const auto through = part.went_through()) throw BlowUp(went_through_message(r.state(), *through));
    if (!part.unfit_cell().empty()) throw BlowUp(part.unfit_cell());
    if (part.trouble()) {
      const std::string found = blow_up_message(r);
      throw BlowUp(!found.empty()
                       ? found
                       : fmt::format("step {} (t = {:.6g} s): {} would have moved farther than its own radius "
                                     "or turned by more than half a turn in one step; use a smaller time.step",
                                     r.step_count(), r.time(),
                                     part.ran_away() ? body_label(r.state(), *part.ran_away()) : "a grain"));
    }
    const bool stage_is_over = part.stage_is_over();
    if (stage_is_over) {
      r.show_stage_end();
      fetch(r, r.step_count());  // no step: the next stage begins
    }
    r.check_health(stage_is_over);
    if (!options.quiet) progress.show(r);
    return contacts;
  };
  const RunResult result = run_to_end(run, observer, &folder, start, hooks);
  progress.end();
  return result;
}

int report(const RunResult& result, const Simulation& run, const ResultsFolder& folder, const Options& options) {
  const auto say = [&](const std::string& text) {
    if (!options.quiet) fmt::print("{}", text);
  };
  const std::string path = folder.path().string();
  if (result.end == RunEnd::stopped) {
    say(fmt::format(
        "Stopped at step {}, t = {:.6g} s, with a checkpoint. To go on: mpirun -n N dem-lammps --resume {}, "
        "or dem resume {}\n",
        result.step, run.time(), shell_word(path), shell_word(path)));
    return is_stopped() ? exit_stopped : exit_good;
  }
  say(result.verdict.text());
  if (result.end == RunEnd::failed) {
    fmt::print(stderr, "{}\nThe results up to the failure are in {}.\n", result.failure, path);
    return exit_blow_up;
  }
  say(fmt::format("Results in {}\n", path));
  return result.verdict.overall == Judgement::bad ? exit_failed : exit_good;
}

void print_traffic(const Part& part, std::uint64_t steps) {
  const Decomposition::Traffic& t = part.ranks().traffic();
  const Part::Traffic& of_steps = part.traffic();
  std::array all{of_steps.motion,       of_steps.loads, double(of_steps.copies), t.ghosts,
                 double(t.ghosts_made), t.migration,    double(t.migrated)};
  part.ranks().sum(all);
  const Part::Times times = part.times();
  const double waited = times.waited / times.all;
  std::array extremes{times.fastest, waited, -waited};
  part.ranks().largest(extremes);
  if (part.ranks().rank() != 0) return;
  if (std::isfinite(extremes[0]))
    fmt::print("fastest {} steps in a row: {:.4g} ms each\n", Part::Times::together, 1e3 * extremes[0]);
  const auto [motion, loads, copies, ghosts, ghosts_made, migration, migrated] = all;
  if (copies == 0) return fmt::print("no copies: one rank, or no grains near the borders of ranks\n");
  const double ranks = part.ranks().ranks(), of_all_lists = ranks * double(t.renewals);
  fmt::print(
      "per rank and step: copies {:.0f}; bytes per copy: motion {:.0f}, loads {:.0f}\n"
      "per rank and list: ghosts {:.0f}; bytes per ghost {:.0f}; lists {}\n"
      "migrations {:.0f}; bytes each {:.0f}\n",
      copies / double(std::max<std::uint64_t>(steps, 1)) / ranks, motion / copies, loads / copies,
      ghosts_made / of_all_lists, ghosts / std::max(ghosts_made, 1.0), t.renewals, migrated,
      migration / std::max(migrated, 1.0));
  fmt::print("waiting for motion and loads: {:.1f} to {:.1f} % of the time of a rank\n", -100 * extremes[2],
             100 * extremes[1]);
}

/// Does the work on all ranks. If it fails on some, the first of them throws its error, and the others return false.
bool on_all_ranks(int rank, const std::function<void()>& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  constexpr int nobody = std::numeric_limits<int>::max();
  int first = failure ? rank : nobody;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  all_ranks_know = first != nobody;
  if (first == rank) std::rethrow_exception(failure);
  return first == nobody;
}

int work(const Options& options, int rank) {
  constexpr int of_another_rank = exit_good;  // the rank with the error has the exit code
  std::optional<Start> start;
  if (!on_all_ranks(rank, [&] { start.emplace(prepare(options, rank)); })) return of_another_rank;
  if (start->over) return rank == 0 ? report_finished(*start, options) : of_another_rank;
  std::optional<Simulation>& run = start->run;
  const std::uint64_t first_step = run->step_count();
  Part part(MPI_COMM_WORLD, *run);
  if (!on_all_ranks(rank, [&] {
        if (rank == 0) open_results(*start, options);
      }))
    return of_another_rank;
  way_on = fmt::format("; mend that, then go on from the last checkpoint: mpirun -n N dem-lammps --resume {}",
                       shell_word(start->path.string()));
  if (rank != 0) {
    run.reset();
    serve(part);
    if (options.traffic) print_traffic(part, part.step_count() - first_step);
    return exit_good;
  }
  const RunResult result = lead(*run, *start->observer, *start->folder, part, options.resume.empty(), options);
  told({0, true});
  if (options.traffic) print_traffic(part, part.step_count() - first_step);
  return report(result, *run, *start->folder, options);
}

int main_of_rank(int argc, char** argv, int rank) {
  Options options;
  CLI::App app("A case of spheres, discs or polygons on several ranks: mpirun -n N dem-lammps CASE --output FOLDER",
               "dem-lammps");
  auto* file = app.add_option("CASE", options.file, "Case file (TOML), as for dem run");
  auto* output =
      app.add_option("--output,-o", options.output, "Results folder; default: results/NAME of the case file");
  output->check(named);
  auto* resume =
      app.add_option("--resume", options.resume, "Results folder of a run that goes on, on any number of ranks")
          ->check(named)
          ->excludes(file)
          ->excludes(output);
  add_settings(app, options.settings);
  app.get_option("--set")->excludes(resume);
  app.add_flag("--overwrite", options.overwrite, "Replace the results that are in the folder")->excludes(resume);
  app.add_option("--until-step", options.until_step, "Stop with a checkpoint at this step")->check(whole_number());
  app.set_version_flag("--version", "dem-lammps " + this_build().program_version);
  app.add_flag("--traffic", options.traffic,
               "Print counted bytes of the messages between ranks, and how long steps take");
  app.add_flag("--quiet,-q", options.quiet, "Print nothing but errors");
  app.footer(
      "`mpirun -n N dem-lammps --resume FOLDER` and `dem resume FOLDER` go on from the last checkpoint.\n"
      "Ctrl-C makes a checkpoint. Open MPI kills the ranks a second later; give large assemblies more time by "
      "`mpirun --mca odls_base_sigkill_timeout 60`.");
  try {
    app.parse(argc, argv);
    if (options.file.empty() == options.resume.empty()) throw CLI::RequiredError("CASE or --resume FOLDER");
    return work(options, rank);
  } catch (const CLI::ParseError& error) {
    const bool good = error.get_exit_code() == 0;  // help or version
    if (rank == 0 && good) app.exit(error);
    if (rank == 0 && !good) fmt::print(stderr, "{}\n", refusal(app, error, argc, argv));
    return good ? exit_good : exit_bad_input;
  } catch (const CaseErrors& errors) {
    for (const std::string& line : errors.messages) fmt::print(stderr, "{}\n", line);
    return exit_bad_input;
  } catch (const std::exception& error) {
    if (all_ranks_know) {
      const bool names_file = dynamic_cast<const FileError*>(&error);
      fmt::print(stderr, "{}{}\n", names_file ? "" : options.file + options.resume + ": ", error.what());
      return dynamic_cast<const ContentError*>(&error) ? exit_bad_input : exit_file;
    }
    if (dynamic_cast<const ErrorOfAllRanks*>(&error)) {
      if (rank == 0) fmt::print(stderr, "{}{}\n", error.what(), way_on);
      MPI_Barrier(MPI_COMM_WORLD);  // after the message
      MPI_Abort(MPI_COMM_WORLD, exit_file);
      return exit_file;
    }
    // Other ranks may be in the middle of a step: they would wait for this one.
    const bool no_memory = dynamic_cast<const std::bad_alloc*>(&error);
    fmt::print(stderr, "rank {}: {}; all ranks stop{}\n", rank,
               no_memory ? "out of memory; free memory, or use more ranks on more machines" : error.what(), way_on);
    MPI_Abort(MPI_COMM_WORLD, exit_file);
    return exit_file;
  }
}

}  // namespace
}  // namespace dem

int main(int argc, char** argv) {
  // Open MPI passes the messages of a step faster through shared memory, and at once where they are no longer than the
  // eager limit. For 10 000 spheres on two ranks the first saves a tenth of a step, the second 2 to 4 %.
  setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
  setenv("OMPI_MCA_btl_vader_eager_limit", "65536", 0);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  dem::stop_on_signals();
  const int code = dem::main_of_rank(argc, argv, rank);
  MPI_Finalize();
  return code;
}
