"""Option --set KEY=VALUE of run and check. The key has that value, in the results too.

A message about the value names --set."""
import os

from conftest import dem, gives, has, refuses, replaced, runs, text, two_discs, write


def test_a_key_is_set_in_check_and_run_and_stands_in_the_results():
    write("case.toml", two_discs())
    gives(0, "check --resolved case.toml --set material.friction=0.25 --set 'time.integrator=velocity-verlet' --set "
          "'title=\"set here\"' --set 'gravity=[0, -1.5]' --set body.b.force[0]=-20 --set output.vtk=true --set "
          "stage.duration=2e-5 --set 'contact.law = linear-refined'",
          "\nfriction = 0.25\n", '\nintegrator = "velocity-verlet"\n', '\ntitle = "set here"\n',
          "\ngravity = [0.0, -1.5]", "\nforce = [-20.0, 0.0]", "\nvtk = true\n", "\nduration = 2e-05",
          '\nlaw = "linear-refined"\n')
    run = runs("run case.toml -o out --set material.friction=0.25 --set stage[1].duration=2e-5")
    has(text("out/case.toml"), "\nfriction = 0.25\n", "\nduration = 2e-05")
    # The same as a file that says so.
    write("other.toml", replaced(two_discs("1e-6", "2e-5"), "friction = 0.5", "friction = 0.25"))
    assert dem("run other.toml -o other").hash == run.hash


def test_mistakes_of_set_are_told_with_its_name():
    def refused(case, options, *lines):
        write("case.toml", case)
        for command in ("check", "run"):
            refuses(2, f"{command} case.toml {options}", *lines)
            assert not os.path.exists("results")

    for options, line in {
        "--set material.fricton=0.3": '--set: found "material.fricton", allowed a key of the case (dem help); '
                                      "nearest known key: material.friction\n",
        "--set material.friction": '--set: found "material.friction", allowed KEY=VALUE',
        "--set =3": '--set: found "=3", allowed KEY=VALUE',
        "--set material.friction=-1": "--set: material.friction: found -1, allowed a number",
        "--set body.b.force[0]=x": '--set: found "x" for "body.b.force[0]", allowed a number',
        "--set stage.none.duration=1": '--set: found "stage.none.duration"',
        "--set body[1]=3": '--set: found "body[1]", allowed body[1] to body[2] and a key\n',
        "--set body[3].radius=3": '--set: found "body[3].radius", allowed body[1] to body[2]\n',
        "--set contact.law=jager": "--set: contact.law: found ",
        # Above the limit: the value is not in the file.
        "--set time.step=1e-3": "--set: time.step: found 0.001 s, allowed at most ",
    }.items():
        refused(two_discs(), options, line)
    long = two_discs('"auto"', "0.005", "[[stage]]\nduration = 1e14\n")
    refused(long, "--set stage[1].duration=2e-5", "case.toml:25: stage[2].duration: found a time of 1e+14 s")
    refused(long, "--set stage[2].duration=2e14", "--set: stage[2].duration: found a time of 2e+14 s")
    # An error of the file keeps its line.
    wrong, of_file = two_discs().replace("restitution = 0.9", "restitution = 9.0"), "case.toml:7: material.restitution"
    refused(wrong, "--set material.friction=0.1", of_file + ": found 9.0")
    refused(wrong, "--set material.friction=-1", of_file + ": found 9.0", "--set: material.friction: found -1")
