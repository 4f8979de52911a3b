#include <fmt/format.h>
#include <fmt/ranges.h>

#include "libdem/platform/number_text.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/folder.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

std::string describe_series(const Series& s, std::string_view what) {
  std::vector<std::string> names;
  for (const Column& c : s.columns)
    names.push_back(
        fmt::format("{} ({}{})", c.name, c.unit, c.bins.empty() ? "" : fmt::format("; {} bins", c.bins.size())));
  std::string out = fmt::format("{}: {}", what, counted(s.rows(), "row"));
  if (s.rows() > 0) {
    const auto steps = s.column("step");
    out += fmt::format(", steps {} to {}", static_cast<std::uint64_t>(steps.front()),
                       static_cast<std::uint64_t>(steps.back()));
  }
  out += fmt::format("\n  columns: {}\n", fmt::join(names, ", "));
  for (const std::string& problem : s.problems) out += fmt::format("  problem: {}\n", problem);
  return out;
}

std::string describe_checkpoint(const Checkpoint& c) {
  std::string out = fmt::format("checkpoint: step {}, time {:g} s, written by version {}\n", c.header().step,
                                c.header().time, c.header().program_version);
  if (c.has("folder")) {
    const FolderRecord record = FolderRecord::of(c);
    out += fmt::format("  fingerprint of the case: {:016x}\n", record.fingerprint);
    for (const std::string& change : record.changes) out += fmt::format("  changed on the way: {}\n", change);
    for (const std::string& loss : record.losses) out += fmt::format("  lost on the way: {}\n", loss);
    for (const std::string& change : record.output_changes) out += fmt::format("  written otherwise: {}\n", change);
  }
  return out + (c.message.empty() ? "" : fmt::format("  problem: {}\n", c.message));
}

std::string describe_snapshot(const fs::path& path) {
  const Snapshot s = read_snapshot(path);
  std::string out = fmt::format("snapshot of \"{}\"\nstep {}, time {:g} s, strain {:g}, time step {:g} s\n",
                                s.run.title, s.step, s.time, s.strain, s.time_step);
  out += fmt::format("{}{}, {}, {}; groups: {}\n", counted(s.bodies, "body", "bodies"),
                     s.dimension == 3 ? " in space" : "", counted(s.shapes, "shape"),
                     s.has_contacts ? counted(s.contacts, "contact") : "without contacts (output.contacts = false)",
                     fmt::join(s.groups, ", "));
  return out + fmt::format("written by version {}, {}, flags {}; seed {}\n", s.run.program_version, s.run.compiler,
                           s.run.flags, s.run.seed);
}

std::string describe_folder(const fs::path& path) {
  ResultsFolder folder = ResultsFolder::open(path);
  std::string out = fmt::format("results folder {}\n", path.string());
  std::vector<std::string> told;
  const auto described = [&](const Series& series, std::string_view what) {
    told.insert(told.end(), series.problems.begin(), series.problems.end());
    return describe_series(series, what);
  };
  const auto part = [&](const auto& describe) {
    try {
      out += describe();
    } catch (const FileError& e) {
      out += fmt::format("  problem: {}\n", e.what());
      told.push_back(e.what());
    }
  };
  if (is_there(path / "series")) part([&] { return described(folder.read_series(), "series"); });
  const auto part_if_any = [&](const auto& read, std::string_view what) {
    part([&] {
      const std::optional<Series> series = read();
      return series ? described(*series, what) : std::string();
    });
  };
  part_if_any([&] { return folder.read_profiles(); }, "profiles");
  part_if_any([&] { return folder.read_jumps(); }, "plane_jumps");
  out += fmt::format("snapshots: {}\nframes: {}\n", folder.snapshots().size(), folder.frames().size());
  if (is_there(folder.checkpoint_file()) || is_there(previous_checkpoint(folder.checkpoint_file())))
    part([&] {
      const Checkpoint checkpoint = folder.read_checkpoint();
      std::string text = describe_checkpoint(checkpoint);
      for (const std::string& fault : folder.losses(told)) text += fmt::format("  problem: {}\n", fault);
      return text;
    });
  else
    out += "checkpoint: none\n";
  if (is_there(path / "verdict.txt")) part([&] { return "verdict:\n" + read_file(path / "verdict.txt"); });
  return out;
}

}  // namespace

std::string describe_results(const fs::path& path) {
  if (is_series_folder(path)) return describe_series(read_series(path), "series");
  if (std::error_code ignored; fs::is_directory(path, ignored)) return describe_folder(path);
  if (path.stem() == "verdict" && (path.extension() == ".json" || path.extension() == ".txt")) {
    const fs::path text = path.parent_path() / "verdict.txt";  // the text for people with the content of the .json
    return "verdict:\n" + read_file(is_there(path) && is_there(text) ? text : path);
  }
  const std::string kind = hdf5::read_sealed(path, "").seal.kind;
  if (kind == "snapshot") return describe_snapshot(path);
  if (kind == "checkpoint") return describe_checkpoint(Checkpoint(path));
  return describe_series(read_series_segment(path), "series segment");
}

}  // namespace dem
