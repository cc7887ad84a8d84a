#pragma once

#include "report/markup.h"

namespace tune::report {

/// What is read wrongly most often, for the section about the method.
Markup pitfalls();

/// The words of the report, for its end; opens by a click.
Markup glossary();

}  // namespace tune::report
