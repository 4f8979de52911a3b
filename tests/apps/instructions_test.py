"""The same bits with every set of instructions (DESIGN, promise 1): overlaps, laws and kernels of whole runs."""
import pytest
from conftest import gives, refuses


@pytest.mark.parametrize("run", ["slow-shear.toml --until-step 400", "biaxial-discs.toml --until-step 300",
                                 "spheres-jaeger.toml --until-step 300", "shear-box.toml --until-step 100",
                                 "biaxial-polygons.toml --until-step 200"])
def test_same_bits_with_every_set_of_instructions(run):
    hashes = {gives(0, f"run apps/examples/{run} --output out --overwrite",
                    before=f"export LIBDEM_INSTRUCTIONS={name};").hash
              for name in ("generic", "avx2", "avx512")}  # the widest that the processor has, but no wider
    assert len(hashes) == 1


def test_a_set_that_is_none():
    refuses(1, "run apps/examples/two-discs.toml", "LIBDEM_INSTRUCTIONS: found 'sse9', allowed: generic, avx2",
            before="export LIBDEM_INSTRUCTIONS=sse9;")
