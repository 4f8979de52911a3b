// The points of a sweep's grid as cases. Inside the room.
#pragma once
#include <optional>
#include <stdexcept>

#include "libdem/sweep/case_document.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

/// What is wrong with an entry of [set], as "found …, allowed …" tells it without its first word.
struct SetError : std::invalid_argument {
  std::string key, sentence;  ///< of the case; "\"t_c / 0\", which is inf, allowed a finite number"
  SetError(const std::string& of, const std::string& what)
      : std::invalid_argument("set." + of + ": found " + what), key(of), sentence(what) {}
};

/// The case of a point. `t_c`: stands for that of the case where it only matters roughly; else it is worked out when an
/// expression asks for it. Throws CaseErrors, SetError, std::invalid_argument, AssemblyError.
CaseDocument point_document(const SweepSpec&, std::size_t point, std::optional<double> t_c = std::nullopt);

/// Raises the intervals of the case that are below its time step to it. They are meant for the step of the base case;
/// with a larger one they mean every step.
void raise_intervals(CaseDocument&);

/// Names that expressions of the sweep may use, keys of the case apart.
std::vector<std::string> expression_words(const SweepSpec&);

/// Steps times bodies, as far as the case tells: for the order of the points only.
double expected_cost(const SweepSpec&, std::size_t point);

/// "program 0.1.0 …": version, compiler and flags, on which the bits of results depend.
std::string program_line();

/// Everything that decides the numbers of a sweep, as lines.
std::string fingerprint(const SweepSpec&);

/// Messages about a case that was put together: without the line, which nobody can look up.
std::string without_lines(const CaseErrors&, const std::filesystem::path& file);

}  // namespace dem
