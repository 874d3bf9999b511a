// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace limen::report {

/// The page's look: one column that a phone can show, light or dark as the reader's system is.
/// gnuplot writes its axes in black on a white sheet; here they take the page's ink.
inline constexpr std::string_view page_style = R"css(:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2128; --faint: #59636e; --rule: #d8dee4; --card: #f6f8fa;
  --notice: #fff6dc; --notice-rule: #c9971a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161b; --ink: #e2e8ee; --faint: #9aa5b1; --rule: #323a44; --card: #1a2027;
    --notice: #2b2410; --notice-rule: #c9971a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 4rem; max-width: 72rem;
  background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1 { font-size: clamp(1.4rem, 5vw, 1.9rem); line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 0.6rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 0 0 0.5rem; }
p, ul { max-width: 46rem; }
ul { padding-left: 1.2rem; }
.says { max-width: none; }
li { margin: 0.25rem 0; }
.lead, figcaption { color: var(--faint); }
.notice { background: var(--notice); border-left: 4px solid var(--notice-rule); padding: 0.6rem 0.9rem;
  border-radius: 0 6px 6px 0; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: separate; border-spacing: 0; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.4rem 0.75rem; border-bottom: 1px solid var(--rule); white-space: nowrap; }
thead th {
  color: var(--faint); font-weight: 600; vertical-align: bottom; border-bottom-width: 2px; white-space: normal;
}
tbody th { font-weight: 600; position: sticky; left: 0; background: var(--paper); }
tbody tr:hover > * { background: var(--card); }
.num { text-align: right; }
.txt { text-align: left; }
.aside { color: var(--faint); }
.first { border-left: 1px solid var(--rule); }
.figures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); }
figure { margin: 0; padding: 0.9rem; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; }
figcaption { font-size: 0.87rem; }
figure svg { display: block; width: 100%; height: auto; font-family: inherit; }
figure svg rect[fill="#ffffff"] { fill: none; }
figure svg [color="black"] { color: var(--ink); }
figure svg [stroke="black"] { stroke: var(--ink); }
figure svg [fill="black"] { fill: var(--ink); font-family: inherit; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; font-weight: 600; }
pre { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.9rem; overflow-x: auto;
  font-size: 0.85rem; line-height: 1.45; }
@media (max-width: 36rem) {
  th, td { padding: 0.35rem 0.5rem; }
  tbody th { min-width: 7.5rem; white-space: normal; }
  figure { padding: 0.6rem; }
}
)css";

}  // namespace limen::report
