"""Pictures of results: labels with units, positions of what is drawn, periodic images, error texts."""
import sys

import numpy as np
import pytest

from dem import plots, results

collections = pytest.importorskip("matplotlib.collections")
pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def of_kind(ax, kind):
    return [c for c in ax.collections if type(c).__name__ == kind]


def test_series_over_strain_time_and_column(plates, discs):
    old = results.open(plates)
    ax = old.plot("wall_normal_top")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("strain", "wall normal top (N/m)")
    assert np.array_equal(ax.lines[0].get_xydata(), np.column_stack([old.series["strain"],
                                                                     old.series["wall_normal_top"]]))
    assert ax.get_title() == old.title
    assert old.plot("shear_ratio", against="time").get_xlabel() == "time (s)"
    assert old.plot("shear_ratio", against="height").get_xlabel() == "height (m)"
    assert results.open(discs).plot("pushed_x").get_xlabel() == "time (s)"  # a driver without strain


def test_several_columns_need_one_unit(plates):
    ax = results.open(plates).plot(["wall_normal_top", "wall_normal_bottom"], color="k")
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["wall normal top", "wall normal bottom"]
    assert ax.get_ylabel() == "(N/m)" and ax.lines[0].get_color() == "k"
    with pytest.raises(results.ResultsError, match="the columns have the units N/m, m; expected one unit"):
        results.open(plates).plot(["wall_normal_top", "height"])
    with pytest.raises(KeyError, match="wall_normal_top"):
        results.open(plates).plot("wall_normal_tip")


def test_rows_of_one_stage(plates):
    old = results.open(plates)
    drawn = old.plot("shear_ratio", stage="shear").lines[0].get_xdata()
    assert np.array_equal(np.isfinite(drawn), old.series["stage"] == 2)
    with pytest.raises(KeyError, match="there is no stage 'sheer'.*shear"):
        old.plot("shear_ratio", stage="sheer")


def test_profile(plates):
    old = results.open(plates)
    ax = old.plot_profile("velocity_x", row=-1)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("velocity x (m/s)", "height (m)")
    assert np.array_equal(ax.lines[0].get_ydata(), old.profiles.bins["velocity_x"])
    with pytest.raises(results.ResultsError, match="the column time has no bins"):
        old.plot_profile("time")


def test_two_folders_on_one_axes(plates):
    ax = results.open(plates).plot("shear_ratio", label="first")
    assert results.open(plates).plot("height", ax=ax, label="second") is ax
    assert len(ax.lines) == 2 and ax.lines[0].get_color() != ax.lines[1].get_color()


def test_no_line_joins_rows_with_lost_rows_between_them():
    ax = plots.draw_series([1, 2, 5, 6], [1, 1, 2, 2], gaps=[2])
    assert np.array_equal(np.isnan(ax.lines[0].get_xdata()), [False, False, True, False, False])
    assert plots.draw_series([1.0], [2.0]).lines[0].get_marker() == "o"


def test_polygons_and_forces(plates):
    shot = results.open(plates).snapshots[-1]
    ax = shot.plot(colour="speed", contacts=True, force_scale=0.5)
    polygons, = of_kind(ax, "PolyCollection")
    lines, = of_kind(ax, "LineCollection")
    outlines = {tuple(np.round(o[0], 9)) for o in shot.bodies.outlines}
    drawn = {tuple(np.round(p.vertices[0], 9)) for p in polygons.get_paths()}
    home = {(round(x - 5 * k, 9), y) for x, y in drawn for k in (-1, 0, 1)}
    assert outlines <= home and len(drawn) > len(outlines)  # some lie across the periodic boundary
    widest = np.abs(shot.contacts.normal_force).max() * plots.WIDEST / 0.5
    assert np.isclose(max(lines.get_linewidths()), min(widest, 2 * plots.WIDEST))
    assert len(lines.get_segments()) >= np.count_nonzero(shot.contacts.normal_force)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x (m)", "y (m)")
    assert ax.figure.axes[1].get_ylabel() == "speed (m/s)"


def test_force_lines_join_centres_through_the_contact_point(plates):
    """Every line is, but for a shift by the periodic cell, that from centre to centre of its contact."""
    shot = results.open(plates).snapshots[-1]
    contacts, position = shot.contacts, shot.bodies.position
    ends = position[contacts.j] + contacts.image @ shot.cell_vectors
    wanted = np.stack([position[contacts.i], contacts.point, ends], axis=1)[:, :, :2]
    lines, = of_kind(shot.plot(), "LineCollection")
    for line, colour in zip(lines.get_segments(), lines.get_colors()):
        apart = (np.asarray(line) - wanted)[:, :, 0] / 5
        fits = np.all(np.abs(apart - np.round(apart[:, :1])) < 1e-9, axis=1)
        fits &= np.all(np.abs((np.asarray(line) - wanted)[:, :, 1]) < 1e-9, axis=1)
        k, = np.flatnonzero(fits)
        assert (colour[0] < 0.1) == (contacts.normal_force[k] > 0)  # compression is dark


def test_colours_of_forces():
    forces = plots.Forces([[0, 0, 0]] * 3, [[1, 0, 0]] * 3, [[2, 0, 0]] * 3, [2.0, -1.0, 0.0])
    lines, = of_kind(plots.draw_forces(forces), "LineCollection")
    assert np.allclose(lines.get_linewidths(), [plots.WIDEST, plots.WIDEST / 2])  # none for the force 0
    assert lines.get_colors()[0][0] < 0.1 and lines.get_colors()[1][0] > 0.5


def test_colours_of_bodies(plates):
    """Plates are dark. Rotation is in degrees on a range that is symmetric about zero."""
    shot = results.open(plates).snapshots[-1]
    ax = shot.plot(contacts=False)
    limit = np.degrees(np.abs(shot.bodies.angle).max())
    assert np.allclose(ax.figure.axes[1].get_ylim(), [-limit, limit])
    polygons, = of_kind(ax, "PolyCollection")
    dark = np.all(polygons.get_facecolors() == pyplot.matplotlib.colors.to_rgba(plots.PLATE), axis=1)
    height = np.array([p.vertices[0, 1] for p in polygons.get_paths()])
    plate = np.array([o[0, 1] for o in shot.bodies.outlines])[~shot.bodies.in_group("free")]
    assert 10 <= dark.sum() < len(dark) and np.array_equal(dark, np.isin(np.round(height, 9), np.round(plate, 9)))
    low, high = shot.plot(colour="coordination").figure.axes[1].get_ylim()
    ends = np.concatenate([shot.contacts.i, shot.contacts.j])
    assert (low, high) == (0, max(np.count_nonzero(ends == k) for k in range(30)))


def test_walls_in_the_plane(incline):
    shot = results.open(incline).snapshots[-1]
    assert shot.bodies.is_half_plane.sum() == 1
    ax = shot.plot()
    wall, = [line for line in ax.lines if type(line).__name__ == "AxLine" or hasattr(line, "_xy1")]
    (x1, y1), (x2, y2) = wall._xy1, wall._xy2
    assert abs(y1) < 1e-9 and abs(y2) < 1e-9 and x1 != x2  # the slope is level


def test_own_values_and_choices(plates):
    shot = results.open(plates).snapshots[-1]
    ax = shot.plot(colour=np.arange(30.0), contacts=False, bar=False, colour_map="magma", colour_range=(0, 10))
    assert not of_kind(ax, "LineCollection") and len(ax.figure.axes) == 1
    assert len(shot.plot(colour=None).figure.axes) == 1
    for colour in ("rotation", "spin", "coordination", "mass"):
        shot.plot(colour=colour)
    with pytest.raises(results.ResultsError, match=r"colour has the shape \(3,\); expected \(30,\)"):
        shot.plot(colour=[1, 2, 3])
    with pytest.raises(results.ResultsError, match="velocity has the shape .*give one component"):
        shot.plot(colour="velocity")
    with pytest.raises(KeyError, match="there is no colour 'masss'.*the nearest name is mass"):
        shot.plot(colour="masss")
    with pytest.raises(KeyError, match="the nearest name is coordination"):
        shot.plot(colour="coordinaton")


def test_discs(discs):
    shot = results.open(discs).snapshots[-1]
    ax = shot.plot()
    ellipses, = of_kind(ax, "EllipseCollection")
    assert np.allclose(ellipses.get_offsets(), shot.bodies.position[:, :2])
    assert np.allclose(ellipses._widths, 0.5)  # matplotlib keeps half of the width
    low, high = ax.get_xlim()
    assert low < shot.bodies.position[:, 0].min() - 0.5 and high > shot.bodies.position[:, 0].max() + 0.5


def test_spheres_and_clusters_in_space(spheres, clusters, box):
    ax = results.open(clusters).snapshots[0].plot(colour="speed")
    ellipses, = of_kind(ax, "EllipseCollection")
    assert len(ellipses.get_offsets()) == 5 and ax.get_ylabel() == "z (m)"
    assert np.allclose(sorted(ellipses.get_offsets()[:, 1]), [0, 0, 0, 0.5, 3])
    ax = results.open(spheres).snapshots[-1].plot(colour="coordination", contacts=True)
    assert of_kind(ax, "LineCollection") and len(of_kind(ax, "EllipseCollection")[0].get_offsets()) > 40
    assert not of_kind(results.open(spheres).snapshots[-1].plot(), "LineCollection")
    results.open(box).snapshots[-1].plot()
    with pytest.raises(results.SnapshotHasNoContacts, match="output.contacts"):
        results.open(box).snapshots[-1].plot(contacts=True)


def test_the_nearest_sphere_is_in_front():
    """The picture is seen along +y, so that the sphere of the smallest y is drawn last."""
    ax = plots.draw_assembly([[0, 2, 0], [1, 0, 0], [2, 1, 5]], [1, 1, 1], dimension=3)
    assert np.array_equal(of_kind(ax, "EllipseCollection")[0].get_offsets(), [[0, 0], [2, 5], [1, 0]])


def test_images_in_a_sheared_cell():
    """The images are those of a search over all shifts, with circles against the parallelogram of the cell."""
    vectors = np.array([[2.0, 0, 0], [0.7, 1.5, 0], [0, 0, 1]])
    cell = plots.Cell([0.1, -0.2], vectors, [True, True, False])
    at = np.column_stack([np.random.default_rng(3).uniform(-9, 9, (50, 2)), np.zeros(50)])
    reach = np.full(50, 0.2)
    index, shift = plots.images_in_cell(at, reach, cell)
    normals = np.linalg.inv(vectors)
    wanted = set()
    for k, point in enumerate(at):
        for a in range(-12, 13):
            for b in range(-12, 13):
                place = (point + a * vectors[0] + b * vectors[1] - [0.1, -0.2, 0]) @ normals
                far = 0.2 * np.linalg.norm(normals, axis=0)
                if np.all(place[:2] >= -far[:2]) and np.all(place[:2] < 1 + far[:2]):
                    wanted.add((k, a, b))
    turns = np.round(shift @ normals).astype(int)
    found = {(int(k), int(a), int(b)) for k, (a, b, _) in zip(index, turns)}
    assert found == wanted and len(found) == len(index)
    assert np.array_equal(plots.images_in_cell(at, reach, None)[0], np.arange(50))


def test_constant_and_missing_values_have_colours():
    ax = plots.draw_assembly([[0, 0, 0], [2, 0, 0]], [1, 1], colour=plots.Colour([np.nan, 3.0], "value"))
    faces = of_kind(ax, "EllipseCollection")[0].get_facecolors()
    assert np.allclose(faces[0, :3], 200 / 255) and not np.allclose(faces[1, :3], 200 / 255)


def test_missing_matplotlib_has_a_clear_error(plates, monkeypatch):
    for name in [n for n in sys.modules if n.startswith("matplotlib")]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(results.MissingModule, match="matplotlib.*python3-matplotlib"):
        results.open(plates).plot("shear_ratio")
