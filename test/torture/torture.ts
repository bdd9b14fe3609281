/**
 * Writes, kills and rewrites without mercy: one line of JSON a measure. `--store postgres` does so with a database, whose
 * server is tortured as well. Ends with 1 when anything was lost.
 */
import { parseArgs } from 'node:util';
import { builtCli } from '../support/built-cli.ts';
import { cuttingStatements, fillingDisk, killingClients, killingServer } from './database-measures.ts';
import { losingTheLease } from './losing-the-lease.ts';
import type { Measure } from './measure.ts';
import { addingAtOnce, addingBesideAnEditor, killing } from './measures.ts';

/** Null where the system cannot do it. */
type Taking = () => Promise<Measure | null>;

/** In each way as often as in the others. */
const losingLeases = (times: number): Promise<Measure> => {
  const each = ['silenced', 'stopped', 'killed', 'refused'] as const;
  const ways = Array.from({ length: times }, (_, index) => each[index % each.length] ?? 'killed');
  return losingTheLease({ cli: builtCli, ways, tell: (line) => void process.stderr.write(`${line}\n`) });
};

const ofStores: Readonly<Record<string, readonly Taking[]>> = {
  file: [
    () => killing(500),
    () => addingAtOnce(2, 200),
    () => addingAtOnce(5, 200),
    () => addingBesideAnEditor(2, 200, 150),
  ],
  postgres: [
    () => cuttingStatements(),
    () => killingServer(50),
    () => fillingDisk(5),
    () => killingClients(500),
    () => losingLeases(60),
  ],
};
const { store } = parseArgs({ options: { store: { type: 'string', default: 'file' } } }).values;
const measures = ofStores[store];
if (measures === undefined) throw new RangeError(`--store must be ${Object.keys(ofStores).join(' or ')}.`);
process.stderr.write(`Node ${process.versions.node}, ${process.platform} ${process.arch}; it takes some minutes.\n`);
for (const take of measures) {
  const measure = await take();
  if (measure === null) {
    process.stderr.write('No small disk can be mounted here (it takes root, on Linux): a full disk is left out.\n');
    continue;
  }
  process.stdout.write(`${JSON.stringify(measure)}\n`);
  if (measure.lost + measure.doubled + measure.damaged > 0) process.exitCode = 1;
}
