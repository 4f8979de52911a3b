// Small cases for tests of sweeps.
#pragma once
#include <string>

namespace sweep_test {

/// Two discs, one held, the other pushed along x and guided; relaxes within some hundred contact times.
inline std::string two_discs(const std::string& more = "") {
  return "format = 1\ntitle = \"two\"\n[material]\nnormal_stiffness = 400.0\ntangential_stiffness_ratio = "
         "0.3333333333333333\n"
         "friction = 500.0\nrestitution = 0.9\n[time]\nstep = 1e-3\n"
         "[[body]]\nname = \"held\"\nshape = \"disc\"\nradius = 0.5\nposition = [0.0, 0.0]\nfixed = [\"x\", \"y\", "
         "\"rotation\"]\n"
         "[[body]]\nname = \"pushed\"\nshape = \"disc\"\nradius = 0.5\nposition = [0.7071067811864768, "
         "0.7071067811864768]\n"
         "fixed = [\"y\"]\nforce = [-4e-4, 0.0]\n[[stage]]\nname = \"rest\"\nduration = 1.0\n" +
         more;
}

/// A ball that falls on a floor; ends at a time that is no whole number of steps.
inline std::string falling_disc() {
  return "format = 1\ngravity = [0.0, -10.0]\n[material]\nnormal_stiffness = 1e4\ntangential_stiffness_ratio = "
         "0.3\nfriction = 0.5\n"
         "restitution = 0.8\n[time]\nstep = 1e-3\n[[wall]]\nname = \"floor\"\nfrom = [-5.0, 0.0]\nto = [5.0, 0.0]\n"
         "[[body]]\nname = \"ball\"\nshape = \"disc\"\nradius = 0.5\nposition = [0.0, 3.0]\n[[stage]]\nname = "
         "\"up\"\nduration = 0.1\n"
         "[[stage]]\nname = \"down\"\nduration = 0.1\n[output]\nseries_interval = 0.01\n";
}

/// 12 polygons between plates under shear.
inline std::string small_cell() {
  return "format = 1\n[assembly]\ngenerator = \"voronoi\"\ncolumns = 4\nrows = 5\nseed = 1\nsolid_fraction = "
         "0.9\n[plates]\nfrom_rows = true\n"
         "[material]\nnormal_stiffness = 400.0\ntangential_stiffness_ratio = 0.3333333333333333\nfriction = "
         "0.5\nrestitution = 0.9\n"
         "[time]\nstep = 0.003\n[[stage]]\nname = \"compress\"\nnormal = \"move-to-height\"\nheight = 3.9\nplate_speed "
         "= 0.2\nuntil_target = true\n"
         "[[stage]]\nname = \"shear\"\nshear_rate = 0.05\nstrain = 0.05\n[output]\nseries_interval = 0.02\n";
}

}  // namespace sweep_test
