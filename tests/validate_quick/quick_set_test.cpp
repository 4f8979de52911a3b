// The quick set of all studies, as continuous integration runs it: exit code, claims.json, the page. A message has its
// cost.
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/cli_tools.hpp"

namespace {

double cpu_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](timeval t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Attributes of tags that would load something from elsewhere.
bool loads_from_elsewhere(const std::string& page) {
  for (const char* attribute : {"src=\"", "<link", "@import", "<script", "url(http", "url('http"})
    if (page.find(attribute) != std::string::npos) return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(quick_set_of_all_studies) {
  const cli::Folder folder;
  const auto result = folder.dem("validate --quick --workers 2");
  BOOST_TEST_MESSAGE(result.out);
  BOOST_TEST(result.code == 0, result.err);

  const auto claims = nlohmann::json::parse(cli::text_of(folder.path() / "validation-results/claims.json"));
  BOOST_TEST_REQUIRE(claims.is_array());
  const std::set<std::string> wanted{"id", "source", "published", "measured", "tolerance", "verdict", "note"};
  const std::set<std::string> words{"agrees", "differs", "not comparable"};
  std::set<std::string> ids, studies;
  for (const auto& claim : claims) {
    for (const std::string& key : wanted) BOOST_TEST(claim.contains(key), key);
    const std::string id = claim["id"].get<std::string>();
    BOOST_TEST_CONTEXT(id) {
      BOOST_TEST(ids.insert(id).second);  // unique
      BOOST_TEST(words.contains(claim["verdict"].get<std::string>()));
      for (const char* key : {"source", "published", "measured", "note"})
        BOOST_TEST(!claim[key].get<std::string>().empty(), key);
      if (claim["verdict"] != "not comparable") BOOST_TEST(!claim["tolerance"].get<std::string>().empty());
      // NaN and the like must have become a sentence.
      const std::string measured = claim["measured"].get<std::string>();
      BOOST_TEST((measured.find("nan") == std::string::npos || measured.find("nano") != std::string::npos), measured);
    }
    studies.insert(id.substr(0, id.rfind('/')));
  }
  const cli::fs::path sources = cli::fs::path(LIBDEM_SOURCE_DIR) / "validation";
  for (const auto& entry : cli::fs::recursive_directory_iterator(sources))
    if (entry.path().filename() == "study.toml") {
      const std::string study = entry.path().parent_path().lexically_relative(sources).string();
      BOOST_TEST(studies.contains(study), study << " has no claim");
    }

  // The goal is 3 minutes on 2 cores. It is no check: on a slow or busy machine the same work takes twice the CPU time.
  BOOST_TEST_MESSAGE("quick set: " << cpu_seconds_of_children() << " s of CPU time");

  if (cli::has(result.out, "python3-matplotlib")) {
    BOOST_TEST_MESSAGE("SKIPPED: the page is not tested, there is no Python with matplotlib");
    return;
  }
  const std::string page = cli::text_of(folder.path() / "validation-results/report.html");
  BOOST_TEST(!loads_from_elsewhere(page));
  BOOST_TEST(!cli::has(page, "could not be drawn"));
  for (const std::string& id : ids) {
    std::string anchor = "id=\"";
    for (const char c : id) anchor += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
    BOOST_TEST(cli::has(page, anchor + "\""), id);
  }
}
