#include "apps/lammps/exchange.hpp"

#include <algorithm>
#include <tuple>

namespace dem {
namespace {

enum Tag { tag_plan = 1, tag_pass };

bool sends_turns(const Bodies& bodies) { return !bodies.evaluated_rotation.empty(); }

}  // namespace

std::size_t motion_doubles(const Bodies& bodies, bool plane) { return plane ? 6 : sends_turns(bodies) ? 12 : 9; }

void Exchange::plan(std::vector<Copy> copies, const std::function<std::uint32_t(std::uint32_t)>& place_of) {
  copies_ = copies.size();
  std::ranges::sort(copies, {}, [](const Copy& c) { return std::tie(c.owner, c.number); });
  int ranks = 0;
  MPI_Comm_size(world_, &ranks);
  std::vector<int> asks(std::size_t(ranks), 0);
  std::vector<std::vector<std::uint32_t>> numbers;  // to each owner
  neighbours_.clear();
  for (const Copy& copy : copies) {
    if (neighbours_.empty() || neighbours_.back().rank != copy.owner) {
      neighbours_.push_back({copy.owner, {}, {}, {}, {}});
      numbers.emplace_back();
      asks[std::size_t(copy.owner)] = 1;
    }
    neighbours_.back().copies.push_back(copy.place);
    numbers.back().push_back(copy.number);
  }
  // How many ranks ask this one. None asks again before all came here, so the answers below cannot be of another plan.
  int asked = 0;
  MPI_Reduce_scatter_block(asks.data(), &asked, 1, MPI_INT, MPI_SUM, world_);
  requests_.resize(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    MPI_Isend(numbers[k].data(), int(numbers[k].size()), MPI_UINT32_T, neighbours_[k].rank, tag_plan, world_,
              &requests_[k]);
  for (; asked > 0; --asked) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, tag_plan, world_, &status);
    int count = 0;
    MPI_Get_count(&status, MPI_UINT32_T, &count);
    std::vector<std::uint32_t> wanted(std::size_t(count), 0);
    MPI_Recv(wanted.data(), count, MPI_UINT32_T, status.MPI_SOURCE, tag_plan, world_, MPI_STATUS_IGNORE);
    const auto same = std::ranges::find(neighbours_, status.MPI_SOURCE, &Neighbour::rank);
    Neighbour& from =
        same != neighbours_.end() ? *same : neighbours_.emplace_back(Neighbour{status.MPI_SOURCE, {}, {}, {}, {}});
    for (const std::uint32_t number : wanted) from.grains.push_back(place_of(number));
  }
  MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  std::ranges::sort(neighbours_, {}, &Neighbour::rank);  // the order of their loads in a sum
}

template <class ValuesOf, class Take>
void Exchange::pass(Places from, Places to, std::size_t each, ValuesOf&& values_of, Take&& take) {
  requests_.clear();
  for (Neighbour& other : neighbours_) {
    other.in.resize(each * (other.*to).size());
    if (!other.in.empty())
      MPI_Irecv(other.in.data(), int(other.in.size()), MPI_DOUBLE, other.rank, tag_pass, world_,
                &requests_.emplace_back());
  }
  for (Neighbour& other : neighbours_) {
    other.out.resize(each * (other.*from).size());
    double* next = other.out.data();
    for (const std::uint32_t place : other.*from) values_of(place, [&next](double& value) { *next++ = value; });
    if (!other.out.empty())
      MPI_Isend(other.out.data(), int(other.out.size()), MPI_DOUBLE, other.rank, tag_pass, world_,
                &requests_.emplace_back());
  }
  const double packed = MPI_Wtime();
  MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  waited_ += MPI_Wtime() - packed;
  for (const Neighbour& other : neighbours_) {
    const double* next = other.in.data();
    for (const std::uint32_t place : other.*to) values_of(place, [&](double& value) { take(value, *next++); });
  }
}

void Exchange::send_motion(Bodies& bodies) {
  const auto x = bodies.position[0].stored(), moves = bodies.position[1].stored();
  const auto angle = bodies.rotation[0].stored(), turn = bodies.rotation[1].stored();
  const bool turns = sends_turns(bodies);
  const auto values_of = [&](std::uint32_t p, auto&& f) {
    if (plane_) {
      for (double* value : {&x[p].x, &x[p].y, &moves[p].x, &moves[p].y, &angle[p].z, &turn[p].z}) f(*value);
      return;
    }
    for (Vec3* v : {&x[p], &moves[p], &turn[p]})
      for (double* value : {&v->x, &v->y, &v->z}) f(*value);
    if (turns)
      for (double* value : {&angle[p].x, &angle[p].y, &angle[p].z}) f(*value);
  };
  pass(&Neighbour::grains, &Neighbour::copies, motion_doubles(bodies, plane_), values_of,
       [](double& value, double sent) { value = sent; });
}

void Exchange::add_loads(Bodies& bodies) {
  const auto push = bodies.force.stored(), twist = bodies.torque.stored();
  const auto values_of = [&](std::uint32_t p, auto&& f) {
    if (plane_)
      for (double* value : {&push[p].x, &push[p].y, &twist[p].z}) f(*value);
    else
      for (Vec3* v : {&push[p], &twist[p]})
        for (double* value : {&v->x, &v->y, &v->z}) f(*value);
  };
  pass(&Neighbour::copies, &Neighbour::grains, load_doubles(plane_), values_of,
       [](double& value, double sent) { value += sent; });
}

void Exchange::add_to_owners(std::span<double> numbers, std::span<const std::uint32_t> number_at) {
  const auto values_of = [&](std::uint32_t p, auto&& f) { f(numbers[number_at[p]]); };
  pass(&Neighbour::copies, &Neighbour::grains, 1, values_of, [](double& value, double sent) { value += sent; });
}

}  // namespace dem
