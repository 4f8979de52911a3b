// Case D of the direct-shear reference: what a few spheres do on real walls with true, pseudo and no displacement
// history. The law alone is in unit-cases; here the whole step of the program runs: search, wall contacts, integrator.
#include "validation/fleischmann2015/single-bodies/parts.hpp"
#include "validation/fleischmann2015/studies.hpp"

namespace dem::validation::fleischmann2015 {

void single_bodies(StudyRun& run) {
  Figure bodies;
  bodies.id = "fleischmann2015/single-bodies";
  bodies.title = "Single bodies on walls with true, pseudo and no displacement history";
  bodies.panels = slopes(run);
  bodies.panels.push_back(stacks(run));
  bodies.panels.push_back(shear_loop(run));
  bodies.caption =
      "Above: a sphere that cannot turn on a plane inclined by 15°, friction 0.5. With true history it swings about a "
      "rest 0.73 μm down the plane and comes to it; pseudo-history creeps "
      "at a speed that depends on the time step, none at m g sin θ/(γ_t m). Below, left: a pyramid of three spheres "
      "and one on top, on a plane: it stands with true history where "
      "friction suffices (statics: 0.318 between the spheres), and always falls without one. Below, right: a sphere "
      "pressed on a floor that moves forth, back and forth again; dots: the "
      "reference's numbers for two spheres (T3), over their own μ F_n; the dashpot of a pair is half that of a sphere "
      "on a wall, whose reduced mass is twice as large.";
  bodies.command = "dem validate fleischmann2015/single-bodies";
  Figure rebounds;
  rebounds.id = "fleischmann2015/single-bodies-impacts";
  rebounds.title = "Oblique impacts on a wall";
  rebounds.panels = impacts(run);
  rebounds.caption =
      "A sphere of 3 mm meets a flat wall at 1 m/s, μ = 0.18, with the three sets of coefficients of T5; dots: the "
      "reference's numbers. Left: normal restitution; history does not enter it. Right: tangential over normal "
      "impulse. "
      "With true history it grows with the angle up to gross sliding (μ, dashed; a little more where the contact "
      "attracts at its end, with a limit of μ|F_n|); a dashpot alone gives too little friction at moderate angles.";
  rebounds.command = bodies.command;
  run.figure(std::move(bodies));
  run.figure(std::move(rebounds));
}

}  // namespace dem::validation::fleischmann2015
