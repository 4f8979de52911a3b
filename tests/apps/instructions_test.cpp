// The same bits with every set of instructions (DESIGN, promise 1), for the overlaps, laws and kernels of whole runs.
#include "apps/cli_tools.hpp"

BOOST_FIXTURE_TEST_CASE(same_bits_with_every_set_of_instructions, cli::InFolder) {
  for (const std::string run : {"slow-shear.toml --until-step 400", "biaxial-discs.toml --until-step 300",
                                "spheres-jaeger.toml --until-step 300", "shear-box.toml --until-step 100",
                                "biaxial-polygons.toml --until-step 200"}) {
    std::string first;
    for (const std::string set : {"generic", "avx2", "avx512"}) {  // the widest that the processor has, but no wider
      const auto ran = folder.gives(0, "run apps/examples/" + run + " --output out --overwrite", {"State hash "}, {},
                                    "export LIBDEM_INSTRUCTIONS=" + set + ";");
      const std::string hash = cli::line_with(ran.out, "State hash ");
      BOOST_TEST(hash == (first.empty() ? hash : first), run << " with " << set);
      first = hash;
    }
  }
  folder.refuses(1, "run apps/examples/two-discs.toml", {"LIBDEM_INSTRUCTIONS: found 'sse9', allowed: generic, avx2"},
                 "export LIBDEM_INSTRUCTIONS=sse9;");
}
