"""time.step = "auto": half of the a-priori limit, a number in everything that a run writes."""
from conftest import SPHERE_ON_A_FLOOR, dem, gives, has, line_with, refuses, replaced, text, two_discs, write

AUTO = two_discs('"auto"', "1e-3")


def number_in(line):
    return float(line.split("=")[1].split()[0])


def ball_with(step):
    """The sphere on a floor with a velocity."""
    case = replaced(SPHERE_ON_A_FLOOR, "3e-3]}", "3e-3], velocity = [0.1, 0.0, -0.3]}")
    return replaced(case, "1e-5", step) + '[[stage]]\nname = "only"\nduration = 2e-3\n'


def test_an_automatic_step_is_half_of_the_limit():
    write("auto.toml", AUTO)
    check = gives(0, "check auto.toml").out
    has(line_with(check, "  time step"), 'of its limit, chosen because time.step = "auto"')
    step = line_with(gives(0, "check auto.toml --resolved").out, "step = ")
    share = number_in(step) / float(check.partition("largest stable time step ")[2].split()[0])
    assert 0.45 < share <= 0.5001
    assert number_in(step) == float(f"{number_in(step):.1e}")  # two digits
    # The run writes the number, and is the run of that number.
    gives(0, "run auto.toml -o out --until-step 50", " s (auto), limit")
    assert line_with(text("out/case.toml"), "step = ") == step
    write("number.toml", two_discs(number_in(step), "1e-3"))
    assert gives(0, "run number.toml -o number").hash == gives(0, "resume out").hash
    gives(0, "help time.step", "half of the a-priori limit")
    # The velocity source corrected takes damping away. So it needs smaller steps.
    by_velocity = "check auto.toml --resolved --set contact.elongation=velocity --set contact.velocity_source="
    corrected, predicted = (number_in(line_with(gives(0, by_velocity + source).out, "step = "))
                            for source in ("corrected", "predicted"))
    assert corrected < predicted < number_in(step)


def test_no_step_for_held_bodies_and_steps_that_are_too_large():
    write("fixed.toml", """format = 1
material = {normal_stiffness = 1.0, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.9}
time.step = "auto"
body = [{shape = "disc", radius = 0.5, position = [0.0, 0.0], fixed = ["x", "y", "rotation"]}]
stage = [{duration = 1.0}]
""")
    refuses(2, "check fixed.toml",
            'time.step: found "auto", allowed a number > 0 for this assembly: no body can move')
    ran = gives(0, "run fixed.toml --set time.step=0.1 -o fixed",
                "The time step, 0.1 s, was 0 of the stable one: no body can move, so that nothing limits")
    assert "inf" not in ran.out
    ran = gives(0, "check fixed.toml --set time.step=0.1", "  limit          no body can move, so that nothing limits")
    assert "inf" not in ran.out
    # Held bodies that touch: no body can move, so that there is no mean diameter to compare round-off with.
    write("turned.toml", replaced(text("fixed.toml"), "body = [", """body = [
  {shape = "disc", radius = 0.5, position = [0.99, 0.0], fixed = ["x", "y", "rotation"], spin = 0.1},"""))
    ran = gives(0, "run turned.toml --set time.step=0.1 -o turned", "Verdict: good")
    assert "nan" not in ran.out and "from the origin" not in ran.out
    # Where tangential damping is what makes the limit small, the refusal names it.
    write("damped.toml", replaced(two_discs("1e-3"), "restitution = 0.9",
                                  "restitution = 0.5\ntangential_damping_ratio = 5.0"))
    refuses(2, "check damped.toml",
            "a smaller material.tangential_damping_ratio (5 now; without tangential damping the limit is ")
    write("plain.toml", two_discs("1e-3"))
    assert "tangential_damping" not in dem("check plain.toml").err


def test_spheres_keep_their_bits_and_a_start_from_results_takes_its_step():
    write("first.toml", ball_with("1e-5"))
    gives(0, "run first.toml -o first")
    start = 'start_from = "first"\n' + ball_with('"auto"')
    write("next.toml", start)
    gives(0, "run next.toml -o next", "time step 1e-05 s (auto)")
    assert number_in(line_with(dem("check next.toml --resolved").out, "step = ")) == 1e-5
    # Where that step is too large for the new case, it is said.
    write("stiff.toml", replaced(start, "2000.0", "2.0e9"))
    refuses(2, "run stiff.toml -o stiff", '"auto" is the step of the run that start_from names')
    # Velocities and spins keep their bits.
    write("auto.toml", ball_with('"auto"'))
    whole = gives(0, "run auto.toml -o auto")
    assert gives(0, "run auto/case.toml -o again").hash == whole.hash


def test_sweeps_choose_the_step_of_each_point():
    write("auto.toml", AUTO)
    write("sweep.toml", """format = 1
case = "auto.toml"
axis = [{key = "material.normal_stiffness", values = [4e8, 1e8]}]
quantity = [{kind = "final", column = "kinetic_energy", name = "e"}]
""")
    assert "could not be run" not in gives(0, "sweep sweep.toml -o table").out
    gives(0, "sweep time-step auto.toml --halvings 2 --quantity kinetic_energy -o study", "time step of the case ")
    # The table has the message of dem run for a point that would not end.
    write("auto.toml", replaced(AUTO, "duration = 1e-3", "duration = 1e12"))
    refused = dem("sweep sweep.toml -o endless")
    has(refused.out + refused.err, "such a run does not end")
