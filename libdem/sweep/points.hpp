// The points of a sweep's grid as cases, and the packings that they start from. Only for this room.
#pragma once
#include <optional>
#include <stdexcept>
#include <string_view>

#include "libdem/sweep/case_document.hpp"
#include "libdem/sweep/sweep.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem {

/// An error in an entry of [set]. Its sentence is the part of the message after "found ".
struct SetError : std::invalid_argument {
  std::string key, sentence;  ///< key of the case; "\"t_c / 0\", which is inf, allowed a finite number"
  SetError(const std::string& of, const std::string& what)
      : std::invalid_argument("set." + of + ": found " + what), key(of), sentence(what) {}
};

/// The case of a point. `t_c` replaces the contact time of the case where its value matters only roughly. Without it
/// the contact time is computed when an expression uses it. Throws CaseErrors, SetError, std::invalid_argument,
/// AssemblyError.
CaseDocument point_document(const SweepSpec&, std::size_t point, std::optional<double> t_c = std::nullopt);

/// The seed of the point's replicate.
std::uint64_t seed_of(const SweepSpec&, std::size_t point);

/// The results folder of a point's packing, for example FOLDER/packings/seed-3. The sweep has a packing.
std::filesystem::path packing_folder(const SweepSpec&, std::size_t point);
/// The case of that packing. Throws std::invalid_argument.
CaseDocument packing_document(const SweepSpec&, std::size_t point);

/// Makes the packing of a point, or waits until another process has made it. A packing that was interrupted goes on
/// from its checkpoint. Throws TaskStopped, FileError, and std::runtime_error if the packing cannot be made.
void make_packing(const SweepSpec&, std::size_t point, TaskProgress&, int threads);

/// Raises intervals of the case below its time step to the time step. The intervals were chosen for the step of the
/// base case; with a larger step they mean every step.
void raise_intervals(CaseDocument&);

/// Names that expressions of the sweep may use, without keys of the case.
std::vector<std::string> expression_words(const SweepSpec&);

/// Steps times bodies of each point, as far as the case gives them. Used only for the order of the points and the
/// display. Reads the case of each point.
std::vector<double> expected_costs(const SweepSpec&);

/// The points in the order in which they start, the same on all machines: the longest first. Before them the longest
/// point of each packing, so that packings are made side by side.
std::vector<std::size_t> starting_order(const SweepSpec&, const std::vector<double>& costs);

/// "program 0.1.0 …": version, compiler and flags, which determine the bits of results.
std::string program_line();

/// The files that a case reads, each by its key, with a sum of its content. A file that cannot be read has "-" instead.
/// For example "assembly.file 180f…; wall[1].file -". The text is empty if the case reads nothing.
std::string inputs_of(const CaseDocument&, const std::filesystem::path& case_file);
/// The same of a point, with the files of its packing. Throws like point_document.
std::string inputs_of(const SweepSpec&, std::size_t point);
/// True if one of the files cannot be read.
bool lacks_input(std::string_view inputs);
/// The key of a file with another content in both; "" if there is none. Only files that both could read count.
std::string changed_input(std::string_view then, std::string_view now);

/// Everything that determines the numbers of a sweep, as lines, without the files that its points read (inputs_of).
std::string fingerprint(const SweepSpec&);

/// Messages about a generated case, without the line numbers, because that text is in no file.
std::string without_lines(const CaseErrors&, const std::filesystem::path& file);

}  // namespace dem
