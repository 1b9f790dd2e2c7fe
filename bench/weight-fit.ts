// Fits weights so that what holds an answer stands above what doesn't: a logistic choice among each question's
// candidates, solved by Newton's method. The same questions give the same weights, in whatever order.

/** What a search looked at for one question. */
export interface Judged {
  /** The features of each candidate. */
  candidates: readonly (readonly number[])[]
  /** Which of them hold the answer. */
  holds: readonly boolean[]
  /** How many memories hold it, found or not. */
  evidence: number
}

/** Holds a weight down that few questions speak for; a third or three times as much fits about as well. */
const PENALTY = 0.1
/** Further than this the curvature says little. */
const LARGEST_STEP = 2
const MAX_STEPS = 30
const ENOUGH = 1e-4

/** @param from where to start: the nearer, the sooner it is found */
export function fitWeights(questions: readonly Judged[], from: readonly number[]): number[] {
  let weights = [...from]
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { slope, curvature } = lossAt(questions, weights)
    const change = solve(curvature, slope)
    const largest = Math.max(...change.map(Math.abs))
    const share = Math.min(1, LARGEST_STEP / largest)
    weights = weights.map((weight, index) => weight - share * at(change, index))
    if (largest < ENOUGH) break
  }
  return weights
}

export const scoreOf = (features: readonly number[], weights: readonly number[]): number =>
  features.reduce((sum, feature, index) => sum + feature * at(weights, index), 0)

/** Of each memory that holds an answer against all that don't: `-log(e^s / (e^s + Σ e^other))`. */
function lossAt(questions: readonly Judged[], weights: readonly number[]) {
  const slope = weights.map((weight) => PENALTY * weight)
  const curvature = weights.map((_, row) =>
    weights.map((__, column): number => (row === column ? PENALTY : 0))
  )
  for (const { candidates, holds, evidence } of questions) {
    const scores = candidates.map((features) => scoreOf(features, weights))
    const highest = Math.max(...scores)
    for (const [held, features] of candidates.entries()) {
      if (!holds[held]) continue
      const rivals = candidates.flatMap((one, index) =>
        index === held || !holds[index] ? [{ one, share: Math.exp(at(scores, index) - highest) }] : []
      )
      const whole = rivals.reduce((sum, { share }) => sum + share, 0)
      const means = weights.map((_, index) =>
        rivals.reduce((sum, { one, share }) => sum + (share / whole) * at(one, index), 0)
      )
      for (const [row, mean] of means.entries())
        slope[row] = at(slope, row) + (mean - at(features, row)) / evidence
      for (const { one, share } of rivals) {
        const apart = one.map((value, index) => value - at(means, index))
        for (const [row, line] of curvature.entries()) {
          const part = ((share / whole) * at(apart, row)) / evidence
          for (let column = 0; column < line.length; column += 1)
            line[column] = at(line, column) + part * at(apart, column)
        }
      }
    }
  }
  return { slope, curvature }
}

/** By Gauss; the curvature is positive definite, so no pivot is looked for. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, at(right, index)])
  for (const [index, pivot] of rows.entries()) {
    for (const row of rows) {
      const factor = row === pivot ? 0 : at(row, index) / at(pivot, index)
      if (factor === 0) continue
      for (let column = index; column < row.length; column += 1)
        row[column] = at(row, column) - factor * at(pivot, column)
    }
  }
  return rows.map((row, index) => at(row, rows.length) / at(row, index))
}

const at = (numbers: readonly number[], index: number): number => numbers[index] ?? 0
