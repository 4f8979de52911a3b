#include "libdem/case/results_mark.hpp"

#include "libdem/platform/text_file.hpp"

namespace dem {

bool is_results_folder(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path / readme_name, error)) return false;
  return read_file(path / readme_name, first_line.size()).starts_with(first_line);
}

}  // namespace dem
