// Walls whose velocity changes from stage to stage: tubes that are lifted, gates that open, conveyors.
#pragma once
#include "libdem/drivers/driver.hpp"

namespace dem {

/// Gives every [[wall]] of the case its velocity in a stage: Stage::wall_velocities, else WallSpec::velocity. The
/// velocities are prescribed, so the work of the walls on the assembly is boundary work. A run that starts from another
/// one (start_from) does not take over the velocities of that run. Parts of a shear box are not concerned.
class WallMotion final : public Driver {
 public:
  std::string name() const override { return "wall_motion"; }
  void begin(const Stage&, std::size_t number, const World&) override;
};

}  // namespace dem
