// The packings that points of a sweep start from, each made once. Only for this room.
#pragma once
#include <filesystem>

#include "libdem/sweep/case_document.hpp"
#include "libdem/sweep/sweep.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem {

/// The results folder of a point's packing, for example FOLDER/packings/seed-3. The sweep has a packing.
std::filesystem::path packing_folder(const SweepSpec&, std::size_t point);
/// The case of that packing. Throws std::invalid_argument.
CaseDocument packing_document(const SweepSpec&, std::size_t point);

/// Makes the packing of a point, or waits until another process has made it. A packing that was interrupted goes on
/// from its checkpoint. Throws TaskStopped, FileError, and std::runtime_error if the packing cannot be made.
void make_packing(const SweepSpec&, std::size_t point, TaskProgress&, int threads);

}  // namespace dem
