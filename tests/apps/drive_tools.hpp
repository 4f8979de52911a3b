// dem contact as a test runs it: drives, paths, the table it prints.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "apps/cli_tools.hpp"
#include "support/csv.hpp"

namespace drive_tools {

using cli::Folder;

using Row = dem::test::CsvRow;

inline std::vector<Row> table(const std::string& text) {
  std::istringstream in(text);
  return dem::test::rows_of(in);
}

inline double number(const Row& row, const std::string& name) { return std::stod(row.at(name)); }
inline bool near(double a, double b, double within) { return std::abs(a - b) <= within; }
/// Checks a number of a row.
inline void check_near(const Row& row, const std::string& name, double expected, double within) {
  BOOST_TEST(near(number(row, name), expected, within), name << " is " << row.at(name) << ", expected " << expected);
}
inline std::string digits(double x) { return fmt::format("{:.17g}", x); }

inline const std::string global_header =
    "overlap,normal_x,normal_y,normal_z,shift_x,shift_y,shift_z,rotation_i_x,rotation_i_y,rotation_i_z,rotation_j_x,"
    "rotation_j_y,rotation_j_z\n";

/// A drive in the contact frame. `path` has the lines of [path] beside file and frame.
inline std::string drive(const std::string& law, const std::string& parameters, const std::string& path = "",
                         const std::string& frame = "contact") {
  return "law = \"" + law + "\"\n[parameters]\n" + parameters + "\n[path]\nfile = \"path.csv\"\nframe = \"" + frame +
         "\"\n" + path;
}
inline const std::string usual = "normal_stiffness = 1e5\ntangential_stiffness = 1e5\nfriction = 0.5\n";

/// Checks that dem contact refuses the drive with the message, or with one that has it where it does not end a line.
inline void refused(const std::string& drive_text, const std::string& message,
                    const std::string& path = "overlap,shift_1,shift_2\n1e-3,0,0\n") {
  const Folder folder("drive.toml", drive_text);
  folder.write("path.csv", path);
  const auto ran = folder.gives(2, "contact drive.toml");
  BOOST_TEST(ran.out.empty(), ran.out);
  BOOST_TEST((message.ends_with('\n') ? ran.err == message : cli::has(ran.err, message)), "found\n"
                                                                                              << ran.err << "expected\n"
                                                                                              << message);
}

inline std::vector<Row> run(const Folder& folder, const std::string& drive_text, const std::string& path) {
  folder.write("drive.toml", drive_text);
  folder.write("path.csv", path);
  const auto ran = folder.gives(0, "contact drive.toml");
  BOOST_TEST(ran.err.empty(), ran.err);
  return table(ran.out);
}

}  // namespace drive_tools
