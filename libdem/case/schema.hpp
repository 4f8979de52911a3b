// The schema of the case file: its tables, one row per key. The rows make the parser, `dem help`, the reference and the
// resolved case.
#pragma once
#include "libdem/case/draft.hpp"
#include "libdem/case/table_rows.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem::case_file {

const Section<CaseDraft>& root_section();
const Section<CaseDraft>& cell_section();
const Section<CaseDraft>& material_section();
const Section<OtherMaterialDraft>& other_material_section();
const Section<MaterialPair>& material_pair_section();
const Section<ContactChoice>& contact_section();
const Section<TimeChoice>& time_section();
const Section<CaseDraft>& assembly_section();
const Section<BodyDraft>& body_section();
const Section<WallSpec>& wall_section();
/// One for each driver with a table of its own. No driver can be added from here on.
const std::vector<Section<DriverChoice>>& driver_sections();
/// The table of a driver before it is read. Its defaults may depend on the tables before it, which the draft has.
DriverChoice fresh_driver(const std::string& table, const CaseDraft&);
const Section<StageDraft>& stage_section();
const Section<OutputChoice>& output_section();

/// Visits every table in the order of the resolved case: visit(section, part of the draft). The part is a T, an
/// T or none (a table that may be left out) or a vector of T (a list of tables).
template <class Draft, class Visitor>
void for_each_section(Draft&& draft, Visitor&& visit) {
  visit(root_section(), draft);
  visit(cell_section(), draft);
  visit(material_section(), draft);
  visit(other_material_section(), draft.own_materials);
  visit(material_pair_section(), draft.material_pairs);
  visit(contact_section(), draft.contact);
  visit(time_section(), draft.time);
  visit(assembly_section(), draft);
  visit(body_section(), draft.own_bodies);
  visit(wall_section(), draft.assembly.walls);
  for (std::size_t k = 0; k < driver_sections().size(); ++k)
    visit(driver_sections()[k], draft.driver(registered_drivers()[k]));
  visit(stage_section(), draft.own_stages);
  visit(output_section(), draft.output);
}

/// Puts the key `law` into [contact], and the keys of all laws before `key`. No law can be added from here on.
void add_laws(Section<ContactChoice>&, std::string_view key);
/// "law = "a" has …" or "laws "a" and "b" have …", with the laws for which `which` is true.
std::string laws_that_have(const std::function<bool(const laws::LawEntry&)>& which, std::string_view what);

}  // namespace dem::case_file
