// A chart drawn as SVG. Positions along the time are percentages and texts have a size of their own, so it takes
// whatever width there is and stays readable on a phone.
import { scaleBand, scaleLinear } from 'd3-scale'
import type { FC } from 'hono/jsx'
import { language, localeOf, pieces, say } from '../../../src/language/say.ts'
import { elementId } from './field.tsx'
import { creditsText, decimal, SHORT_DAY } from './values.tsx'

type Points = readonly { label: string; value: number; text: string }[]

const HEIGHT = 200
const TOP = 8
const FLOOR = HEIGHT - 24

/** Credits spent on each day. */
export const SpentChart: FC<{ title: string; daily: readonly { date: string; spent: number }[] }> = ({
  title,
  daily
}) => (
  <DayChart
    title={title}
    unit={say('credits a day')}
    daily={daily.map(({ date, spent }) => ({ date, value: spent, text: creditsText(spent) }))}
  />
)

interface DayChartProps {
  title: string
  unit: string
  daily: readonly { date: string; value: number /** The value as one reads it. */; text: string }[]
}

export const DayChart: FC<DayChartProps> = ({ title, unit, daily }) => {
  const id = elementId('chart')
  const points = daily.map(({ date, ...point }) => ({ label: SHORT_DAY(date), ...point }))
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <b>{title}</b> <span class="chart-unit">{unit}</span>
      </figcaption>
      {points.every(({ value }) => value === 0) ? (
        <p class="chart-empty">{say('Nothing in this time yet.')}</p>
      ) : (
        <Plot points={points} />
      )}
      {points.length === 0 ? null : <Numbers title={title} unit={unit} points={points} />}
    </figure>
  )
}

const Plot: FC<{ points: Points }> = ({ points }) => {
  const values = points.map(({ value }) => value)
  // From zero, or from the lowest value below it, up to a round number.
  const y = scaleLinear([Math.min(0, ...values), Math.max(0, ...values)], [FLOOR, TOP]).nice(4)
  const x = scaleBand([...points.keys()], [0, 100])
    .paddingInner(0.3)
    .paddingOuter(0.1)
  const start = (index: number) => x(index) ?? 0
  const center = (index: number) => start(index) + x.bandwidth() / 2
  const ticks = y.ticks(4).map((tick) => ({ tick, text: shortNumber(tick) }))
  const axisWidth = Math.max(...ticks.map(({ text }) => text.length)) * 7 + 10
  return (
    <div class="chart-body">
      <svg class="chart-axis" width={axisWidth} height={HEIGHT} aria-hidden="true">
        {ticks.map(({ tick, text }) => (
          <text x={axisWidth - 8} y={y(tick)} text-anchor="end" dominant-baseline="middle">
            {text}
          </text>
        ))}
      </svg>
      <svg class="chart-plot" width="100%" height={HEIGHT} aria-hidden="true">
        {ticks.map(({ tick }) => (
          <line class={tick === 0 ? 'chart-zero' : 'chart-grid'} x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />
        ))}
        {points.map(({ label, value, text }, index) => (
          <g class="chart-point">
            <title>{`${label}: ${text}`}</title>
            <rect
              class="chart-hit"
              x={`${start(index) - x.step() * 0.15}%`}
              y={TOP}
              width={`${x.step()}%`}
              height={FLOOR - TOP}
            />
            <rect
              class="chart-bar"
              x={`${start(index)}%`}
              y={Math.min(y(value), y(0))}
              width={`${x.bandwidth()}%`}
              height={Math.abs(y(value) - y(0))}
              rx="2"
            />
          </g>
        ))}
        {labelled(points.length).map(({ index, isMinor }) => (
          <text
            class={isMinor ? 'minor' : undefined}
            x={`${center(index)}%`}
            y={HEIGHT - 4}
            text-anchor={anchorOf(center(index))}
          >
            {points[index]?.label}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** The same as a table: for screen readers, and for whoever wants the numbers. */
const Numbers: FC<{ title: string; unit: string; points: Points }> = ({ title, unit, points }) => (
  <details class="chart-table">
    <summary>
      {pieces('Show the numbers<of>: {title}</of>', {
        title,
        of: (words) => <span class="sr">{words}</span>
      })}
    </summary>
    <div>
      <table>
        <caption class="sr">{`${title}: ${unit}`}</caption>
        <thead>
          <tr>
            <th scope="col">{say('When')}</th>
            <th scope="col" class="end">
              {unit}
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ label, value }) => (
            <tr>
              <th scope="row">{label}</th>
              <td class="end">{decimal(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)

/** At most five labels, evenly spread; two of them are left out where it is narrow. */
function labelled(count: number) {
  const shown = Math.min(count, 5)
  return Array.from({ length: shown }, (_, place) => ({
    index: shown === 1 ? 0 : Math.round((place * (count - 1)) / (shown - 1)),
    isMinor: place % 2 === 1
  }))
}

/** Labels near an edge grow inwards. */
const anchorOf = (percent: number): 'start' | 'middle' | 'end' =>
  percent < 8 ? 'start' : percent > 92 ? 'end' : 'middle'

const shortNumber = (value: number): string =>
  value.toLocaleString(localeOf(language()), {
    notation: 'compact',
    maximumFractionDigits: Math.abs(value) < 1 ? 3 : 1
  })
