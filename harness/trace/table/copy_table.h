#pragma once

#include "trace/table/table.h"
#include "trace/table/table_input.h"

namespace tune::table {

/// One row for each kind of copy and pair of memories ("Memcpy HtoD (Pageable -> Device)"), and one
/// for each kind of fill, by device time.
///
///     bytes, bandwidth    over the rows that say how many bytes; bandwidth is bytes ÷ their time
///     device_time         what the device took
///     host_time           what the calls that issued them took: of a pageable copy several times
///                         as much. Not known for rows whose call is not in the trace
///
/// Not applicable without a copy.
Table copy_table(const TableInput& input);

}  // namespace tune::table
