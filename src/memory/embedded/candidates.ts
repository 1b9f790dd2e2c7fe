// Which memories are worth a closer look.
import type { Matches } from './matches.ts'
import { MAX_CANDIDATES, MAX_SEEDS, SPILL } from './weights.ts'

/** The best matches and their neighbours; by their `seq`, the likeliest first. */
export function candidatesOf({ seqs, sessions, scores }: Matches): number[] {
  // Numbers alone sort in a tenth of the time that matches take.
  const least = scores.slice().sort().at(-MAX_SEEDS) ?? 0
  const seeds: { seq: number; session: number; score: number }[] = []
  for (let row = 0; row < seqs.length; row += 1) {
    const score = scores[row] ?? 0
    if (score >= least) seeds.push({ seq: seqs[row] ?? 0, session: sessions[row] ?? 0, score })
  }
  seeds.sort((a, b) => b.score - a.score || a.seq - b.seq)
  const likelihoods = new Map<number, number>()
  for (const { seq, session, score } of seeds.slice(0, MAX_SEEDS)) {
    for (let distance = 1 - SPILL.length; distance < SPILL.length; distance += 1) {
      const neighbour = seq + distance
      // Where its session ends, only the memories after it could tell.
      if (neighbour < session) continue
      const share = SPILL[Math.abs(distance)] ?? 0
      likelihoods.set(neighbour, (likelihoods.get(neighbour) ?? 0) + score * share)
    }
  }
  return [...likelihoods]
    .sort(([a, likelihoodOfA], [b, likelihoodOfB]) => likelihoodOfB - likelihoodOfA || a - b)
    .slice(0, MAX_CANDIDATES)
    .map(([seq]) => seq)
}
