// The folder of a sweep: its files, its finished points, its table. Only for this room.
//
// One machine writes journal, table.csv, table.h5, sweep.toml, case.toml and plot.svg. The script for a queue is
// sweep.slurm. Part 3 of 8 has parts/3-of-8.journal and, while it runs, 3-of-8.lock. A point that a part runs has
// parts/point-12.lock. One that is not finished may have parts/point-12.h5, whoever ran it. A sweep that keeps series
// has series/point-12/000001.h5 … . Points may start from packings/seed-3, the results folder of a packing.
// seed-3.status says how far it is. While it is made, there is seed-3.lock. Rows of an unfinished point are in
// series/point-12.unfinished.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "libdem/platform/folder_lock.hpp"
#include "libdem/sweep/sweep.hpp"
#include "libdem/sweep/task_journal.hpp"

namespace dem::sweep_folder {

inline constexpr const char *journal = "journal", *parts = "parts", *script = "sweep.slurm", *series = "series",
                            *packings = "packings";

/// Who reads results and writes tables from them holds it, so that older tables do not replace newer ones. Where locks
/// are impossible, it is none.
struct TablesLock : FileLock {
  /// Waits for its turn, 50 ms an attempt. Throws FileError with the process that holds it.
  explicit TablesLock(const std::filesystem::path& folder, int attempts = 200);
};

/// Throws FileError where the file system of the folder has no locks. `what`: they keep "a point from running" twice.
void require_locks(const FileLock&, const std::filesystem::path& folder, std::string_view what);

/// Makes the folder of a file, but not those above it: the folder of a sweep that was removed is not made again.
void make_folder_of(const std::filesystem::path& file);

/// A file of the point, of the kind lock or h5.
std::filesystem::path file_of(const std::filesystem::path& folder, std::size_t point, std::string_view kind);

/// The folder of the point's series, if the sweep keeps them.
std::filesystem::path series_of(const std::filesystem::path& folder, std::size_t point);
/// The sweep with the folder of its results, absolute. Throws std::invalid_argument if there is none and the sweep
/// needs one.
SweepSpec placed(const SweepSpec&, const std::filesystem::path& folder);

/// Accepts a folder that is new, empty, or holds a sweep. With `overwrite` its files are removed, unless a part runs.
/// Throws FileError.
void claim(const std::filesystem::path& folder, bool overwrite);
/// Throws FileError if the parts of the sweep are running, with one of them.
void refuse_running_parts(const std::filesystem::path& folder);

/// Finished points in the journals of the folder. A failed point whose input file has changed since is not finished,
/// nor is one whose kept series is missing.
/// Throws FileError, and OtherTasks where a journal belongs to another sweep or check_inputs does.
JournalContent finished(const std::filesystem::path& folder, const SweepSpec&);
/// True if a journal has numbers of the point, other than those of parts of this number. Throws like finished().
bool is_finished(const std::filesystem::path& folder, const SweepSpec&, const std::string& fingerprint,
                 std::size_t point, int of);
/// Throws OtherTasks if numbers of a point come from a file whose content is another one now. Returns the points
/// without numbers for which this holds.
std::vector<std::size_t> check_inputs(const std::filesystem::path& folder, const SweepSpec&,
                                      const std::vector<TaskResult>&);

/// The table of results in the order of the points. A point without a result has NaN and its message.
SweepTable table_of(const SweepSpec&, std::vector<TaskResult>);
/// Writes the tables.
void write_tables(const std::filesystem::path& folder, const SweepSpec&, const SweepTable&);

/// Writes the sweep and the case.
void write_inputs(const std::filesystem::path& folder, const SweepSpec&);

}  // namespace dem::sweep_folder
