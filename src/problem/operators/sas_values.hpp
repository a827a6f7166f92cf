#pragma once

#include <cstdint>
#include <functional>

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/operators/fillers.hpp"

// What the families of softmax attention by blocks are made of beside `fillers.hpp`.

namespace assay::operators {

/// One query of a case: tokens that it sees, its own included, and where its row of [.., head, width] starts.
struct QueryRow {
  std::int64_t visible, head, index;
};

/// Calls use(QueryRow) for every query and head of keys, in the order of memory.
void for_each_query(const Case& c, const std::function<void(const QueryRow&)>& use);

/// Full blocks before a query's own.
std::int64_t history_of(const Case& c, const QueryRow& query);

/// For every query min(K, C) blocks of its history in ascending order, then -1; half of the time one choice for 64
/// queries, so that tiles of keys can be skipped.
void fill_selection(Case& c, Draw& draw);

/// Log-gates by one draw each, if the case has any.
void fill_gates(Case& c, Draw& draw, double (*log_gate)(Draw&));

/// Of the rules that make gates of scores softmax half of the time.
void draw_normalisation(Case& c, Draw& draw);

/// As `each`, but equal for all blocks of a row.
Filler same_for_blocks(double (*value)(Draw&));

}  // namespace assay::operators
