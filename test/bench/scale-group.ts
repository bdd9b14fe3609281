import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BenchOptions } from './bench-options.ts';
import { spreadOf } from './figures.ts';
import { type Finding, missingFinding, plainFinding } from './finding.ts';

const simulations = [
  { parcels: 10_000, days: 30, aim: 120 },
  { parcels: 100_000, days: 1, aim: 180 },
] as const;

/** How long simulations of large watchlists take, which is minutes each: only when that is wished. */
export async function measureScale({ isLong }: BenchOptions): Promise<readonly Finding[]> {
  const script = fileURLToPath(new URL('../simulate/simulate.ts', import.meta.url));
  const findings: Finding[] = [];
  for (const { parcels, days, aim } of simulations) {
    const command = `npm run simulate -- --parcels ${parcels} --days ${days}`;
    const about = { group: 'Scale', name: `simulate ${parcels.toLocaleString('en')} parcels, ${days} d`, aim };
    if (!isLong) {
      findings.push(missingFinding({ ...about, note: `with --long, or ${command}` }, 's'));
      continue;
    }
    const startedAt = performance.now();
    await promisify(execFile)(process.execPath, [script, '--parcels', String(parcels), '--days', String(days)]);
    findings.push(plainFinding(about, 's', spreadOf([(performance.now() - startedAt) / 1000])));
  }
  return findings;
}
