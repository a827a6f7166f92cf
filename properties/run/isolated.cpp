#include "run/isolated.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "problem/turn.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// What some jobs do; all others answer with their number.
enum class Mishap { none, crash, exit, hang, exception };

Mishap mishap_of(std::size_t i) {
  switch (i) {
    case 3:
      return Mishap::crash;
    case 5:
      return Mishap::exit;
    case 8:
      return Mishap::hang;
    case 11:
      return Mishap::exception;
    default:
      return Mishap::none;
  }
}

std::string job(std::size_t i) {
  switch (mishap_of(i)) {
    case Mishap::crash:
      std::raise(SIGKILL);
      break;
    case Mishap::exit:
      std::_Exit(0);
    case Mishap::hang:
      std::this_thread::sleep_for(std::chrono::hours(1));
      break;
    case Mishap::exception:
      throw std::runtime_error("what the job said");
    case Mishap::none:
      break;
  }
  return std::to_string(i);
}

Outcome mishaps() {
  constexpr std::size_t count = 24;
  std::vector<int> answers(count, 0);
  FirstFailure found;
  run_isolated(count, {.processes = 3, .seconds_per_job = 1}, job, [&](std::size_t i, const JobAnswer& answer) {
    ++answers[i];
    const bool mishap = mishap_of(i) != Mishap::none;
    found.note(holds_if(answer.crashed == mishap, fmt::format("job {}: crashed = {}", i, answer.crashed)));
    if (!mishap) found.note(same("answer", answer.text, std::to_string(i)));
    if (mishap) found.note(holds_if(!answer.text.empty(), fmt::format("job {} crashed and nothing is said", i)));
    if (mishap_of(i) == Mishap::exception) found.note(same("text", answer.text, std::string("what the job said")));
    return true;
  });
  for (std::size_t i = 0; i < count; ++i) found.note(same(fmt::format("answers of job {}", i), answers[i], 1));
  return found.outcome();
}

/// What threw may have spoilt its process.
Outcome fresh_process_after_exception() {
  std::vector<std::string> processes(3);
  const auto with_process = [](std::size_t i) -> std::string {
    if (i == 1) throw std::runtime_error(std::to_string(::getpid()));
    return std::to_string(::getpid());
  };
  run_isolated(3, {.processes = 1}, with_process, [&](std::size_t i, const JobAnswer& answer) {
    processes[i] = answer.text;
    return true;
  });
  if (processes[0] != processes[1]) return Outcome::fails("a process that answered was left");
  return holds_if(processes[1] != processes[2], "the process that threw goes on");
}

/// A job answers with the times between which it had its turn.
Outcome turns_apart() {
  struct Span {
    std::int64_t from, to;
  };
  std::vector<Span> turns;
  const auto job = [](std::size_t) {
    const auto time = [] { return std::chrono::steady_clock::now().time_since_epoch().count(); };
    const Turn turn;
    const auto from = time();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return fmt::format("{} {}", from, time());
  };
  run_isolated(9, {.processes = 3}, job, [&](std::size_t, const JobAnswer& answer) {
    std::istringstream text(answer.text);
    text >> turns.emplace_back().from >> turns.back().to;
    return true;
  });
  std::ranges::sort(turns, {}, &Span::from);
  for (std::size_t i = 1; i < turns.size(); ++i)
    if (turns[i].from < turns[i - 1].to) return Outcome::fails(fmt::format("turns {} and {} overlap", i - 1, i));
  return Outcome::holds();
}

/// Job 0 has its turn for ever; the others ask for theirs meanwhile.
Outcome hang_in_a_turn() {
  const auto job = [](std::size_t i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const Turn turn;
    if (i == 0) std::this_thread::sleep_for(std::chrono::hours(1));
    return std::to_string(i);
  };
  FirstFailure found;
  run_isolated(4, {.processes = 4, .seconds_per_job = 2}, job, [&](std::size_t i, const JobAnswer& answer) {
    found.note(holds_if(answer.crashed == (i == 0), fmt::format("job {}: {}", i, answer.text)));
    return true;
  });
  return found.outcome();
}

Outcome stopped_early() {
  int taken = 0;
  run_isolated(
      100, {.processes = 2}, [](std::size_t i) { return std::to_string(i); },
      [&](std::size_t, const JobAnswer&) { return ++taken < 5; });
  return same("answers taken", taken, 5);
}

}  // namespace

std::vector<Law> run_isolated_laws() {
  return {enumerated("run.a_crash_costs_one_job",
                     "a killed, a hung and a throwing process: every other job answers once", "", "processes", mishaps),
          enumerated("run.a_process_that_threw_is_not_used_again", "the next job runs in a fresh one", "", "processes",
                     fresh_process_after_exception),
          enumerated("run.turns_do_not_overlap", "of nine jobs in three processes", "", "processes", turns_apart),
          enumerated("run.a_hang_in_a_turn_costs_one_job", "those that wait for theirs are not late, and have it next",
                     "", "processes", hang_in_a_turn),
          enumerated("run.jobs_stop_when_enough_is_known", "no answer is taken after the one that says so", "",
                     "processes", stopped_early)};
}

}  // namespace assay
