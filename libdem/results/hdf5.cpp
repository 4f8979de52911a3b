#include "libdem/results/hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <type_traits>

namespace dem::hdf5 {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>, "HDF5 1.10 or newer");

/// HDF5's own innermost reason for the last failure.
struct Failure {
  const char* reason = nullptr;
  bool of_memory = false;
};

[[noreturn]] void fail(const std::string& where) {
  Failure failure;
  const auto look = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    auto& found = *static_cast<Failure*>(out);
    if (!found.reason) found.reason = error->desc;
    found.of_memory = found.of_memory || error->maj_num == H5E_RESOURCE || error->min_num == H5E_NOSPACE ||
                      error->min_num == H5E_CANTALLOC;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &failure);
  if (failure.of_memory || !failure.reason) {  // HDF5 had no memory to give the reason
    H5Eclear2(H5E_DEFAULT);
    throw std::bad_alloc();  // no fault of the file
  }
  const std::string reason = failure.reason;
  H5Eclear2(H5E_DEFAULT);
  throw FileError(fmt::format("{}: HDF5: {}", where, reason));
}

template <class Id>
Id checked(Id id, std::string_view where) {
  if (id < 0) fail(std::string(where));
  return id;
}
template <class Id>
Handle made(Id id, herr_t (*close)(hid_t), std::string_view where = "HDF5 object") {
  return {checked(id, where), close};
}

/// Without memory in the middle of an action, HDF5 ends the program or becomes unusable. So this checks the room first.
void want_room(std::size_t bytes) {
  void* volatile room = ::operator new(bytes);
  ::operator delete(room);
}
/// For the tables of HDF5 at its start and a block of a file in memory.
constexpr std::size_t room_for_anything = std::size_t{4} << 20;

/// X(type, name of HDF5's type) for each type of numbers in files.
#define DEM_NUMBERS(X)     \
  X(double, DOUBLE)        \
  X(std::uint64_t, UINT64) \
  X(std::uint32_t, UINT32) \
  X(std::uint16_t, UINT16) \
  X(std::int16_t, INT16)   \
  X(std::uint8_t, UINT8)
template <class T>
hid_t native_type();
#define DEM_NATIVE(T, NAME)   \
  template <>                 \
  hid_t native_type<T>() {    \
    return H5T_NATIVE_##NAME; \
  }
DEM_NUMBERS(DEM_NATIVE)

/// Variable-length UTF-8, which h5py shows as str.
Handle text_type() {
  Handle type = made(H5Tcopy(H5T_C_S1), H5Tclose);
  checked(H5Tset_size(type.id(), H5T_VARIABLE), "type of texts");
  checked(H5Tset_cset(type.id(), H5T_CSET_UTF8), "type of texts");
  return type;
}

/// Called before the first file. HDF5 must not print anything. HDF5 must not clean up at program end either: files are
/// only in memory, and without memory its clean-up would fail.
void start_library() {
  want_room(room_for_anything);
  static const bool done = [] {
    H5dont_atexit();
    return H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  }();
  if (!done) throw std::bad_alloc();
}

/// HDF5 identifies files in memory by name only, so each gets its own.
std::string unique_name(const std::string& name) {
  static std::atomic<unsigned long> counter = 0;
  return fmt::format("{}#{}", name, ++counter);
}

/// The oldest layout of the file is kept (HDF5's default): H5Fget_file_image of 1.10 spoils the checksum of newer ones.
Handle memory_access() {
  Handle access = made(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  checked(H5Pset_fapl_core(access.id(), 1u << 20, false), "file in memory");
  return access;
}

Handle without_times(hid_t property_class) {
  Handle properties = made(H5Pcreate(property_class), H5Pclose);
  checked(H5Pset_obj_track_times(properties.id(), false), "properties");
  return properties;
}

constexpr std::size_t least_compressed = std::size_t{16} << 10;  // bytes; below, the index of the parts costs more
constexpr std::size_t part_bytes = std::size_t{256} << 10;       // compressed at a time

/// True where compression pays. Integers pay. Measured doubles keep 90 % of their bytes and cost 40 times the time.
/// Those that nearly all repeat the number before or the row before, such as zeros, vanish. The three equal moments of
/// a sphere repeat twice in three numbers. They would keep 40 %.
bool repeats(const void* values, hid_t type, std::size_t size, std::size_t columns) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_FLOAT) return kind == H5T_INTEGER;
  const std::span numbers(static_cast<const std::uint64_t*>(values), size);  // their bits
  const std::size_t row = std::max<std::size_t>(columns, 1);
  std::size_t same = 0;
  for (std::size_t k = row; k < size; ++k) same += numbers[k] == numbers[k - 1] || numbers[k] == numbers[k - row];
  return same > size - size / 4;
}

/// Compresses the dataset in parts of whole rows.
void compress(const Handle& properties, const hsize_t (&extent)[2], bool is_matrix, std::size_t bytes) {
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return;
  const std::size_t rows = std::size_t(extent[0]), parts = (bytes + part_bytes - 1) / part_bytes;
  const hsize_t part[2] = {(rows + parts - 1) / parts, extent[1]};
  checked(H5Pset_chunk(properties.id(), is_matrix ? 2 : 1, part), "compression");
  checked(H5Pset_shuffle(properties.id()), "compression");
  checked(H5Pset_deflate(properties.id(), 1), "compression");
}

/// Creates the groups on the way to an object.
Handle with_groups_between() {
  Handle links = made(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  checked(H5Pset_create_intermediate_group(links.id(), 1), "properties");
  return links;
}

/// Copies the texts of HDF5 and frees them.
std::vector<std::string> taken(std::vector<char*>& pointers) {
  std::vector<std::string> values;
  for (char* p : pointers) {
    values.emplace_back(p ? p : "");
    H5free_memory(p);
  }
  return values;
}

struct Dataset {
  Handle handle;
  std::size_t size = 0;
};
Dataset open_dataset(hid_t group, std::string_view name, const std::string& where) {
  Dataset d{made(H5Dopen2(group, std::string(name).c_str(), H5P_DEFAULT), H5Dclose, where)};
  const Handle space = made(H5Dget_space(d.handle.id()), H5Sclose, where);
  d.size = static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.id()), where));
  return d;
}

Handle open_attribute(hid_t group, std::string_view attribute, std::string_view of, const std::string& where) {
  const std::string object(of), name(attribute);
  return made(H5Aopen_by_name(group, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, where);
}

template <class T>
T value_of(hid_t group, std::string_view attribute, std::string_view of, const std::string& where) {
  T value{};
  checked(H5Aread(open_attribute(group, attribute, of, where).id(), native_type<T>(), &value), where);
  return value;
}

}  // namespace

Handle::Handle(std::int64_t id, int (*close)(std::int64_t))
    : id_(new std::int64_t(id), [close](const std::int64_t* p) {
        if (*p >= 0) close(*p);
        delete p;
      }) {}

std::string Group::where(std::string_view object) const { return fmt::format("{}, {}", name_, object); }

Group Group::group(std::string_view name) {
  const Handle links = with_groups_between();
  const Handle properties = without_times(H5P_GROUP_CREATE);
  const hid_t id = H5Gcreate2(group_.id(), std::string(name).c_str(), links.id(), properties.id(), H5P_DEFAULT);
  return {file_, made(id, H5Gclose, where(name)), name_};
}

Group Group::open(std::string_view name) const {
  const hid_t id = H5Gopen2(group_.id(), std::string(name).c_str(), H5P_DEFAULT);
  return {file_, made(id, H5Gclose, where(name)), name_};
}

bool Group::has(std::string_view name) const {
  return H5Lexists(group_.id(), std::string(name).c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Group::names() const {
  struct {
    std::vector<std::string> names;
    bool out_of_memory = false;
  } found;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    auto& all = *static_cast<decltype(found)*>(list);
    try {
      all.names.emplace_back(name);
    } catch (const std::bad_alloc&) {  // no exception may pass through a C library
      all.out_of_memory = true;
    }
    return 0;
  };
  checked(H5Literate(group_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &found), where("members"));
  if (found.out_of_memory) throw std::bad_alloc();
  return std::move(found.names);
}

void Group::set_raw(std::int64_t object, std::string_view attribute, std::int64_t type, const void* value,
                    std::size_t count) {
  const hsize_t extent = count;
  const Handle space = made(count > 0 ? H5Screate_simple(1, &extent, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
  const hid_t id = H5Acreate2(object, std::string(attribute).c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT);
  const Handle a = made(id, H5Aclose, where(attribute));
  checked(H5Awrite(a.id(), type, value), where(attribute));
}

void Group::set(std::string_view attribute, std::string_view value) {
  const std::string copy(value);
  const char* text = copy.c_str();
  set_raw(group_.id(), attribute, text_type().id(), &text);
}
void Group::set_texts(std::string_view attribute, std::span<const std::string> values) {
  std::vector<const char*> pointers;
  for (const std::string& v : values) pointers.push_back(v.c_str());
  set_raw(group_.id(), attribute, text_type().id(), pointers.data(), pointers.size());
}
void Group::set(std::string_view attribute, double value) {
  set_raw(group_.id(), attribute, H5T_NATIVE_DOUBLE, &value);
}
void Group::set(std::string_view attribute, std::uint64_t value) {
  set_raw(group_.id(), attribute, H5T_NATIVE_UINT64, &value);
}

void Group::write_raw(std::string_view name, const void* values, std::int64_t type, std::size_t size, Meaning meaning,
                      std::size_t columns) {
  want_room(room_for_anything + size * H5Tget_size(type));
  const hsize_t extent[2] = {columns ? size / columns : size, columns};
  const Handle space = made(H5Screate_simple(columns ? 2 : 1, extent, nullptr), H5Sclose, where(name));
  const Handle links = with_groups_between();
  const Handle properties = without_times(H5P_DATASET_CREATE);
  if (const std::size_t bytes = size * H5Tget_size(type);
      bytes >= least_compressed && repeats(values, type, size, columns))
    compress(properties, extent, columns > 0, bytes);
  const hid_t id =
      H5Dcreate2(group_.id(), std::string(name).c_str(), type, space.id(), links.id(), properties.id(), H5P_DEFAULT);
  const Handle dataset = made(id, H5Dclose, where(name));
  if (size > 0) checked(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), where(name));
  for (const auto& [key, value] : {std::pair{"unit", meaning.unit}, std::pair{"description", meaning.description}}) {
    if (value.empty()) continue;
    const std::string copy(value);
    const char* text = copy.c_str();
    set_raw(dataset.id(), key, text_type().id(), &text);
  }
}

template <class T>
void Group::write(std::string_view name, std::span<const T> values, Meaning meaning, std::size_t columns) {
  write_raw(name, values.data(), native_type<T>(), values.size(), meaning, columns);
}

void Group::write_texts(std::string_view name, std::span<const std::string> values, Meaning meaning) {
  std::vector<const char*> pointers;
  for (const std::string& v : values) pointers.push_back(v.c_str());
  write_raw(name, pointers.data(), text_type().id(), pointers.size(), meaning, 0);
}

std::vector<std::size_t> Group::dimensions(std::string_view name) const {
  const Handle dataset = made(H5Dopen2(group_.id(), std::string(name).c_str(), H5P_DEFAULT), H5Dclose, where(name));
  const Handle space = made(H5Dget_space(dataset.id()), H5Sclose, where(name));
  const int rank = checked(H5Sget_simple_extent_ndims(space.id()), where(name));
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  checked(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), where(name));
  return {extent.begin(), extent.end()};
}

template <class T>
std::vector<T> Group::read(std::string_view name) const {
  const Dataset d = open_dataset(group_.id(), name, where(name));
  const Handle type = made(H5Dget_type(d.handle.id()), H5Tclose);
  if (H5Tequal(type.id(), native_type<T>()) <= 0)
    throw FileError(where(name) + ": the entry is of another type than expected");
  std::vector<T> values(d.size);
  if (d.size)
    checked(H5Dread(d.handle.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), where(name));
  return values;
}

std::vector<std::string> Group::read_texts(std::string_view name) const {
  const Dataset d = open_dataset(group_.id(), name, where(name));
  const Handle stored = made(H5Dget_type(d.handle.id()), H5Tclose), type = text_type();
  if (H5Tis_variable_str(stored.id()) <= 0)
    throw FileError(where(name) + ": the entry is of another type than expected");
  std::vector<char*> pointers(d.size, nullptr);
  if (d.size) checked(H5Dread(d.handle.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), where(name));
  return taken(pointers);
}

bool Group::has_attribute(std::string_view attribute) const {
  return H5Aexists(group_.id(), std::string(attribute).c_str()) > 0;
}

std::string Group::text(std::string_view attribute, std::string_view of) const {
  const Handle a = open_attribute(group_.id(), attribute, of, where(attribute)), type = text_type();
  char* pointer = nullptr;
  checked(H5Aread(a.id(), type.id(), &pointer), where(attribute));
  std::string value(pointer ? pointer : "");
  H5free_memory(pointer);
  return value;
}

std::vector<std::string> Group::texts(std::string_view attribute) const {
  const Handle a = open_attribute(group_.id(), attribute, ".", where(attribute)), type = text_type();
  const Handle space = made(H5Aget_space(a.id()), H5Sclose), stored = made(H5Aget_type(a.id()), H5Tclose);
  if (H5Tis_variable_str(stored.id()) <= 0)
    throw FileError(where(attribute) + ": the entry is of another type than expected");
  std::vector<char*> pointers(
      static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.id()), where(attribute))), nullptr);
  checked(H5Aread(a.id(), type.id(), pointers.data()), where(attribute));
  return taken(pointers);
}

double Group::number(std::string_view attribute, std::string_view of) const {
  return value_of<double>(group_.id(), attribute, of, where(attribute));
}
std::uint64_t Group::integer(std::string_view attribute, std::string_view of) const {
  return value_of<std::uint64_t>(group_.id(), attribute, of, where(attribute));
}

File File::create(std::string name) {
  start_library();
  const Handle access = memory_access(), properties = without_times(H5P_FILE_CREATE);
  const hid_t id = H5Fcreate(unique_name(name).c_str(), H5F_ACC_TRUNC, properties.id(), access.id());
  const Handle file = made(id, H5Fclose, name), root = made(H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose, name);
  return {file, Group(file, root, std::move(name))};
}

File File::from_bytes(std::string name, std::string_view bytes) {
  want_room(3 * bytes.size());
  start_library();
  const Handle access = memory_access();
  std::string copy(bytes);  // HDF5 asks for a buffer it might write to
  checked(H5Pset_file_image(access.id(), copy.data(), copy.size()), name);
  const hid_t id = H5Fopen(unique_name(name).c_str(), H5F_ACC_RDONLY, access.id());
  const Handle file = made(id, H5Fclose, name), root = made(H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose, name);
  return {file, Group(file, root, std::move(name))};
}

std::string File::bytes(std::size_t before) const {
  want_room(room_for_anything);
  checked(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), root_.name_);
  const ssize_t size = H5Fget_file_image(file_.id(), nullptr, 0);
  if (size < 0) fail(root_.name_);
  std::string image(before + static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file_.id(), image.data() + before, image.size() - before) < 0) fail(root_.name_);
  return image;
}

#define DEM_INSTANTIATE(T, NAME)                                                             \
  template void Group::write<T>(std::string_view, std::span<const T>, Meaning, std::size_t); \
  template std::vector<T> Group::read<T>(std::string_view) const;
DEM_NUMBERS(DEM_INSTANTIATE)

}  // namespace dem::hdf5
