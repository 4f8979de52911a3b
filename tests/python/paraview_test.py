"""Files for ParaView: read by the VTK file format document ("XML formats, appended data"), beside the snapshots."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from conftest import CLUSTERS, EXAMPLES, PLATES, program, settings

import dem

NUMBERS = {"Float64": np.float64, "Int64": np.int64, "UInt32": np.uint32, "UInt8": np.uint8}
CONTACT_COLUMNS = ("i", "j", "feature", "force", "normal", "normal_force", "tangential_force", "overlap", "elongation",
                   "plane_angle", "regime")


class PolyData:
    """The counts of a file, and the arrays of each of its parts. Raw data begin behind the underscore. Each array has a
    UInt64 number of bytes, followed by the bytes."""

    def __init__(self, file):
        head, _, raw = Path(file).read_bytes().partition(b'<AppendedData encoding="raw">')
        raw = raw[raw.index(b"_") + 1:raw.rindex(b"\n  </AppendedData>")]
        root = ET.fromstring(head.decode() + "</VTKFile>")
        assert (root.get("type"), root.get("header_type"), root.get("byte_order")) == (
            "PolyData", "UInt64", "LittleEndian")
        piece, following = root.find("PolyData/Piece"), 0
        self.count = {name[len("NumberOf"):]: int(value) for name, value in piece.items()}
        self.parts = {}
        for part in piece:
            arrays = self.parts[part.tag] = {}
            for array in part:
                at, width = int(array.get("offset")), int(array.get("NumberOfComponents"))
                assert at == following  # one behind the other, without gap or overlap
                size = int.from_bytes(raw[at:at + 8], "little")
                following = at + 8 + size
                values = np.frombuffer(raw[at + 8:following], NUMBERS[array.get("type")])
                arrays[array.get("Name")] = values.reshape(-1, width) if width > 1 else values
        assert following == len(raw)
        self.points = self.parts["Points"]["position"].reshape(-1, 3)
        assert len(self.points) == self.count["Points"]

    def cells(self, kind):
        """The points of each cell."""
        offsets, points = (self.parts[kind][name] for name in ("offsets", "connectivity"))
        assert len(offsets) == self.count[kind] and (len(offsets) == 0 or offsets[-1] == len(points))
        return np.split(self.points[points], offsets[:-1])


@pytest.fixture
def made(tmp_path):
    """Runs a case, given by its file or text; its last snapshot, and its files of a kind in the order of time."""
    def make(case, *keys):
        if not isinstance(case, Path):
            (tmp_path / "case.toml").write_text(case, encoding="utf-8")
            case = tmp_path / "case.toml"
        keys = ["output.vtk=true", "output.contacts=true", *keys]
        program("run", case, *settings(keys), "--output", tmp_path / "out")
        files = {kind: sorted((tmp_path / "out/paraview").glob(f"{kind}-*.vtp"))
                 for kind in ("particles", "contacts", "walls")}
        return dem.open(tmp_path / "out"), files
    return make


def check_columns(columns, bodies, contacts, order):
    """Columns of the bodies, in this order, are those of the snapshot."""
    ends = np.concatenate([contacts.i, contacts.j]).astype(int)
    expected = {name: getattr(bodies, name) for name in ("group", "mass", "velocity", "speed", "force")}
    expected |= {"coordination": np.bincount(ends, minlength=len(bodies))}
    more = ("orientation", "angular_velocity") if "orientation" in columns else ("angle", "spin")
    expected |= {name: getattr(bodies, name) for name in more}
    for name, values in expected.items():
        assert np.array_equal(columns[name], values[order]), name
    assert columns["stress"].shape == (len(order), 9) and columns["mean_pressure"].shape == (len(order),)


def test_polygons_where_they_stand_and_contacts_as_lines_through_their_point(made):
    results, files = made(EXAMPLES / "slow-shear.toml", *PLATES)
    shot = results.snapshots[-1]
    bodies, contacts = shot.bodies, shot.contacts
    file = PolyData(files["particles"][-1])
    assert (file.count["Polys"], file.count["Lines"]) == (len(bodies), 0)
    columns = file.parts["CellData"]
    check_columns(columns, bodies, contacts, columns["id"])
    for body, cell in zip(columns["id"], file.cells("Polys")):
        assert cell[:, :2] == pytest.approx(bodies.outlines[body], abs=1e-12)
    lines = PolyData(files["contacts"][-1])
    assert lines.count["Lines"] == len(contacts) > 20
    start = bodies.position[contacts.i]
    for k, path in enumerate(lines.cells("Lines")):
        assert np.array_equal(path, [start[k], contacts.point[k], start[k] + contacts.branch[k]])
    for name in CONTACT_COLUMNS:
        assert np.array_equal(lines.parts["CellData"][name], getattr(contacts, name), equal_nan=True), name
    assert not files["walls"]
    # The collection gives each file its time.
    entries = ET.parse(files["particles"][0].with_name("particles.pvd")).findall("Collection/DataSet")
    assert [entry.get("file") for entry in entries] == [file.name for file in files["particles"]]
    assert [float(entry.get("timestep")) for entry in entries] == [shot.time for shot in results.snapshots]


def test_discs_and_half_planes(made):
    results, files = made("""
format = 1
gravity = [0, -1]
material = {normal_stiffness = 1000, tangential_stiffness = 700, friction = 0.4, restitution = 0.8}
time.step = 1e-3
body = [{shape = "disc", radius = 0.5, position = [0, 0.50001]}, {shape = "disc", radius = 0.3, position = [4, 0.9]}]
wall = [{name = "floor", from = [0, 0], to = [1, 0]}]
stage = [{duration = 0.01}]
""")
    file, bodies = PolyData(files["particles"][-1]), results.snapshots[-1].bodies
    # VTK's order of cells: lines before polygons.
    columns = file.parts["CellData"]
    assert columns["id"].tolist() == [2, 0, 1] and (file.count["Lines"], file.count["Polys"]) == (1, 2)
    check_columns(columns, bodies, results.snapshots[-1].contacts, columns["id"])
    (left, right), = file.cells("Lines")
    assert abs(left[1]) < 1e-12 and abs(right[1]) < 1e-12 and abs(right[0] - left[0]) > 4
    for body, cell in enumerate(file.cells("Polys")):
        assert len(cell) == 32
        assert np.hypot(*(cell - bodies.position[body])[:, :2].T) == pytest.approx(bodies.radius[body], rel=1e-13)
    assert PolyData(files["contacts"][0]).count == {
        "Points": 0, "Verts": 0, "Lines": 0, "Strips": 0, "Polys": 0}  # nothing touches at the start


def test_a_point_for_each_sphere_of_a_cluster(made):
    results, files = made(CLUSTERS)
    file, bodies = PolyData(files["particles"][-1]), results.snapshots[-1].bodies
    assert file.count == {"Points": 5, "Verts": 5, "Lines": 0, "Strips": 0, "Polys": 0}
    assert list(file.parts) == ["PointData", "Points", "Verts"]
    columns, (body, centre, radius) = file.parts["PointData"], bodies.spheres
    assert np.array_equal(columns["body"], body) and np.array_equal(columns["radius"], radius)
    assert file.points == pytest.approx(centre, abs=1e-14)
    check_columns(columns, bodies, results.snapshots[-1].contacts, body)


def test_walls_in_space_as_they_stand(made):
    """A rectangle that has moved is where it stands; a plane without end is a square about the bodies."""
    results, files = made("""
format = 1
dimension = 3
material = {density = 2, normal_stiffness = 1000, tangential_stiffness = 700, friction = 0.4, restitution = 0.8}
time.step = 1e-3
body = [{shape = "sphere", radius = 0.5, position = [2, 3, 1]}, {shape = "sphere", radius = 0.5, position = [4, 3, 1]}]
wall = [{name = "floor", shape = "plane", point = [0, 0, 0], normal = [0, 0, 1]},
{name = "gate", shape = "rectangle", corner = [6, 0, 0], edge_1 = [0, 2, 0], edge_2 = [0, 0, 1], velocity = [0, 0, 10]}]
stage = [{duration = 0.05}]
""")
    file, bodies = PolyData(files["walls"][-1]), results.snapshots[-1].bodies
    assert file.parts["CellData"]["wall"].tolist() == [2, 3]
    for name in ("velocity", "force"):
        assert np.array_equal(file.parts["CellData"][name], getattr(bodies, name)[2:]), name
    floor, gate = file.cells("Polys")
    # Middle of the bodies and the reach of their centres.
    assert floor.min(axis=0) == pytest.approx([1, 1, 0]) and floor.max(axis=0) == pytest.approx([5, 5, 0])
    assert gate.min(axis=0) == pytest.approx([6, 0, 0.5]) and gate.max(axis=0) == pytest.approx([6, 2, 1.5])
