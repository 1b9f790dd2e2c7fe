// Which memories are worth a closer look.
import type { Matches } from './matches.ts'
import { MAX_CANDIDATES, MAX_SEEDS, SPILL } from './weights.ts'

/** The best matches and their neighbours; by their `seq`, the likeliest first. */
export function candidatesOf({ of, seqs, scores }: Matches): number[] {
  // Numbers alone sort in a tenth of the time that matches take.
  const least = scores.slice().sort().at(-MAX_SEEDS) ?? 0
  const seeds: { seq: number; score: number }[] = []
  for (const [row, score] of scores.entries()) if (score >= least) seeds.push({ seq: seqs[row] ?? 0, score })
  seeds.sort((a, b) => b.score - a.score || a.seq - b.seq)
  const likelihoods = new Map<number, number>()
  for (const { seq, score } of seeds.slice(0, MAX_SEEDS)) {
    const session = of(seq)?.session ?? 0
    for (const [distance, share] of SPILL.entries()) {
      for (const neighbour of distance === 0 ? [seq] : [seq - distance, seq + distance]) {
        // Where its session ends, only the memories after it could tell.
        if (neighbour < session) continue
        likelihoods.set(neighbour, (likelihoods.get(neighbour) ?? 0) + score * share)
      }
    }
  }
  return [...likelihoods]
    .sort(([a, likelihoodOfA], [b, likelihoodOfB]) => likelihoodOfB - likelihoodOfA || a - b)
    .slice(0, MAX_CANDIDATES)
    .map(([seq]) => seq)
}
