"""dem help: the minimal case runs as printed, every word of a choice is explained, and every example is a case."""
import re

import pytest
from conftest import case_in, gives, has, refuses, write

#: Keys of other tables on the pages of drivers.
MORE_KEYS = {
    "plates": ["stage.normal", "stage.height", "stage.normal_stress", "stage.plate_speed", "stage.shear_rate",
               "stage.strain", "stage.cycles", "stage.strain_amplitude", "stage.until_target", "stage.stress_tolerance",
               "stage.stress_hold_time"],
    "cell": ["stage.rate_xx", "stage.rate_yz", "stage.stress_xx", "stage.stress_yz", "stage.mean_pressure",
             "stage.largest_rate", "stage.servo_tolerance", "stage.strain", "stage.until_target", "stage.unbalanced",
             "stage.coordination", "stage.stress_ratio", "stage.void_ratio", "stage.turn_angle", "stage.turn_steps"],
    "shear_box": ["stage.plate_stress", "stage.shear_velocity", "stage.shear_displacement", "stage.history"],
    "wall": ["stage.wall_velocities"],
}
#: Keys on the page of every law.
OF_LAWS = ["material.friction", "material.normal_damping", "material.tangential_damping", "contact.clip_tension",
           "contact.transport"]
GRAINS = "1\tPOLYGON((0 1, 1 1, 1 2, 0 2, 0 1))\n2\tPOLYGON((3 1, 4 1, 4 2, 3 2, 3 1))\n"


def reference():
    """(table, key, condition, type, allowed) of each key."""
    tables = re.split(r"^## (?:\[+(\w+)\]+|At the top)$", gives(0, "help --reference").out, flags=re.MULTILINE)
    row = re.compile(r"^\| `(\w+)`(?: \((.*?)\))? \| (.*?) \| .*? \| .*? \| (.*?) \| ", re.MULTILINE)
    return [(table or "", *cells) for table, rows in zip(tables[1::2], tables[2::2]) for cells in row.findall(rows)]


def test_help_begins_with_a_minimal_case_that_runs():
    # Then topics, not all keys.
    page = gives(0, "help", "\n  material ", "\n  stage ", "\n  rain ", "\n  shear_box ", "\n  jaeger ",
                 "\n  keys ").out
    assert page.index("format = 1") < 200 and 12 <= case_in(page).count("\n") <= 20
    write("case.toml", case_in(page))
    gives(0, "run case.toml", "Verdict: good")
    assert "largest_start_overlap" not in page
    gives(0, "help keys", "[material]\n", "  largest_start_overlap ")


def test_every_generator_driver_and_law_has_a_page_with_a_good_case():
    write("grains.tsv", GRAINS)
    write("spheres.txt", "0 0 1.5 1\n3 0 1.5 1\n")
    parts = re.split(r"\n\n(?=\S)", gives(0, "help").out)
    generators, drivers, laws = [re.findall(r"^  ([\w-]+) ", next(part for part in parts if part.startswith(head)),
                                            re.MULTILINE)
                                 for head in ("Where bodies come from", "How bodies are loaded", "Forces: ")]
    allowed = {key: set(re.findall('"(.*?)"', words)) for table, key, _, _, words in reference()
               if (table, key) in (("assembly", "generator"), ("contact", "law"))}
    assert allowed == {"generator": {*generators}, "law": {*laws}}
    assert {"plates", "cell", "shear_box", "wall", "mass_damping"} <= {*drivers}
    for topic in generators + drivers + laws:
        page = gives(0, f"help {topic}", "Example, a whole case:").out
        keys = [f"{table}.{key}" for table, key, condition, _, _ in reference()
                if table == ("body" if topic == "bodies" else topic) or key == topic
                or re.search(rf"\b(generator|law) = ([^,]* or )?{topic}($|,| or )", condition)]
        head, example = page.split("Example, a whole case:")
        keys += MORE_KEYS.get(topic, [])
        if topic in laws:
            springs = "normal_stiffness" if topic.startswith(("linear", "hooke")) else "shear_modulus"
            keys += [*OF_LAWS, f"material.{springs}"]
        assert keys
        has(head, *keys)
        has(example, {"cell": "mean_pressure", "bodies": "[[body]]"}.get(topic, topic))
        write("case.toml", case_in(example))
        gives(0, "check case.toml")
    gives(0, "help shear-box", "shear_box: a box for direct shear")
    gives(0, "help stage", "[[stage]]: ", "\nstage.duration")
    gives(0, "help '[material]'", "[material]: ", "\nmaterial.density")
    gives(0, "help sweep", "Usage: dem sweep")


def test_every_word_that_a_key_may_have_is_explained():
    choices = [re.findall('"(.*?)"', allowed) for _, _, _, kind, allowed in reference()
               if kind.startswith(("choice", "list of words"))]
    words = {*sum(choices, [])}
    assert all(choices) and {"rain", "jaeger", "edge-mean", "velocity-verlet", "swing-twist", "log-normal", "rotation",
                             "servo", "hold-stress", "sphere", "x", "part-of-step"} <= words
    for word in words:
        assert "There is no key" not in gives(0, f"help -- {word}").out, word
    gives(0, "help swing-twist", "swing-twist: a value of contact.transport\n  smallest rotation")
    # A word that is a key and a value: both.
    gives(0, "help overlap", "overlap: a value of contact.normal_force\n  discs: k_n times the overlap depth\n")
    gives(0, "help radius", "body.radius", "radius: a value of contact.lever")
    # A lattice lists the shapes that it takes.
    gives(0, "help lattice", 'allowed: one of "disc", "polygon"\n')
    gives(0, "help random", '"disc", "polygon", "sphere", "cluster"\n')


@pytest.mark.parametrize("choice", ["contact_plane", "lever", "geometric_form", "velocity_source", "contact.length",
                                    "fixed_mass", "stage.normal", "normal_force", "contact.elongation", "geometry",
                                    "integrator", "gear_coefficients"])
def test_every_choice_with_words_of_its_own_says_what_each_means(choice):
    allowed = gives(0, f"help {choice}").out.partition("allowed: ")[2]
    quotes = allowed.partition("\n")[0].count('"')
    assert quotes >= 4 and allowed.count("\n") == 1 + quotes / 2


def test_help_on_keys():
    gives(0, "help material.restitution", "allowed: a number in (0, 1]")
    gives(0, "help contact_plane", "    edge-mean            length-weighted mean of the edges' angles")
    gives(0, "help stage", "stage.shear_rate", "stage.height  (with normal = move-to-height)")
    # Nothing points to a document that users do not have.
    pages = gives(0, "help --reference", "## [[stage]]", "- `conjugate`: ", "| `normal_stiffness` | number | N/m | "
                  "required; none with a Hertzian law or characteristic_speed |")
    assert "polygon-dem" not in pages.out
    assert "fixed" not in gives(0, "help frict", "  material.friction ").out
    gives(0, "help Motion", "  body.fixed ", "  body.velocity ")
    assert "nearest" not in gives(2, "help qwertz").err
    refuses(2, "help material.restituton", "nearest known key: material.restitution")


def test_keys_say_where_they_are():
    # In the plane a wall has no shape to choose. The ends of a stage are those of the table of ends.
    gives(0, "help wall.from", "wall.from  (with dimension = 2)\n")
    gives(0, "help stage", "the ends it names: duration, strain, until_target, quiet, cycles, ")
    gives(0, "help rate_xz", "∂v_x/∂z of the mean motion")
