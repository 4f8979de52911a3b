"""Angle of repose of a heap beside the angle of the shear box, for three gradings of the same material."""

import math
import tomllib

import numpy as np

import dem
from box import SPHERES, drawn, shear_boxes, spread
from driver.study import curve, panel

D = 5e-3  # m: lengths are compared with it
TUBE, DISH, RIM = 0.05, 0.1, 5e-3  # m: inner widths, height
QUICK = {"time.step": 4e-5, "stage.fill.duration": 0.25, "stage.lift.duration": 0.8, "stage.rest.duration": 0.2,
         "stage.lift.wall_velocities": [["tube", [0.0, 0.0, 0.1]]]}
# Name, keys of the sizes, largest diameter, layers in the box and in the tube (that of 1800 spheres of 5 mm).
GRADINGS = (
    ("equal", {}, D, 50, 72),
    ("uniform, 3.6 to 6 mm", {"radius": 2.4e-3, "spread": 0.6e-3, "jitter": 0.6}, 6e-3, 54, 78),
    ("log-normal by mass, C_u 1.4",
     {"distribution": "log-normal-by-mass", "median_diameter": D, "uniformity": 1.4, "cut": 2, "jitter": 0.2},
     D * math.exp(2 * math.log(1.4) / 1.5349), 62, 89))  # z60 − z10 = 1.5349 of the normal distribution


def graded(case, sizes, largest, layers, bottom, seed):
    """The case with another rain above a floor at the height `bottom`."""
    tables = case.to_dict()
    tables["assembly"] |= sizes | {"layers": layers, "layer_spacing": 1.02 * largest,
                                   "lowest": bottom + 0.51 * largest, "seed": seed}
    if "distribution" in sizes:
        del tables["assembly"]["radius"]
    return dem.Case(tables)


def tray(name, width, low, high, **more):
    """A floor and four upright walls around the middle."""
    a, along_x, along_y, up = 0.5 * width, [width, 0, 0], [0, width, 0], [0, 0, high - low]
    rectangles = [([-a, -a, low], along_x, along_y), *(([x, -a, low], along_y, up) for x in (-a, a)),
                  *(([-a, y, low], along_x, up) for y in (-a, a))]
    return [{"name": name, "shape": "rectangle", "corner": corner, "edge_1": edge_1, "edge_2": edge_2, **more}
            for corner, edge_1, edge_2 in rectangles]


def heap_case(largest, layers, dish):
    """Spheres of case A rain into a smooth tube on a dish, and the tube rises slowly. What flows over the rim of the
    dish falls into a basin. Five times as fast the spheres rush out, and the slope is half as steep."""
    tables = tomllib.loads(SPHERES.read_text(encoding="utf-8"))
    del tables["shear_box"], tables["assembly"]["centre"]
    tables["assembly"] |= {"columns": 5, "rows": 5}
    tables["other_material"][0] |= {"name": "smooth", "friction": 0.0}
    return dem.Case(tables | {
        "title": "1800 spheres, heap",
        "wall": [*tray("dish", dish, 0, RIM),
                 *tray("tube", TUBE, 0, layers * 1.02 * largest + largest, material="smooth")[1:],
                 *tray("basin", 3 * dish, -4 * D, 0.5 * dish)],
        "stage": [{"name": "fill", "duration": 0.5},
                  {"name": "lift", "duration": 3.5, "wall_velocities": [["tube", [0.0, 0.0, 0.02]]]},
                  {"name": "rest", "duration": 0.8}]})


def surface(run, dish):
    """Heights over the middles of the four faces, in rings of half a diameter: means over points of a strip across."""
    with run.look() as now:
        radius = now.bodies["radius"].copy()
        places, radius = now.bodies["position"][radius > 0].copy(), radius[radius > 0]
    grid, faces = 0.1 * D, np.empty((4, int(0.5 * dish / (0.5 * D))))
    for ring_number in range(faces.shape[1]):
        start = ring_number * 0.5 * D
        half = min(start + 0.25 * D, 2.5 * D)  # no wider than the wedge of the face
        along, across = np.meshgrid(start + grid * (np.arange(5) + 0.5),
                                    grid * (np.arange(round(2 * half / grid)) + 0.5) - half)
        for face, (x, y) in enumerate(((along, across), (-along, across), (across, along), (across, -along))):
            apart = (places[:, 0] - x.reshape(-1, 1)) ** 2 + (places[:, 1] - y.reshape(-1, 1)) ** 2
            tops = np.where(apart < radius**2, places[:, 2] + np.sqrt(np.maximum(0, radius**2 - apart)), 0)
            faces[face, ring_number] = tops.max(axis=1).mean()
    return faces


def angle(faces, dish):
    """Of repose (degrees), mean of the faces: of a straight line from 1.5 d to 2 d within the rim."""
    x = (np.arange(faces.shape[1]) + 0.5) * 0.5 * D
    used = (x >= 1.5 * D) & (x <= 0.5 * dish - 2 * D)
    return float(np.degrees(np.arctan([-np.polyfit(x[used], height[used], 1)[0] for height in faces])).mean())


def pour(text, dish):
    """Angle, its change in the last quarter of the rest, and the mean surface over the distance from the middle."""
    case = dem.Case.parse(text)
    run = dem.Run(case)
    end = sum(case[f"stage.{name}.duration"] for name in ("fill", "lift", "rest"))
    late = end - 0.25 * case["stage.rest.duration"]
    run(until_step=round(late / run.time_step) - 1)
    while run.time < late:
        run(until_step=run.step + 1)
    before = angle(surface(run, dish), dish)
    run()
    faces = surface(run, dish)
    return {"angle": angle(faces, dish), "creep": angle(faces, dish) - before, "height": faces.mean(axis=0).tolist()}


def apart(a, b):
    """Gap between two ranges of packings; 0 where they meet."""
    return max(0.0, a["low"] - b["high"], b["low"] - a["high"])


def of_grading(heap, tests):
    """Of a heap and the box: ranges of packings."""
    peak, residual = spread([t.peak_angle for t in tests], 1), spread([t.angle(6e-3, 10e-3) for t in tests], 1)
    return {"heap": heap["text"], "peak": peak["text"], "residual": residual["text"], "apart": apart(heap, residual),
            "apart_of_peak": apart(heap, peak), "ratio": spread([t.peak_ratio for t in tests], 2)["text"],
            "porosity": spread([t.porosity for t in tests], 3)["text"],
            "lift": spread([t.lift[-1] for t in tests], 2)["text"]}


def study(run):
    gradings, seeds, dish = (GRADINGS[:1], [1], 0.07) if run.quick else (GRADINGS, [1, 2, 3], DISH)
    points = []
    for _, sizes, largest, _, layers in (*gradings, gradings[0]):  # the last without history
        layers = 30 if run.quick else layers
        case = heap_case(largest, layers, dish).changed(QUICK if run.quick else {})
        case["contact.history"] = "none" if len(points) == len(gradings) * len(seeds) else "true"
        points += [(graded(case, sizes, largest, layers, 0, seed).to_toml(), dish) for seed in seeds]
    heaps = run.map("heaps", pour, points)
    heaps = [heaps[k:k + len(seeds)] for k in range(0, len(heaps), len(seeds))]
    angles = [spread([heap["angle"] for heap in of_kind], 1) for of_kind in heaps]
    names = [name for name, *_ in gradings] + ["equal, no history"]
    distance = (np.arange(len(heaps[0][0]["height"])) + 0.5) * 0.5
    panels = [panel("heap", "distance from the middle/d", "height/d",
                    [curve(name, distance, np.mean([heap["height"] for heap in of_kind], axis=0) / D, "line")
                     for name, of_kind in zip(names, heaps)])]
    values = {"angles": [angles[0], angles[-1]], "creep": [heaps[0][0]["creep"], heaps[-1][0]["creep"]],
              "last": 0.05 if run.quick else 0.2}
    if not run.quick:
        given = dem.Case.read(SPHERES).changed({"stage.rain.duration": 0.5})  # the graded ones fall from higher
        depth = given["shear_box.depth"]
        cases = [graded(given.changed({"shear_box.height": layers * 1.02 * largest + 2 * largest - depth}),
                        sizes, largest, layers, -depth, seed)
                 for _, sizes, largest, layers, _ in gradings for seed in seeds]
        _, curves = shear_boxes(run, cases, list(enumerate(cases)))
        tests = [curves[k:k + len(seeds)] for k in range(0, len(curves), len(seeds))]
        panels.append(panel("shear box", "displacement/(5 mm)", "T/N",
                            [drawn(name, of_kind, "over_plane", D) for name, of_kind in zip(names, tests)]))
        values["grading"] = [of_grading(*pair) for pair in zip(angles, tests)]
    run.figure("Heaps on a square dish and direct shear, three gradings of the same material",
               "Left: surface of the heap towards the sides of the dish, mean of four faces and of the packings. "
               "Right: T/N of the box.", panels, case=points[0][0])
    return values
