// Charts.
export const CHART_STYLES = `
.chart { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
.chart figcaption { display: flex; flex-wrap: wrap; gap: 0 8px; font-size: 14px; line-height: 20px; }
.chart-unit { color: var(--text-soft); }
.chart-body { display: flex; }
.chart-body svg { display: block; overflow: visible; }
.chart-axis { flex: none; }
.chart-plot { flex: 1; min-inline-size: 0; }
.chart text { fill: var(--text-soft); font: 12px/16px var(--sans); font-variant-numeric: tabular-nums; }
.chart-grid { stroke: var(--line); }
.chart-zero { stroke: var(--line-strong); }
.chart-grid, .chart-zero { shape-rendering: crispEdges; }
.chart-bar { fill: var(--accent-line); }
.chart-area { fill: var(--accent-soft); }
.chart-line { fill: none; stroke: var(--accent-line); stroke-width: 2; vector-effect: non-scaling-stroke;
  stroke-linejoin: round; }
.chart-dot { fill: var(--accent-line); stroke: var(--surface-raised); stroke-width: 2; opacity: 0; }
.chart-hit { fill: transparent; }
.chart-point:hover .chart-hit { fill: var(--surface-sunken); }
.chart-point:hover .chart-bar { fill: var(--accent-ink); }
.chart-point:hover .chart-dot { opacity: 1; }
.chart-empty { display: grid; place-items: center; block-size: 200px; max-inline-size: none; border-radius: 8px;
  background: var(--surface); color: var(--text-soft); font-size: 14px; }
.chart-table { font-size: 13px; line-height: 20px; }
.chart-table summary { inline-size: fit-content; color: var(--text-soft); cursor: pointer; }
.chart-table summary:hover { color: var(--text); }
.chart-table table { margin-block-start: 8px; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.chart-table :is(th, td) { padding-block: 4px; padding-inline: 0 24px; border-block-end: 1px solid var(--line); font-weight: 400;
  text-align: start; }
.chart-table thead th { color: var(--text-soft); font-weight: 500; }
.chart-table .end { padding-inline: 0; text-align: end; }
@media (max-width: 599px) { .chart .minor { display: none; } }
`
