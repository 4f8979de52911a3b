#include "apps/lammps/start.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <utility>

#include "apps/case_input.hpp"
#include "apps/cost_report.hpp"
#include "apps/lammps/part.hpp"
#include "apps/subcommands.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "libdem/measure/verdict.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/resume.hpp"
#include "libdem/run/run_case.hpp"
#include "libdem/run/start_from.hpp"

namespace dem {
namespace {

/// The checks of `dem resume`, which can also go on with changes.
void check_resumed(RunToResume& run, const Options& options, const Remark& remark) {
  if (!run.over && options.until_step && *options.until_step < run.step())
    throw CaseErrors(
        {fmt::format("dem-lammps: --until-step {} is in the past: the last checkpoint is of step {}; nothing was done",
                     *options.until_step, run.step())});
  check_case_is_kept(run, false, remark);
  check_rows_are_kept(run, false, remark);
}

/// Errors of the case get its file, and the line of their key.
void with_its_place(const Case& c, const std::function<void()>& work) {
  const bool automatic = c.time.step == 0;
  try {
    work();
  } catch (const std::runtime_error&) {
    rethrow_located(c, automatic);
  }
}

}  // namespace

Start prepare(const Options& options, int rank) {
  Start s;
  Case& c = s.c;
  const bool resumes = !options.resume.empty();
  s.path = resumes ? options.resume : options.output;
  if (s.path.empty()) s.path = std::filesystem::path("results") / std::filesystem::path(options.file).stem();
  std::optional<RunToResume> old;
  if (resumes) {
    const Remark remark = [rank](const std::string& line) {
      if (rank == 0) fmt::print(stderr, "{}\n", line);
    };
    old = open_to_resume(s.path, rank == 0 ? "dem-lammps" : nullptr, remark);
    if (rank == 0) check_resumed(*old, options, remark);
    c = std::move(old->c);
    s.over = old->over;
  } else {
    if (options.file == "-")
      throw CaseErrors({"CASE: found \"-\", allowed a file name: only one rank has the standard input"});
    c = read_case(options.file, options.settings);
  }
  const int threads = std::exchange(c.threads, 1);
  check_carried(c);
  // Every rank makes the whole assembly and keeps its share of it; rank 0 keeps all for the results.
  with_its_place(c, [&] {
    if (!resumes) take_step_of_start(c);
    s.run.emplace(c);
    c.time.step = s.run->given().time.step;
    if (!resumes && !c.start_from.empty()) {
      check_start_is_kept(c, s.path);
      const StartFrom from = start_from_results(*s.run, c);
      if (rank == 0 && !options.quiet)
        fmt::print("starts with step {} of {}{}\n", from.step, c.start_from.string(),
                   from.keeps_histories ? "" : "; another law or other elastic constants: contacts start anew");
    }
    if (!resumes && options.until_step && *options.until_step < s.run->step_count())
      throw CaseErrors(
          {fmt::format("dem-lammps: --until-step {} is in the past: the run starts with step {}; nothing was done",
                       *options.until_step, s.run->step_count())});
    if (rank == 0) s.observer.emplace(*s.run);
  });
  if (!resumes) {
    Case as_given = c;
    as_given.threads = threads;
    s.described = describe_run(as_given);
  }
  if (old) {
    s.described = std::move(old->described);
    s.folder = std::move(old->folder);
    s.run->load(old->checkpoint);
    if (s.observer) s.observer->load(old->checkpoint);
  }
  with_its_place(c, [&] {
    check_carried(s.run->given(), s.run->state());
    if (c.dimension == 3) check_cell_width(s.run->state(), c.skin);
  });
  return s;
}

void open_results(Start& s, const Options& options) {
  if (!options.resume.empty()) {
    s.folder->set_description(s.described);
    s.folder->resume_series(s.observer->columns(), s.run->step_count());
    for (const std::string& problem : s.folder->problems()) fmt::print(stderr, "{}\n", problem);
    if (!options.quiet) fmt::print("Going on from step {}, t = {:.6g} s\n", s.run->step_count(), s.run->time());
  } else {
    s.folder = ResultsFolder::create(s.path, s.described, options.overwrite, "dem-lammps");
    s.folder->start_series(s.observer->columns());
    if (!options.quiet)
      fmt::print("{}: {} bodies, t_c = {:.6g} s, time step {:g} s, limit {:.4g} s\n{}",
                 s.c.title.empty() ? s.path.filename().string() : s.c.title, s.run->state().bodies.size(),
                 s.run->scale().contact_duration, s.run->state().dt, s.run->apriori_limit().dt,
                 cost_at_start(*s.run, *s.observer, s.path));
    for (const std::string& warning : start_warnings(s.observer->lost_bodies(), s.run->state()))
      fmt::print(stderr, "Warning: {}\n", warning);
  }
}

int report_finished(Start& s, const Options& options) {
  if (!options.quiet)
    fmt::print("{} is already finished, at step {}; nothing to do\n{}", s.path.string(), s.run->step_count(),
               read_file(s.path / "verdict.txt"));
  RunNumbers numbers = s.observer->numbers(*s.run);
  add_record(&*s.folder, numbers);
  return judge(numbers).overall == Judgement::bad ? exit_failed : exit_good;
}

}  // namespace dem
