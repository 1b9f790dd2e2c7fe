// Charts drawn as SVG. Positions along the time are percentages and texts have a size of their own, so a chart takes
// whatever width there is and stays readable on a phone.
import { scaleBand, scaleLinear, scalePoint } from 'd3-scale'
import { area, line } from 'd3-shape'
import type { Child, FC } from 'hono/jsx'
import { elementId } from './ids.ts'

interface ChartProps {
  title: string
  /** What the numbers count: “credits a day”. */
  unit: string
  points: readonly ChartPoint[]
}

interface ChartPoint {
  label: string
  value: number
  /** Said on hover instead of “label: value unit”. */
  hint?: string | undefined
}

const HEIGHT = 200
/** Room above the highest tick's text and below the bars for theirs. */
const TOP = 8
const FLOOR = HEIGHT - 24

export const BarChart: FC<ChartProps> = (props) => {
  const { points } = props
  const x = scaleBand(
    points.map((_, index) => index),
    [0, 100]
  )
    .paddingInner(0.3)
    .paddingOuter(0.1)
  const y = heightScale(points)
  const width = x.bandwidth()
  return (
    <ChartFrame {...props} y={y} centerOf={(index) => (x(index) ?? 0) + width / 2}>
      {points.map((point, index) => (
        <g class="chart-point">
          <title>{hintOf(point, props.unit)}</title>
          <rect
            class="chart-hit"
            x={`${(x(index) ?? 0) - x.step() * 0.15}%`}
            y={TOP}
            width={`${x.step()}%`}
            height={FLOOR - TOP}
          />
          <rect
            class="chart-bar"
            x={`${x(index)}%`}
            y={Math.min(y(point.value), y(0))}
            width={`${width}%`}
            height={Math.abs(y(point.value) - y(0))}
            rx="2"
          />
        </g>
      ))}
    </ChartFrame>
  )
}

export const LineChart: FC<ChartProps> = (props) => {
  const { points } = props
  const x = scalePoint(
    points.map((_, index) => index),
    [0, 100]
  ).padding(0.5)
  const y = heightScale(points)
  const at = (index: number) => x(index) ?? 50
  const indexed = points.map((point, index): [number, number] => [at(index), y(point.value)])
  const step = points.length > 1 ? x.step() : 100
  return (
    <ChartFrame {...props} y={y} centerOf={at}>
      {/* The line alone is stretched to the width; its stroke isn't. */}
      <svg
        viewBox={`0 0 100 ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class="chart-area" d={area().y0(y(0))(indexed) ?? ''} />
        <path class="chart-line" d={line()(indexed) ?? ''} />
      </svg>
      {points.map((point, index) => (
        <g class="chart-point">
          <title>{hintOf(point, props.unit)}</title>
          <rect
            class="chart-hit"
            x={`${at(index) - step / 2}%`}
            y={TOP}
            width={`${step}%`}
            height={FLOOR - TOP}
          />
          <circle class="chart-dot" cx={`${at(index)}%`} cy={y(point.value)} r="3.5" />
        </g>
      ))}
    </ChartFrame>
  )
}

type HeightScale = ReturnType<typeof heightScale>

/** From zero, or from the lowest value below it, up to a round number. */
function heightScale(points: readonly ChartPoint[]) {
  const values = points.map(({ value }) => value)
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  return scaleLinear([lowest, highest === lowest ? lowest + 1 : highest], [FLOOR, TOP]).nice(4)
}

interface ChartFrameProps extends ChartProps {
  y: HeightScale
  /** Where a point stands, in percent. */
  centerOf: (index: number) => number
  children?: Child
}

const ChartFrame: FC<ChartFrameProps> = ({ title, unit, points, y, centerOf, children }) => {
  const id = elementId('chart')
  const isEmpty = points.every(({ value }) => value === 0)
  const ticks = isEmpty ? [0] : y.ticks(4)
  const texts = ticks.map((tick) => shortNumber(tick))
  const axisWidth = Math.max(...texts.map((text) => text.length)) * 7 + 10
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <b>{title}</b> <span class="chart-unit">{unit}</span>
      </figcaption>
      {isEmpty ? (
        <p class="chart-empty">Nothing in this time yet.</p>
      ) : (
        <div class="chart-body">
          <svg class="chart-axis" width={axisWidth} height={HEIGHT} aria-hidden="true">
            {ticks.map((tick, index) => (
              <text x={axisWidth - 8} y={y(tick)} text-anchor="end" dominant-baseline="middle">
                {texts[index]}
              </text>
            ))}
          </svg>
          <svg class="chart-plot" width="100%" height={HEIGHT} aria-hidden="true">
            {ticks.map((tick) => (
              <line
                class={tick === 0 ? 'chart-zero' : 'chart-grid'}
                x1="0"
                x2="100%"
                y1={y(tick)}
                y2={y(tick)}
              />
            ))}
            {children}
            {labelled(points.length).map(({ index, isMinor }) => (
              <text
                class={isMinor ? 'minor' : undefined}
                x={`${centerOf(index)}%`}
                y={HEIGHT - 4}
                text-anchor={anchorOf(centerOf(index))}
              >
                {points[index]?.label}
              </text>
            ))}
          </svg>
        </div>
      )}
      {points.length === 0 ? null : <Numbers title={title} unit={unit} points={points} />}
    </figure>
  )
}

/** The same as a table: for screen readers, and for whoever wants the numbers. */
const Numbers: FC<ChartProps> = ({ title, unit, points }) => (
  <details class="chart-table">
    <summary>
      Show the numbers<span class="sr"> of {title}</span>
    </summary>
    <div>
      <table>
        <caption class="sr">
          {title}, {unit}
        </caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col" class="end">
              {unit}
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ label, value }) => (
            <tr>
              <th scope="row">{label}</th>
              <td class="end">{value.toLocaleString('en', { maximumFractionDigits: 6 })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)

/** At most five labels, evenly spread; two of them are left out where it is narrow. */
function labelled(count: number): { index: number; isMinor: boolean }[] {
  const shown = Math.min(count, 5)
  if (shown <= 1) return count === 1 ? [{ index: 0, isMinor: false }] : []
  return Array.from({ length: shown }, (_, place) => ({
    index: Math.round((place * (count - 1)) / (shown - 1)),
    isMinor: place % 2 === 1
  }))
}

/** Labels near an edge grow inwards. */
const anchorOf = (percent: number): 'start' | 'middle' | 'end' =>
  percent < 8 ? 'start' : percent > 92 ? 'end' : 'middle'

const shortNumber = (value: number): string =>
  value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: Math.abs(value) < 1 ? 3 : 1 })

const hintOf = ({ label, value, hint }: ChartPoint, unit: string): string =>
  hint ?? `${label}: ${value.toLocaleString('en', { maximumFractionDigits: 6 })} ${unit}`
