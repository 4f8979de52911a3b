// What displacement history costs in time and memory: the paper's argument for pseudo-history is that it saves both.
#pragma once
#include "validation/fleischmann2015/box_study.hpp"

namespace dem::validation::fleischmann2015 {

/// Times steps of the packing under load with true, pseudo and no history in turn, in one thread and one process, and
/// claims them with the bytes of a contact. `rounds` of 100 steps each.
void claim_history_cost(StudyRun&, const BoxSetup&, const std::filesystem::path& packing, int rounds);

}  // namespace dem::validation::fleischmann2015
