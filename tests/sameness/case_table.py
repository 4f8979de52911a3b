"""The cases of the proof of sameness, as a table: name -> text of a case file.

Every law in the plane and in space runs with every driver, integrator and elongation. Beside this product stands one
case for each other choice: contact planes, levers, transports, generators, walls, ends of a stage, output. Every case
is small (below 100 bodies, a few hundred steps), has contacts that slide, and ends by itself.
"""
import copy
import random


def toml(value):
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(v) for v in value) + "]"
    return repr(value)


def text_of(case):
    """A case as the text of its file: plain keys first, then tables, then lists of tables."""
    lines = ["format = 1"]
    lines += [f"{key} = {toml(v)}" for key, v in case.items() if not isinstance(v, dict) and not is_list_of_tables(v)]
    for key, v in case.items():
        for table in v if is_list_of_tables(v) else [v] if isinstance(v, dict) else []:
            lines.append(f"[[{key}]]" if is_list_of_tables(v) else f"[{key}]")
            lines += [f"{name} = {toml(w)}" for name, w in table.items() if w is not None]
    return "\n".join(lines) + "\n"


def is_list_of_tables(value):
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def changed(case, **tables):
    """A copy with keys of tables replaced; None removes a key. `stage` changes every stage, `root` plain keys."""
    out = copy.deepcopy(case)
    for table, keys in tables.items():
        if table == "root":
            out.update(keys)
        elif isinstance(keys, list):
            out[table] = keys
        elif table == "stage":
            for stage in out["stage"]:
                stage.update(keys)
        else:
            out.setdefault(table, {}).update(keys)
    return out


# ---- assemblies -----------------------------------------------------------------------------------------------------

SOFT = dict(density=1.0, normal_stiffness=400.0, tangential_stiffness_ratio=0.3333333333333333, friction=0.3,
    restitution=0.9, tangential_damping_ratio=0.1)
STONY = dict(density=2.0, normal_stiffness=1000.0, tangential_stiffness_ratio=0.7, friction=0.3, restitution=0.8,
    tangential_damping_ratio=0.1)
HERTZIAN = dict(density=2.0, shear_modulus=1500.0, poisson_ratio=0.25, friction=0.3, restitution=0.8)
OUTPUT = dict(series_interval=0.02, snapshot_interval=0.1, frame_interval=0.1, contacts=True, vtk=True)


def plane_bodies(shape, n=5):
    """n x n bodies that fly towards the origin and turn."""
    draw = random.Random(5)
    bodies = []
    for row in range(n):
        for column in range(n):
            x, y = 1.05 * (column - (n - 1) / 2), 1.05 * (row - (n - 1) / 2)
            body = dict(position=[x, y], velocity=[-0.6 * x + 0.4 * draw.uniform(-1, 1),
                -0.6 * y + 0.4 * draw.uniform(-1, 1)], spin=draw.uniform(-1, 1))
            if shape == "disc":
                body.update(shape="disc", radius=0.5)
            else:
                body.update(shape="regular-polygon", sides=5, radius=0.48, angle=draw.uniform(0, 6))
            bodies.append(body)
    return bodies


def in_plane(shape, driver):
    """A case of discs or polygons, loaded by `driver`."""
    case = dict(root=None, material=dict(SOFT), contact={}, time=dict(step=0.003),
        stage=[dict(name="one", duration=0.6)], output=dict(OUTPUT))
    del case["root"]
    if driver in ("free", "damped"):
        case["body"] = plane_bodies(shape)
        case["assembly"] = dict(largest_start_overlap=0.2)
        if driver == "damped":
            case["material"]["mass_damping"] = 0.7
            case["stage"].append(dict(name="less", duration=0.2, mass_damping=0.2))
    elif driver == "plates":
        stage = dict(normal="hold-stress", normal_stress=4.0, plate_speed=0.5)
        case["plates"] = {}
        if shape == "disc":
            case["assembly"] = dict(generator="lattice", columns=7, rows=6, radius=0.5, spacing=1.001)
            case["plates"] = dict(from_rows=True)
        else:
            case["assembly"] = dict(generator="voronoi", columns=6, rows=7, solid_fraction=0.985, seed=3)
        case["stage"] = [dict(name="press", duration=0.5, **stage),
            dict(name="shear", duration=0.4, shear_rate=0.1, **stage)]
    elif driver == "cell":
        case["cell"] = dict(periodic=["x", "y"])
        case["time"]["step"] = 7e-4
        case["material"] = dict(SOFT, normal_stiffness=1000.0)
        if shape == "disc":
            case["assembly"] = dict(generator="lattice", columns=7, rows=6, radius=0.5, spacing=0.999)
        else:
            case["assembly"] = dict(generator="random", shape="polygon", count=40, radius=0.5, spread=0.1,
                void_ratio=0.8, sides=5, seed=4)
        case["stage"] = [dict(name="press", duration=0.3, stress_xx=-20.0, stress_yy=-20.0, largest_rate=0.3),
                         dict(name="shear", duration=0.2, rate_yy=-0.3, rate_xy=0.2, stress_xx=-20.0)]
    elif driver == "walls":
        case["gravity"] = [0.3, -3.0]
        case["body"] = plane_bodies(shape, 4)
        case["assembly"] = dict(largest_start_overlap=0.2)
        case["wall"] = [{"name": "floor", "from": [-9.0, -2.4], "to": [9.0, -2.4], "velocity": [0.4, 0.0]},
                        {"name": "side", "from": [2.4, -9.0], "to": [2.4, 9.0]}]
        case["stage"].append(dict(name="still", duration=0.2, wall_velocities=[["floor", [0.0, 0.1]]]))
    return case


def space_bodies(n, clusters):
    """n^3 spheres near the points of a cubic lattice, moving at random; every `clusters`-th is a cluster (0: none)."""
    draw = random.Random(7)
    within = lambda a: draw.uniform(-a, a)
    bodies = []
    for k in range(n ** 3):
        position = [0.92 * (k % n) + within(0.05), 0.92 * (k // n % n) + within(0.05),
            0.92 * (k // n // n) + within(0.05)]
        body = dict(position=position, velocity=[within(0.6), within(0.6), within(0.6)],
            angular_velocity=[within(0.5), within(0.5), within(0.5)])
        if clusters and k % clusters == 0:
            q = [1 + within(0.5), within(0.5), within(0.5), within(0.5)]
            length = sum(v * v for v in q) ** 0.5
            body.update(shape="cluster", spheres=[[0.0, 0.0, 0.0, 0.4], [0.2, 0.05, 0.0, 0.35], [-0.1, 0.2, 0.1, 0.3]],
                        orientation=[v / length for v in q])
        else:
            body.update(shape="sphere", radius=0.46 + within(0.04))
        bodies.append(body)
    return bodies


def in_space(shape, driver):
    """A case of spheres, or of spheres and clusters, loaded by `driver`."""
    n = 3
    clusters = 3 if shape == "cluster" else 0
    case = dict(dimension=3, assembly=dict(largest_start_overlap=0.5), material=dict(STONY), contact={},
        time=dict(step=5e-4), stage=[dict(name="one", duration=0.1)],
        output=dict(OUTPUT, series_interval=0.005, snapshot_interval=0.04, frame_interval=0.05))
    if driver in ("free", "cell", "turn"):
        case["cell"] = dict(periodic=["x", "y", "z"], size=[0.92 * n] * 3)
        case["body"] = space_bodies(n, clusters)
    if driver == "cell":
        case["stage"] = [dict(name="press", duration=0.06, mean_pressure=60.0, largest_rate=1.0),
                         dict(name="shear", duration=0.06, rate_zz=-0.6, mean_pressure=60.0)]
    elif driver == "turn":
        case["stage"] = [dict(name="press", duration=0.04, rate_zz=-0.5),
            dict(name="turn", turn_angle=0.3, turn_axis=[1.0, 2.0, 0.5], turn_steps=20), dict(name="on", duration=0.02)]
    elif driver == "walls":
        case["body"] = space_bodies(n, clusters)
        case["gravity"] = [0.0, 0.0, -5.0]
        low, high = -0.55, 2.4
        side, up = dict(name="side", shape="rectangle", corner=[low, low, low]), dict(edge_2=[0.0, 0.0, 4.0])
        along_x, along_y = dict(edge_1=[4.0, 0.0, 0.0]), dict(edge_1=[0.0, 4.0, 0.0])
        case["wall"] = [
            dict(name="floor", shape="plane", point=[0.0, 0.0, low], normal=[0.0, 0.0, 1.0], velocity=[0.5, 0.0, 0.0]),
            dict(side, **along_y, **up), dict(side, **along_x, **up),
            dict(name="front", shape="rectangle", corner=[high, low, low], **along_y, **up)]
        case["stage"].append(dict(name="lift", duration=0.05, wall_velocities=[["front", [-0.5, 0.0, 0.2]]]))
    elif driver == "box":
        case["gravity"] = [0.0, 0.0, -9.81]
        case["material"].update(normal_stiffness=3000.0)
        bodies = [dict(shape="sphere", radius=0.5 - 0.01 * (k % 3),
            position=[0.55 + 0.98 * (k % 3) + 0.02 * (k % 2), 0.55 + 0.98 * (k // 3 % 3), -0.98 + 0.97 * (k // 9)])
            for k in range(27)]
        if clusters:
            bodies[4].update(shape="cluster", radius=None, spheres=[[0.0, 0.0, 0.0, 0.45], [0.1, 0.0, 0.1, 0.4]])
        case["body"] = bodies
        case["shear_box"] = dict(length=3.06, depth=1.5, gap=0.2, height=2.5, ledge=0.5, plate="weight")
        case["stage"] = [dict(name="settle", duration=0.05, mass_damping=3.0),
            dict(name="press", plate_stress=60.0, duration=0.1),
            dict(name="shear", plate_stress=60.0, shear_velocity=0.6, shear_displacement=0.04)]
    return case


# ---- laws -----------------------------------------------------------------------------------------------------------

def with_law(case, contact, hertzian=False, material=None):
    out = changed(case, contact=contact)
    if hertzian:
        keep = {k: v for k, v in out["material"].items() if k in ("mass_damping", "friction")}
        out["material"] = dict(HERTZIAN, **keep)
        if "shear_box" in out:
            out["material"].update(shear_modulus=8000.0)
    out["material"].update(material or {})
    return out


PLANE_LAWS = {
    "linear": dict(contact=dict(law="linear")),
    "linear-refined": dict(contact=dict(law="linear-refined")),
    "hooke-true": dict(contact=dict(law="hooke-history", history="true")),
    "hooke-pseudo": dict(contact=dict(law="hooke-history", history="pseudo")),
    "hooke-none": dict(contact=dict(law="hooke-history", history="none")),
}
SPACE_LAWS = {
    **PLANE_LAWS,
    "hooke-speed": dict(contact=dict(law="hooke-history"), hertzian=True,
                        material=dict(characteristic_speed=0.5, tangential_stiffness_ratio=0.28)),
    "mindlin-none": dict(contact=dict(law="hertz-mindlin", memory="none"), hertzian=True),
    "mindlin-single-reversal": dict(contact=dict(law="hertz-mindlin", memory="single-reversal"), hertzian=True),
    "mindlin-turning-points": dict(contact=dict(law="hertz-mindlin", memory="turning-points"), hertzian=True),
    "jaeger": dict(contact=dict(law="jaeger"), hertzian=True),
    "hertz-true": dict(contact=dict(law="hertz-history", history="true"), hertzian=True),
    "hertz-pseudo": dict(contact=dict(law="hertz-history", history="pseudo"), hertzian=True),
    "hertz-none": dict(contact=dict(law="hertz-history", history="none"), hertzian=True),
}


def product():
    """Law x plane or space x driver x integrator x elongation."""
    cases = {}
    for space, laws, drivers in ((False, PLANE_LAWS, ("free", "damped", "plates", "cell", "walls")),
                                 (True, SPACE_LAWS, ("free", "cell", "walls", "box"))):
        for law, choice in laws.items():
            for driver in drivers:
                for integrator in ("gear5", "velocity-verlet"):
                    for elongation in ("geometric", "velocity"):
                        # Both shapes meet every law, driver and integrator, each with one elongation.
                        turn = (integrator == "gear5") == (elongation == "geometric")
                        shape = ("sphere" if turn else "cluster") if space else ("polygon" if turn else "disc")
                        base = (in_space if space else in_plane)(shape, driver)
                        base = changed(base, time=dict(integrator=integrator), contact=dict(elongation=elongation))
                        cases[f"{law}.{shape}.{driver}.{integrator}.{elongation}"] = with_law(base, **choice)
    return cases


def choices():
    """One case for every other choice of the case file."""
    cases = {}
    pentagons, discs, plates = in_plane("polygon", "free"), in_plane("disc", "free"), in_plane("polygon", "plates")
    spheres, clusters, sphere_cell = in_space("sphere", "free"), in_space("cluster", "free"), in_space("sphere", "cell")
    disc_cell, box, turned = in_plane("disc", "cell"), in_space("sphere", "box"), in_space("sphere", "turn")

    def add(name, case, **tables):
        cases[name] = changed(case, **tables)

    def hertzian(name, case, material=None, **contact):
        cases[name] = with_law(case, contact, hertzian=True, material=material)

    for plane in ("area-gradient", "edge-mean", "edge-mean-unsigned", "edge-mean-branch", "edge-axial", "chord"):
        add(f"contact-plane.{plane}", plates, contact=dict(contact_plane=plane), output=dict(plane_jumps=True))
    for force in ("area-over-length", "area-potential"):
        add(f"normal-force.{force}", pentagons, contact=dict(normal_force=force))
    add("normal-force.exponent", pentagons, contact=dict(normal_force="area-potential", potential_exponent=2.0))
    add("length", pentagons, contact=dict(length="sqrt-area-over-pi"))
    add("geometry.exact", pentagons, contact=dict(geometry="exact"), stage=dict(duration=0.1))
    for lever in ("contact-point", "proportional", "radius"):
        add(f"lever.{lever}", discs, contact=dict(lever=lever, elongation="velocity"))
    add("lever.sphere-radius", spheres, contact=dict(lever="radius"))
    add("form.literal", discs, contact=dict(geometric_form="eq10-11-literal"))
    add("form.centroid", pentagons, contact=dict(geometric_form="centroid-displacement"))
    add("arc-correction", pentagons, contact=dict(arc_correction=True))
    for source in ("predicted", "corrected", "trapezoid"):
        add(f"velocity-source.plane.{source}", pentagons, contact=dict(elongation="velocity", velocity_source=source))
        add(f"velocity-source.space.{source}", clusters, contact=dict(elongation="velocity", velocity_source=source))
    hertzian("transport.jaeger.swing-twist", spheres, law="jaeger", transport="swing-twist")
    for transport in ("none", "projection", "projection-rescaled", "projection-twirl", "swing-twist", "exact"):
        add(f"transport.linear.{transport}", clusters, contact=dict(transport=transport))
        add(f"transport.refined.{transport}", spheres, contact=dict(law="linear-refined", transport=transport))
        hertzian(f"transport.hertz.{transport}", spheres, law="hertz-history", transport=transport)
    for refinements in ([], ["part-of-step"], ["onset", "direction"]):
        name = "refinements." + ("-".join(refinements) or "none")
        add(name, spheres, contact=dict(law="linear-refined", refinements=refinements))
        add(name + ".plane", pentagons, contact=dict(law="linear-refined", refinements=refinements))
    add("sliding-work", spheres, contact=dict(law="linear-refined", sliding_work="trapezoid"))
    hertzian("jaeger.merge-slope", sphere_cell, law="jaeger", merge_slope=0.05)
    hertzian("jaeger.merge-plain", sphere_cell, law="jaeger", merge_slope_plain=0.05)
    hertzian("jaeger.merge-error", sphere_cell, law="jaeger", merge_error=0.01)
    hertzian("jaeger.closed-form", spheres, law="jaeger", sliding_direction="closed-form")
    for limit in ("total", "spring"):
        add(f"friction-limit.plane.{limit}", pentagons, contact=dict(law="hooke-history", friction_limit=limit))
        hertzian(f"friction-limit.space.{limit}", spheres, law="hertz-history", friction_limit=limit)
    for variant in ("displacement", "force-increment", "rescaled"):
        hertzian(f"hertz-variant.{variant}", sphere_cell, law="hertz-history", hertz_variant=variant)
    add("hertz.own-stiffness", spheres, contact=dict(law="hertz-history"),
        material=dict(normal_stiffness=None, tangential_stiffness_ratio=None, hertz_normal_stiffness=4000.0,
        hertz_tangential_stiffness=3000.0))
    add("clip-tension", pentagons, contact=dict(clip_tension=True), material=dict(restitution=0.3),
        time=dict(step=0.001))
    add("damp-while-sliding", discs, contact=dict(damp_while_sliding=True), material=dict(restitution=0.5),
        time=dict(step=0.001))
    add("damp-while-sliding.space", spheres, contact=dict(damp_while_sliding=True), material=dict(restitution=0.5),
        time=dict(step=2e-4))
    add("gear-coefficients", pentagons, time=dict(gear_coefficients="position-only"))
    neither = dict(restitution=None, tangential_damping_ratio=None)
    for name, keys in dict(coefficients=dict(neither, normal_damping=2.0, tangential_damping=0.5),
                           rates=dict(neither, normal_damping_rate=3.0, tangential_damping_rate=1.0),
                           ratio=dict(tangential_damping_ratio=0.4), rotational=dict(rotational_damping=0.05),
                           stiffness=dict(tangential_stiffness_ratio=None, tangential_stiffness=100.0)).items():
        add(f"damping.plane.{name}", discs, material=keys)
        add(f"damping.space.{name}", spheres, material=keys)
    hertzian("damping.hertz-rates", spheres, law="hertz-history",
        material=dict(restitution=None, normal_damping_rate=3.0, tangential_damping_rate=1.0))
    for mass in ("material", "infinite"):
        held = changed(discs, contact=dict(fixed_mass=mass))
        held["body"][12].update(fixed=["x", "y", "rotation"])
        cases[f"fixed-mass.{mass}"] = held
    several = changed(discs, other_material=[dict(name="steel", density=3.0, normal_stiffness=900.0, friction=0.1)],
                      material_pair=[dict(first="steel", friction=0.45, normal_stiffness=700.0)])
    for k, body in enumerate(several["body"]):
        body.update(material="steel" if k % 2 else None, force=[0.01 * k, 0.0], torque=0.002 * k,
            density=1.5 if k % 5 == 0 else None)
    cases["materials.plane"] = several
    hertzian("materials.space", spheres, law="hertz-mindlin", dissimilar_materials="equivalent")
    several = cases["materials.space"]
    several["other_material"] = [dict(name="steel", shear_modulus=4000.0, poisson_ratio=0.3, friction=0.1)]
    for k, body in enumerate(several["body"]):
        body.update(material="steel" if k % 2 else None, force=[0.0, 0.02 * k, 0.0], couple=[0.001 * k, 0.0, 0.0])
    # Generators.
    cell = in_plane("polygon", "cell")
    add("generator.random-discs", cell, assembly=dict(shape="disc", sides=None, distribution="log-normal", spread=0.2,
        smallest=0.3, largest=0.8, void_ratio=0.6))
    # So many that their places are not their numbers. Discs, so that they touch soon.
    add("scattered.gear5.geometric", cell, assembly=dict(shape="disc", sides=None, count=600, void_ratio=0.25))
    add("generator.grades", cell, assembly=dict(shape="disc", sides=None, distribution="grades", spread=None,
        radius=None, grade_radii=[0.3, 0.5], grade_shares=[2.0, 1.0]))
    add("generator.power-law", cell, assembly=dict(distribution="power-law", smallest=0.3, largest=0.7, exponent=2.0,
        elongation=1.3, spread=None, radius=None, void_ratio=1.9))
    add("generator.by-mass", cell, assembly=dict(shape="disc", sides=None, distribution="log-normal-by-mass",
        median_diameter=1.0, uniformity=1.5, spread=None, radius=None))
    cases["generator.spheres"] = dict(dimension=3, assembly=dict(generator="random", shape="sphere", count=30,
        radius=0.5, spread=0.1, void_ratio=0.9, seed=2), material=dict(STONY), contact={}, time=dict(step=5e-4),
        stage=[dict(duration=0.1, mean_pressure=20.0, largest_rate=1.0)], output=dict(OUTPUT, series_interval=0.01))
    add("generator.clusters", cases["generator.spheres"],
        assembly=dict(shape="cluster", spheres=[[0.0, 0.0, 0.0, 1.0], [0.8, 0.0, 0.0, 0.7]], void_ratio=3.2))
    add("generator.voronoi", plates, assembly=dict(elongation=1.4, disorder=0.3, seed=11))
    add("generator.lattice", in_plane("disc", "plates"), assembly=dict(shape="polygon", sides=6, hexagonal=False,
        random_angle=0.2, elongation=1.1, radius=0.45, seed=3),
        plates=dict(from_rows=False, sides=6, gap=0.05, particle_size=0.4))
    rain = in_space("sphere", "walls")
    del rain["body"]
    add("generator.rain", rain, assembly=dict(generator="rain", columns=2, rows=2, layers=3, radius=0.3, spread=0.05,
        lowest=0.0, centre=[0.9, 0.9], jitter=0.4, seed=2), time=dict(step=2e-4))
    # Stages and their ends.
    press = dict(normal="hold-stress", normal_stress=4.0, plate_speed=0.5)
    add("stage.until-target", plates, stage=[dict(name="to", until_target=True, stress_tolerance=0.5,
        stress_hold_time=0.02, **press), dict(name="shear", strain=0.02, shear_rate=0.1, **press)])
    add("stage.height", plates, stage=[dict(normal="move-to-height", height=6.6, plate_speed=0.3, until_target=True,
        duration=3.0), dict(duration=0.1)])
    add("stage.cycles", plates, stage=[dict(cycles=2, strain_amplitude=0.01, shear_rate=-0.2, friction=0.2, **press)])
    add("stage.quiet", pentagons, material=dict(mass_damping=4.0), stage=[dict(quiet=0.4, duration=5.0)])
    add("stage.unbalanced", disc_cell, material=dict(mass_damping=5.0),
        stage=[dict(stress_xx=-20.0, stress_yy=-20.0, unbalanced=0.05, duration=1.0, largest_rate=0.3)])
    add("stage.void-ratio", sphere_cell, stage=[dict(rate_xx=-1.0, rate_yy=-1.0, rate_zz=-1.0, void_ratio=0.75,
        duration=1.0)])
    add("stage.stress-ratio", sphere_cell, stage=[dict(rate_zz=-3.0, rate_xx=1.0, stress_ratio=0.25, duration=0.2)])
    add("stage.until-target.cell", sphere_cell, stage=[dict(mean_pressure=60.0, until_target=True, stress_tolerance=0.4,
        duration=0.3, largest_rate=1.0)])
    add("stage.stress-components", in_space("cluster", "cell"),
        stage=[dict(duration=0.1, stress_xx=-40.0, stress_yy=-50.0, rate_zz=-0.2, stress_xz=5.0, rate_xy=0.1,
        servo_tolerance=0.05)])
    add("stage.cell-tilt", sphere_cell, cell=dict(tilt=[0.1, 0.05, -0.1], origin=[1.0, 2.0, 3.0]))
    cases["stage.turn"] = in_space("cluster", "turn")
    add("stage.turn.refined", turned, contact=dict(law="linear-refined"))
    add("stage.turn.plane", disc_cell, stage=[dict(duration=0.1, rate_yy=-0.3), dict(turn_angle=0.2, turn_steps=10),
        dict(duration=0.1)])
    add("stage.turn.gear", turned, time=dict(integrator="velocity-verlet"))
    history = in_space("sphere", "box")
    history["stage"][1]["history"] = "none"
    presses = copy.deepcopy(plates)
    presses["stage"][1]["history"] = "pseudo"
    add("stage.history.plane", presses, contact=dict(law="hooke-history"))
    add("stage.history.linear", presses, contact=dict(law="linear"))
    for memory in ("pseudo", "none"):
        add(f"history.plane.{memory}", pentagons, contact=dict(history=memory))
        add(f"history.space.{memory}", spheres, contact=dict(history=memory))
    add("stage.history.hooke", history, contact=dict(law="hooke-history"))
    hertzian("stage.history.hertz", history, law="hertz-history")
    add("box.servo", box, shear_box=dict(plate="servo", servo_gain=2e-5, width=3.1, plate_length=3.0, plate_width=3.0))
    add("box.plate-mass", box, shear_box=dict(plate_mass=40.0))
    # Output and the rest.
    add("output.bare", spheres, output=dict(contacts=False, vtk=False, csv=True, ledger=False, colour_by="speed"))
    add("output.few", pentagons, output=[])
    cases["output.few"].pop("output")
    for colour in ("rotation", "speed", "spin", "coordination", "stress"):
        add(f"output.colour.{colour}", discs, output=dict(colour_by=colour, csv=True))
    add("time.auto", discs, time=dict(step="auto"))
    add("time.limit-checks", discs, time=dict(limit_check_interval=0.05))
    add("time.override", discs, time=dict(step=0.05, override_limit=True), output=dict(series_interval=0.05))
    add("skin", discs, root=dict(skin=0.3))
    add("spatial-order", spheres, root=dict(spatial_order_interval=40))
    cases["groups"] = copy.deepcopy(pentagons)
    for k, body in enumerate(cases["groups"]["body"]):
        body.update(group="left" if k % 5 < 2 else "right", name=f"grain-{k}")
    add("blow-up", discs, time=dict(step=0.3, override_limit=True), stage=dict(duration=60.0),
        output=dict(series_interval=0.3, snapshot_interval=3.0, frame_interval=30.0))
    cases["named-walls"] = copy.deepcopy(in_plane("disc", "walls"))
    return cases


def all_cases():
    """Name -> text of the case file, in a fixed order."""
    cases = {**product(), **choices()}
    return {name: text_of(case) for name, case in cases.items()}


#: Cases that also run on three threads, that are interrupted and resumed, and whose end another run starts from.
def is_threaded(name):
    return name.endswith(".gear5.geometric") or "stage." in name


INTERRUPTED = ("linear.polygon.plates.gear5.geometric", "linear-refined.disc.cell.gear5.velocity",
    "jaeger.sphere.cell.gear5.geometric", "hertz-true.cluster.box.velocity-verlet.geometric",
    "mindlin-turning-points.sphere.free.gear5.geometric", "hooke-true.disc.walls.gear5.velocity",
    "linear.cluster.walls.velocity-verlet.geometric", "stage.cycles", "stage.turn", "stage.history.hertz", "box.servo",
    "linear.disc.damped.gear5.velocity", "damping.space.rotational", "scattered.gear5.geometric")
STARTED_FROM = ("linear.polygon.plates.gear5.geometric", "jaeger.sphere.cell.gear5.geometric",
    "hertz-true.sphere.walls.gear5.geometric", "linear-refined.polygon.free.gear5.geometric",
    "hooke-speed.sphere.box.gear5.geometric", "hooke-true.disc.walls.gear5.velocity", "generator.by-mass",
    "scattered.gear5.geometric")
