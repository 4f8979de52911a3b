// dem contact, run as a user does: laws of the linear-frictional-contact reference, rotation in space, errors.
#include "apps/drive_tools.hpp"

using cli::Folder;
using cli::has;
using namespace drive_tools;

BOOST_AUTO_TEST_CASE(dashpots_without_time) {
  const Folder folder("path.csv", "overlap,shift_1,shift_2\n1e-3,1e-4,0\n");
  const auto told = [&](const std::string& parameters, const std::string& path) {
    folder.write("drive.toml", drive("linear", usual + parameters, path));
    const auto ran = folder.gives(0, "contact drive.toml");
    return std::pair(ran.out, ran.err);
  };
  const auto plain = told("", ""), idle = told("normal_damping = 3.0\n", ""),
             tangential = told("tangential_damping = 3.0\n", "");
  BOOST_TEST(plain.second == "");
  for (const auto& said : {idle.second, tangential.second}) BOOST_TEST(has(said, "no time_step: the dashpots are off"));
  BOOST_TEST(idle.first == plain.first);
  const auto damped = told("normal_damping = 3.0\n", "time_step = 1e-3\n");
  BOOST_TEST(damped.second == "");
  BOOST_TEST(damped.first != plain.first);
}

BOOST_AUTO_TEST_CASE(header_digits_and_regimes) {
  const Folder folder("drive.toml", "title = \"a title\"\nformat = 1\n" + drive("linear-refined", usual));
  // Any order of columns, comments, blanks.
  folder.write("path.csv",
               "# path\nshift_2,overlap,shift_1\n0,-1e-4,0\n\n0, 1e-3, "
               "0\n1e-4,1e-3,0\n0,1e-3,0\n1e-3,1e-3,0\n+1e-3,1e-3,0\n0,-1e-4,0\n0,-1e-4,0\n");
  const auto ran = folder.gives(0, "contact drive.toml");
  BOOST_TEST(ran.out.starts_with(
      "step,normal_force,tangential_1,tangential_2,regime,stored_normal,stored_tangential,work_tangential,dissipated\n"
      "0,0,0,0,separated,0,0,0,0\n"));
  const auto rows = table(ran.out);
  const std::vector<std::string> regimes{"separated", "separated", "stick",     "stick",    "unchanged",
                                         "slip",      "slide",     "separated", "separated"};
  BOOST_TEST_REQUIRE(rows.size() == regimes.size());
  double work = 0, dissipated = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    BOOST_TEST(rows[k].at("regime") == regimes[k], k);
    BOOST_TEST(rows[k].at("step") == std::to_string(k));
    work += number(rows[k], "work_tangential");
    dissipated += number(rows[k], "dissipated");
  }
  BOOST_TEST(near(work, dissipated, 1e-15));  // nothing is stored in the end
  BOOST_TEST(rows[3].at("tangential_2") == digits(1e5 * 1e-4));
}

// Carrying table of the reference, §16, then a tangential movement in the end frame.
BOOST_FIXTURE_TEST_CASE(one_step_in_space, cli::InFolder) {
  const std::string n1 = "-0.019998333374999504,-0.009999166687499752,0.999750010416493",
                    turns = "0.012,-0.02,0.03,0.008,-0.018,0.05\n";
  const std::string start = "start_overlap = 1e-3\nstart_normal = [0, 0, 1]\nstart_force = [3.0, 4.0, 0.0]\n";
  const double rescaled = 5 / 4.9990000666688896;
  const std::tuple<const char*, double, double, double> rows[] = {
      {"none", 3, 4, 0},
      {"projection", 2.9980003333111118, 3.9990001666555561, 0.099966669999841273},
      {"projection-rescaled", rescaled * 2.9980003333111118, rescaled * 3.9990001666555561,
       rescaled * 0.099966669999841273},
      {"projection-twirl", 2.8381203066466671, 4.1189101866538893, 0.097967836516516665},
      {"swing-twist", 2.8367461374611831, 4.1162220913526335, 0.097913463117259139},
      {"exact", 2.8367397937141909, 4.1162264651962275, 0.097913379966896377}};
  for (const char* law : {"linear", "linear-refined"})
    for (const auto& [transport, x, y, z] : rows) {
      const auto carried = run(folder, drive(law, usual + "transport = \"" + transport + "\"\n", start, "global"),
                               global_header + "1e-3," + n1 + ",0,0,0," + turns);
      BOOST_TEST(number(carried[0], "tangential_y") == 4);
      BOOST_TEST(
          (near(number(carried[1], "tangential_x"), x, 1e-14) && near(number(carried[1], "tangential_y"), y, 1e-14) &&
           near(number(carried[1], "tangential_z"), z, 1e-14)),
          law << ", " << transport);
      BOOST_TEST(carried[1].at("regime") == "unchanged");
    }
  // Across e = ŷ × n1/|…|, which is tangential at the end: the force there grows by k_t times the movement.
  const double ex = 0.999750010416493, ez = 0.019998333374999504, size = std::hypot(ex, ez), far = 1e-5;
  const auto row = run(
      folder, drive("linear", usual, start, "global"),
      global_header + "1e-3," + n1 + "," + digits(far * ex / size) + ",0," + digits(far * ez / size) + "," + turns)[1];
  check_near(row, "tangential_x", 2.8367397937141909 + 1e5 * far * ex / size, 1e-13);
  check_near(row, "tangential_z", 0.097913379966896377 + 1e5 * far * ez / size, 1e-13);
}

BOOST_FIXTURE_TEST_CASE(laws_refinements_and_work, cli::InFolder) {
  const std::string start = "start_overlap = 1e-3\nstart_force = [30.0, 0.0]\n",
                    path = "overlap,shift_1,shift_2\n1.2e-3,2e-4,6e-4\n";
  const auto force = [&](const std::string& law, const std::string& more, const std::string& column) {
    return number(run(folder, drive(law, usual + more, start), path)[1], column);
  };
  const double radial_1 = force("linear", "", "tangential_1");
  BOOST_TEST(near(radial_1, 60 * 50 / std::hypot(50, 60), 1e-12));
  BOOST_TEST(near(force("linear-refined", "refinements = []", "tangential_1"), radial_1, 1e-12));
  BOOST_TEST(near(force("linear-refined", "refinements = [\"part-of-step\", \"onset\", \"direction\"]", "tangential_1"),
                  37.542523162300157, 1e-12));
  BOOST_TEST(
      near(force("linear-refined", "sliding_work = \"trapezoid\"", "work_tangential"), 0.023998182526702161, 1e-15));
  // On first touch the conventional law takes the whole movement.
  const std::string touch = "overlap,shift_1,shift_2\n1e-3,2e-4,0\n", apart = "start_overlap = -1e-3\n";
  check_near(run(folder, drive("linear", usual, apart), touch)[1], "tangential_1", 20, 1e-12);
  check_near(run(folder, drive("linear-refined", usual, apart), touch)[1], "tangential_1", 10, 1e-12);
}

// Reference §6. The speed is the movement of the row over its time. Dashpots are no part of the friction check.
// They rest while the contact slides, and there is no tension.
BOOST_FIXTURE_TEST_CASE(dashpots_by_the_speed_of_a_row, cli::InFolder) {
  const std::string damped = usual + "normal_damping = 40\ntangential_damping = 20\n", start = "start_overlap = 1e-3\n",
                    timed = start + "time_step = 1e-4\n";
  const std::string path = "overlap,shift_1,shift_2\n1.1e-3,1e-5,-2e-5\n1.1e-3,1e-2,0\n0.7e-3,0,0\n";
  const auto with = run(folder, drive("linear-refined", damped, timed), path),
             without = run(folder, drive("linear-refined", usual, start), path);
  check_near(without[1], "normal_force", 110, 1e-12);
  check_near(with[1], "normal_force", 110 + 40 * 1e-4 / 1e-4, 1e-10);
  check_near(with[1], "tangential_1", 1 + 20 * 0.1, 1e-12);
  check_near(with[1], "tangential_2", -2 - 20 * 0.2, 1e-12);
  BOOST_TEST(number(with[1], "dissipated") == 0);
  check_near(with[2], "tangential_1", number(without[2], "tangential_1"), 0);
  BOOST_TEST(number(with[3], "normal_force") == 0);  // 70 N − 160 N
  check_near(run(folder, drive("linear-refined", damped + "clip_tension = false\n", timed), path)[3], "normal_force",
             -90, 1e-10);
  check_near(run(folder, drive("linear", damped, timed), path)[3], "normal_force", -90, 1e-10);
  const auto kept = run(folder, drive("linear-refined", damped + "damp_while_sliding = true\n", timed), path);
  check_near(kept[2], "tangential_1", number(with[2], "tangential_1") + 20 * 100, 1e-9);
  // Default of the tangential dashpot: γ_n k_t/k_n.
  const auto usual_ratio = run(folder, drive("linear", usual + "normal_damping = 40\n", timed), path);
  check_near(usual_ratio[1], "tangential_1", 1 + 40 * 0.1, 1e-12);
}

BOOST_AUTO_TEST_CASE(bad_drives_are_refused_in_sentences) {
  refused(drive("linea", usual),
          "drive.toml:1: law: found \"linea\", allowed one of \"linear\", \"linear-refined\", \"jaeger\", "
          "\"jaeger-checked\", \"hertz-mindlin\", \"hooke-history\", \"hertz-history\"; nearest known value: linear\n");
  refused(drive("linear", "normal_stiffness = -1e5\ntangential_stiffness = 1e5\nfriction = 0.5\n"),
          "drive.toml:3: parameters.normal_stiffness: found -100000.0, allowed a number > 0, from 1e-12 to 1e+18\n");
  refused(drive("linear", "normal_stiffness = 1e5\ntangential_stiffness = 1e5\nfrction = 0.5\n"),
          "drive.toml:5: parameters.frction: found an unknown key, allowed the keys of law linear (dem help linear): "
          "normal_stiffness, tangential_stiffness, friction, normal_damping, tangential_damping, damp_while_sliding, "
          "clip_tension, transport; nearest known key: friction\n");
  refused(drive("linear", usual + "transport = \"exakt\"\n"),
          "drive.toml:6: parameters.transport: found \"exakt\", allowed one of \"none\", \"projection\", "
          "\"projection-rescaled\", \"projection-twirl\", \"swing-twist\", \"exact\"; nearest known value: exact\n");
  refused(drive("linear-refined", usual + "refinements = [\"onset\", \"twirl\"]\n"),
          "drive.toml:6: parameters.refinements: found [\"onset\", \"twirl\"], allowed a list, empty or of "
          "\"part-of-step\", \"onset\", \"direction\", each once\n");
  refused(drive("linear", usual + "damp_while_sliding = 1\n"),
          "drive.toml:6: parameters.damp_while_sliding: found 1, allowed true or false\n");
  refused(drive("linear", usual, "time_step = 0\n"),
          "drive.toml:10: path.time_step: found 0, allowed a number > 0, from 1e-18 to 1e+15\n");
  refused(drive("linear", usual, "start_force = [1.0, 2.0, 3.0]\n"),
          "drive.toml:10: path.start_force: found [1.0, 2.0, 3.0], allowed a list of 2 numbers, each from -1e+24 to "
          "1e+24\n");
  refused(drive("linear", usual, "start_force = [1.0, 2.0]\n"),
          "drive.toml:10: path.start_force: found [1.0, 2.0], allowed zero unless start_overlap > 0: bodies apart have "
          "no force\n");
  refused(drive("linear", usual, "start_normal = [1, 0, 0]\n"),
          "drive.toml:10: path.start_normal: found this key with frame = \"contact\", allowed only with frame = "
          "\"global\"\n");
  refused(drive("linear", usual, "", "contakt"),
          "drive.toml:9: path.frame: found \"contakt\", allowed one of \"contact\", \"global\"; nearest known value: "
          "contact\n");
  refused(drive("linear", usual, "start = 1\n"),
          "drive.toml:10: path.start: found an unknown key, allowed the keys of [path]: file, frame, time_step, "
          "start_overlap, start_force, start_normal\n");
  refused("law = \"linear\"\n[parameters]\n" + usual,
          "drive.toml:1: path.file: found nothing, allowed the name of a CSV file, relative to this one (required)\n"
          "drive.toml:1: path.frame: found nothing, allowed one of \"contact\", \"global\" (required)\n");
  refused("format = 2\n" + drive("linear", usual),
          "drive.toml:1: format: found 2, allowed 1: this version reads no other format\n");
  refused("time_step = 1\n" + drive("linear", usual),
          "drive.toml:1: time_step: found an unknown key, allowed the keys of a drive: format, title, law, parameters, "
          "path\n");
  refused("[[axis]]\nkey = \"friction\"\n",
          "drive.toml:1: axis: found a key of a sweep, allowed the keys of a contact drive; dem sweep takes this "
          "file\n");
  refused("law = \n", "drive.toml:1:");

  const Folder folder(
      "drive.toml", "law = \"linear\"\n[parameters]\n" + usual + "[path]\nfile = \"none.csv\"\nframe = \"contact\"\n");
  folder.refuses(3, "contact drive.toml", {"none.csv"});
  BOOST_TEST(folder.dem("contact nowhere.toml").code == 3);
  BOOST_TEST(folder.dem("contact").code == 2);
  // Of a normal that is none, no force is along it.
  for (const std::string normal : {"[0, 0, 0]", "[2, 0, 0]"})
    refused(drive("linear", usual,
                  "start_overlap = 1e-3\nstart_normal = " + normal + "\nstart_force = [32.0, 1.0, 0.0]\n", "global"),
            std::string("drive.toml:11: path.start_normal: found a vector of length ") + normal[1] +
                ", allowed a vector of unit length (within 1e-6)\n",
            global_header + "1e-3,1,0,0,0,0,0,0,0,0,0,0,0\n");
}

BOOST_AUTO_TEST_CASE(bad_paths_are_refused_with_line_and_column) {
  const auto says = [](const std::string& path, const std::string& message, bool global = false) {
    refused(drive("linear", usual, global ? "start_normal = [0, 0, 1]\n" : "", global ? "global" : "contact"), message,
            path);
  };
  const std::string columns = "the columns overlap, shift_1, shift_2";
  says("", "path.csv:1: found an empty file, allowed a header line with " + columns + "\n");
  says("# only a comment\n", "path.csv:1: found an empty file, allowed a header line with " + columns + "\n");
  says("overlap,shift_1,shift_2\n", "path.csv:1: found no row behind the header, allowed a row a step\n");
  says("overlap,shift_1\n1e-3,0\n", "path.csv:1: found no column \"shift_2\", allowed " + columns + "\n");
  says("overlap,shift_1,shft_2\n1e-3,0,0\n", "path.csv:1:3: found an unknown column \"shft_2\", allowed " + columns +
                                                 "; nearest known column: shift_2\n"
                                                 "path.csv:1: found no column \"shift_2\", allowed " +
                                                 columns + "\n");
  says("overlap,shift_1,shift_1,shift_2\n", "path.csv:1:3: found column \"shift_1\" twice, allowed each column once\n");
  says("# c\noverlap,shift_1,shift_2\n1e-3,0,0\n1e-3,abc,0\n",
       "path.csv:4:2: shift_1: found \"abc\", allowed a finite number\n");
  says("overlap,shift_1,shift_2\n1e-3,0,nan\n", "path.csv:2:3: shift_2: found \"nan\", allowed a finite number\n");
  says("overlap,shift_1,shift_2\n1e-3,1e999,0\n", "path.csv:2:2: shift_1: found \"1e999\", allowed a finite number\n");
  says("overlap,shift_1,shift_2\n1e-3,,0\n", "path.csv:2:2: shift_1: found an empty cell, allowed a number\n");
  says("overlap,shift_1,shift_2\n1e-3,0\n",
       "path.csv:2: found 2 values, allowed 3, one for each column of the header\n");
  says("overlap,shift_1,shift_2\n1e-3,x,0\n1e-3,0\n",
       "path.csv:2:2: shift_1: found \"x\", allowed a finite number\n"
       "path.csv:3: found 2 values, allowed 3, one for each column of the header\n");
  const std::string rest = ",0,0,0,0,0,0\n";
  says(global_header + "1e-3,0,0,1.1,0,0,0" + rest,
       "path.csv:2: normal_x, normal_y, normal_z: found a vector of length 1.1, allowed a vector of unit length "
       "(within 1e-6)\n",
       true);
  says(global_header + "1e-3,0,0,-1,0,0,0" + rest,
       "path.csv:2: normal_x, normal_y, normal_z: found the opposite of the normal before, allowed a turn of less than "
       "half a turn in a row\n",
       true);
  says(global_header + "1e-3,0,0,1,1e-5,0,1e-6" + rest,
       "path.csv:2: shift_x, shift_y, shift_z: found 1e-06 m along the normal, allowed a tangential movement, square "
       "to the normal at the end of the row (within 1e-6)\n",
       true);
  const auto global = [&](const std::string& start, const std::string& message) {
    refused(drive("linear", usual, start, "global"), message, global_header + "1e-3,0,0,1,0,0,0" + rest);
  };
  global("",
         "drive.toml:7: path.start_normal: found nothing, allowed a list of 3 numbers, each from -1e+24 to 1e+24: the "
         "unit normal from i to j (required)\n");
  global(
      "start_normal = [0, 0, 2]\n",
      "drive.toml:10: path.start_normal: found a vector of length 2, allowed a vector of unit length (within 1e-6)\n");
  global("start_normal = [0, 0, 1]\nstart_overlap = 1e-3\nstart_force = [1.0, 0.0, 0.5]\n",
         "drive.toml:12: path.start_force: found 0.5 N along start_normal, allowed a tangential force, square to "
         "start_normal (within 1e-6)\n");
}

BOOST_FIXTURE_TEST_CASE(help_examples_and_picture, cli::InFolder) {
  const auto example = folder.gives(0, cli::example_of(folder.gives(0, "contact --help").out));
  BOOST_TEST(table(example.out).size() > 60U);
  const auto last = table(folder.gives(0, "contact apps/examples/contact-rotation.toml").out).back();
  BOOST_TEST(near(std::hypot(number(last, "tangential_x"), number(last, "tangential_y"), number(last, "tangential_z")),
                  40, 1e-12));

  for (const char* word : {"contact", "linear-refined", "linear"})
    folder.gives(0, std::string("help ") + word, {"normal_stiffness", "tangential_damping", "transport"});
  folder.dem("help contact").prints({"law linear-refined: ", "contact.elongation"});
  BOOST_TEST(!has(folder.dem("help linear").out, "refinements"));

  const auto drawn = folder.gives(0, "contact apps/examples/contact-loop.toml --plot");
  BOOST_TEST(drawn.out == example.out);
  if (has(drawn.err, "No plot:")) {
    BOOST_TEST_MESSAGE("skipped: no Python with matplotlib");
  } else {
    BOOST_TEST(drawn.err == "Plot in contact-loop.svg\n");
    folder.shows("contact-loop.svg", {"<svg"});
  }
}
