import { sweepSome, sweepsOf } from '../../src/jobs/sweeps.ts'
import type { Service } from '../../src/service.ts'

/** Everything that is swept now and then, at once and to its end. */
export async function sweepAll({ database, config }: Pick<Service, 'database' | 'config'>): Promise<void> {
  for (const sweep of sweepsOf(config.retention)) while (await sweepSome(database, sweep));
}
