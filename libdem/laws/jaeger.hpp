// Law `jaeger`: the exact Cattaneo–Mindlin–Deresiewicz force for any history (jaeger_contact.hpp), for blocks of contacts.
// Source: M. R. Kuhn, Int. J. Numer. Meth. Engng 88 (2011) 66; jaeger-contact reference.
//
// Energy: U_t of §11. Stick and retrace store all the work they take up; where a contact slips the work is the trapezoid of force over
// movement, and friction takes what is not stored. What merging of legs drops is in Block::forgotten.
#pragma once
#include <cstddef>

#include "libdem/laws/jaeger_contact.hpp"

namespace dem::laws {

struct Jaeger {
  static constexpr const char* name = "jaeger";
  static constexpr const char* description =
      "Hertz contact with the exact Cattaneo-Mindlin-Deresiewicz tangential force for any history (Jaeger; Kuhn 2011)";

  static constexpr bool history_is_one_vector = false, sees_lost_contacts = true, hertzian = true, tells_regime = true;

  using History = JaegerHistory<LegPool>;
  static constexpr int legs = int(offsetof(History, below) / sizeof(double));

  static void pass(const LawOptions& options, Block& b, History* history) {
    JaegerCoefficients k;
    k.merge_slope = options.merge_slope;
    k.pursuit = options.pursuit;
    for (int c = 0; c < b.count; ++c) {
      k.modulus = b.modulus[c];
      k.ratio = b.ratio[c];
      k.radius = b.radius[c];
      k.friction = b.friction[c];
      JaegerContact contact(k, history[c], *b.legs);
      const auto before = contact.force();
      const double stored = history[c].stored, half = 0.5 * (b.lost[c] - b.made[c]);
      const double x = half * b.shift_1[c], y = half * b.shift_2[c];
      const StepRegime regime = contact.step(b.indentation[c], {x, y});
      const auto force = contact.force();
      b.regime[c] = regime;
      b.elastic_1[c] = -force.x;
      b.elastic_2[c] = -force.y;
      const bool slides = regime == StepRegime::slide;
      const double damping = slides && !options.damp_while_sliding ? 0 : b.damping[c];
      b.viscous_1[c] = -damping * b.velocity_1[c];
      b.viscous_2[c] = -damping * b.velocity_2[c];
      b.sliding[c] = slides ? 1 : 0;
      if (!options.energies) continue;
      const double forgotten = contact.merged(), change = history[c].stored + forgotten - stored;
      const bool slips = regime == StepRegime::slip || slides || regime == StepRegime::separated;
      b.stored[c] = history[c].stored;
      b.forgotten[c] = forgotten;
      b.work[c] = slips ? (before.x + force.x) * x + (before.y + force.y) * y : change;
      b.dissipated[c] = b.work[c] - change;
    }
  }

  static void elongation(const History& h, const LegPool&, const ContactSprings&, double out[2]) {
    out[0] = 2 * h.held_1;
    out[1] = 2 * h.held_2;
  }
};

}  // namespace dem::laws
