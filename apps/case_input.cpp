#include "apps/case_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "libdem/assembly/assembly.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/health.hpp"
#include "libdem/run/start_from.hpp"
#include "libdem/sweep/case_document.hpp"

namespace dem {
namespace {

std::vector<std::string> set_keys;  // as in messages: "stage[2].strain"

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string_view{} : text.substr(first, last - first + 1);
}

}  // namespace

void add_settings(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option("--set", settings,
                  "A key of the case and its value instead of that in the file, as in material.friction=0.3, "
                  "stage.NAME.duration=2, body.NAME.force[0]=1 or contact.law=jaeger; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

Case read_case(const std::string& file, const std::vector<std::string>& settings) {
  if (settings.empty()) return read_case(file);
  CaseDocument document(read_case_text(file), file == "-" ? standard_input_name : file);
  std::vector<std::string> mistakes;
  for (const std::string_view setting : settings) {
    const auto equals = setting.find('=');
    const std::string_view key = without_spaces(setting.substr(0, equals));
    if (equals == setting.npos || key.empty()) {
      mistakes.push_back(fmt::format("--set: found \"{}\", allowed KEY=VALUE, as in material.friction=0.3", setting));
      continue;
    }
    try {
      set_keys.push_back(document.set_text(key, without_spaces(setting.substr(equals + 1))));
    } catch (const std::invalid_argument& error) {
      mistakes.push_back(fmt::format("--set: found {}", error.what()));
    }
  }
  if (!mistakes.empty()) throw CaseErrors(mistakes);
  return document.read();
}

bool is_setting(std::string_view key) { return std::ranges::find(set_keys, key) != set_keys.end(); }

CaseErrors located(const Case& c, const std::string& message) {
  const std::string key = message.substr(0, message.find(':'));
  if (is_setting(key)) return CaseErrors({fmt::format("--set: {}", message)});
  return CaseErrors({located(c.file, message)});
}

void rethrow_located(const Case& c, bool automatic) {
  try {
    throw;
  } catch (const AssemblyError& error) {
    throw located(c, error.what());
  } catch (const geometry::GeometryError& error) {
    throw located(c, error.what());
  } catch (const StartFromError& error) {
    throw located(c, error.what());
  } catch (const StepTooLarge& error) {
    const bool taken = automatic && !c.start_from.empty();
    throw located(c, taken ? fmt::format("time.step: \"auto\" is the step of the run that start_from names, and a "
                                         "state goes on with its own step; {}",
                                         error.what())
                           : error.what());
  }
}

}  // namespace dem
