// dem-lammps: a case of spheres, discs or polygons on several ranks.
//
//   mpirun -n 4 dem-lammps CASE.toml --output FOLDER
//   mpirun -n 8 dem-lammps --resume FOLDER
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <optional>

#include "apps/lammps/part.hpp"
#include "apps/subcommands.hpp"
#include "geometry/error.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/difference.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "libdem/platform/stop_requests.hpp"
#include "libdem/run/run_case.hpp"
#include "libdem/run/start_from.hpp"
#include "libdem/state/assembly_error.hpp"

namespace dem {
namespace {

StopRequests stop_requests;
bool all_ranks_know = false;  // of the error of this rank
bool has_begun = false;       // there is a folder to go on from
bool is_stopped() { return stop_requests.count() > 0; }

/// The second request ends the rank at once.
extern "C" void note_signal(int signal) {
  stop_requests.note();
  if (stop_requests.count() < 2) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Options {
  std::string file, output, resume;
  bool overwrite = false, quiet = false, traffic = false;
  std::uint64_t until_step = 0;
};

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

/// Makes steps until one that rank 0 looks at, and brings the state there. Returns the contacts of these steps.
class Advance {
 public:
  Advance(Part& part, std::uint64_t until, const std::function<bool()>& checkpoint_is_due) : part_(part) {
    const std::size_t stage = part.stage();
    Wish wish = Wish::none;
    while (wish == Wish::none && part.step_count() < until && part.stage() == stage && !part.trouble()) {
      wish = part.step(part.step_count() + 1 == until, is_stopped()          ? Wish::stop
                                                       : checkpoint_is_due() ? Wish::checkpoint
                                                                             : Wish::none);
      contacts_ += part.contact_count();
    }
    if (wish == Wish::stop && !is_stopped()) stop_requests.note();  // the signal reached another rank
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
  const OutputPlan plan(run.given(), run.state().dt, observer.first_step());
  const std::chrono::duration<double> checkpoint_interval(run.given().output.checkpoint_interval);
  auto last = Clock::now();
  bool due = false;
  RunHooks hooks;
  const bool until = options.until_step > 0;
  hooks.stop = [&](const Simulation& r) { return is_stopped() || (until && r.step_count() >= options.until_step); };
  hooks.advance = [&](Simulation& r) {
    if (due) last = Clock::now();  // after the checkpoint
    due = false;
    std::uint64_t next = r.step_count() + 1;
    const std::uint64_t end = next + longest_leap;
    while (next < end && !plan.row_at(next) && !plan.snapshot_at(next) && !plan.frame_at(next) &&
           !(until && next == options.until_step))
      ++next;
    told({next, false});
    Advance steps(part, next, [&] { return due = Clock::now() - last >= checkpoint_interval; });
    MemoryArchive archive;
    r.save(archive);
    const std::uint64_t contacts = steps.collect(archive);
    r.load(archive);
    if (const auto through = part.went_through()) throw BlowUp(went_through_message(r.state(), *through));
    if (!part.too_narrow().empty()) throw BlowUp(part.too_narrow());
    if (part.trouble()) {
      const std::string found = blow_up_message(r);
      throw BlowUp(!found.empty() ? found
                                  : fmt::format("step {} (t = {:.6g} s): a grain would have moved farther than its own "
                                                "radius or turned by more than half a turn in one step; use a smaller "
                                                "time.step",
                                                r.step_count(), r.time()));
    }
    r.check_health();
    return contacts;
  };
  return run_to_end(run, observer, &folder, start, hooks);
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
        result.step, run.time(), path, path));
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
  std::array all{t.motion, t.loads, t.ghosts, t.migration, double(t.migrated), double(t.ghost_steps)};
  part.ranks().sum(all);
  if (part.ranks().rank() != 0) return;
  fmt::print(
      "ghosts per rank {:.0f}, lists {}, migrations {:.0f}; bytes per ghost and step: motion {:.0f}, loads {:.0f}; "
      "per ghost and list {:.0f}; per migration {:.0f}\n",
      all[5] / double(std::max<std::uint64_t>(steps, 1)) / part.ranks().ranks(), t.renewals, all[4],
      all[0] / std::max(all[5], 1.0), all[1] / std::max(all[5], 1.0),
      all[2] / std::max(all[5] / double(std::max<std::uint64_t>(steps, 1)), 1.0) / double(t.renewals),
      all[3] / std::max(all[4], 1.0));
}

/// Of each rank, before the first step. Rank 0 has the observer, too, and later the folder.
struct Start {
  Case c;
  std::filesystem::path path;
  std::optional<Simulation> run;
  std::optional<RunObserver> observer;
  std::optional<ResultsFolder> folder;
};

Start prepare(const Options& options, int rank) {
  Start s;
  Case& c = s.c;
  const bool resumes = !options.resume.empty();
  s.path = resumes ? options.resume : options.output;
  if (s.path.empty()) s.path = std::filesystem::path("results") / std::filesystem::path(options.file).stem();
  std::optional<Checkpoint> checkpoint;
  if (resumes) {
    s.folder = ResultsFolder::open(s.path);
    if (rank == 0) s.folder->lock("dem-lammps");
    checkpoint = s.folder->read_checkpoint();
    c = parse_written_case(s.folder->record().case_text);
  } else {
    if (options.file == "-")
      throw CaseErrors({"CASE: found \"-\", allowed a file name: only one rank has the standard input"});
    c = read_case(options.file);
    take_step_of_start(c);
  }
  c.threads = 1;
  check_carried(c);
  // Every rank makes the whole assembly and keeps its share of it; rank 0 keeps all for the results.
  s.run.emplace(c);
  check_carried(s.run->given(), s.run->state());
  if (c.dimension == 3) check_cell_width(s.run->state(), c.skin);
  c.time.step = s.run->given().time.step;
  if (!resumes && !c.start_from.empty()) {
    check_start_is_kept(c, s.path);
    start_from_results(*s.run, c);
  }
  if (rank == 0) s.observer.emplace(*s.run);
  if (resumes) {
    s.run->load(*checkpoint);
    if (s.observer) s.observer->load(*checkpoint);
  }
  return s;
}

/// Old results are replaced here.
void open_results(Start& s, const Options& options) {
  if (!options.resume.empty()) {
    s.folder->set_description(describe_run(s.c));
    s.folder->resume_series(s.observer->columns(), s.observer->profile_columns(), s.run->step_count(), {});
  } else {
    s.folder = ResultsFolder::create(s.path, describe_run(s.c), options.overwrite, "dem-lammps");
    s.folder->start_series(s.observer->columns(), s.observer->profile_columns(), {});
    for (const std::string& warning : start_warnings(s.observer->lost_bodies(), s.run->state()))
      fmt::print(stderr, "Warning: {}\n", warning);
  }
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
  std::optional<Simulation>& run = start->run;
  const std::uint64_t first_step = run->step_count();
  Part part(MPI_COMM_WORLD, *run);
  if (!on_all_ranks(rank, [&] {
        if (rank == 0) open_results(*start, options);
      }))
    return of_another_rank;
  has_begun = true;
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

bool is_of_case(const std::exception& error) {
  return dynamic_cast<const AssemblyError*>(&error) || dynamic_cast<const geometry::GeometryError*>(&error) ||
         dynamic_cast<const StepTooLarge*>(&error) || dynamic_cast<const StartFromError*>(&error);
}

int main_of_rank(int argc, char** argv, int rank) {
  Options options;
  CLI::App app("A case of spheres, discs or polygons on several ranks: mpirun -n N dem-lammps CASE --output FOLDER");
  auto* file = app.add_option("CASE", options.file, "Case file (TOML), as for dem run");
  auto* output =
      app.add_option("--output,-o", options.output, "Results folder; default: results/NAME of the case file");
  app.add_option("--resume", options.resume, "Results folder of a run that goes on, on any number of ranks")
      ->excludes(file)
      ->excludes(output);
  app.add_flag("--overwrite", options.overwrite, "Replace the results that are in the folder");
  app.add_option("--until-step", options.until_step, "Stop with a checkpoint at this step");
  app.add_flag("--traffic", options.traffic, "Print counted bytes of the messages between ranks");
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
    return rank == 0 ? (app.exit(error) == 0 ? exit_good : exit_bad_input) : exit_bad_input;
  } catch (const CaseErrors& errors) {
    for (const std::string& line : errors.messages) fmt::print(stderr, "{}\n", line);
    return exit_bad_input;
  } catch (const std::exception& error) {
    if (all_ranks_know) {
      fmt::print(stderr, "{}: {}\n", options.file + options.resume, error.what());
      return is_of_case(error) ? exit_bad_input : exit_file;
    }
    // Other ranks may be in the middle of a step: they would wait for this one.
    fmt::print(stderr, "rank {}: {}; all ranks stop{}\n", rank, error.what(),
               has_begun ? "; go on from the last checkpoint: dem-lammps --resume FOLDER" : "");
    MPI_Abort(MPI_COMM_WORLD, exit_file);
    return exit_file;
  }
}

}  // namespace
}  // namespace dem

int main(int argc, char** argv) {
  // Open MPI passes the small messages of a step faster through shared memory. It saves 4 to 8 % of a step of 10 000
  // spheres on two ranks.
  setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct sigaction action {};
  action.sa_handler = dem::note_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  const int code = dem::main_of_rank(argc, argv, rank);
  MPI_Finalize();
  return code;
}
