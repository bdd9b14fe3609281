/**
 * Measures the built program: one line of JSON a measure. Ratios are medians of runs in turn with a bare program on the
 * same machine; `spread` holds the quartiles. Needs `dist/`; `npm run bench` builds it first.
 */
import { performance } from 'node:perf_hooks';
import { applyOneRecord, heapAfterRefreshes, startWithMany } from './growth-measures.ts';
import { command, type Measure, movingTheSelection, startToFirstFrame } from './measures.ts';
import { openWorkshop } from './workshop.ts';

const startedAt = performance.now();
const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
const tell = (...measures: readonly Measure[]): void => {
  for (const measure of measures) process.stdout.write(`${JSON.stringify(measure)}\n`);
};

note(`Node ${process.versions.node}, ${process.platform} ${process.arch}; it takes four minutes or so.`);
const workshop = await openWorkshop();
try {
  for (const parcels of [10, 1000]) tell(...(await startToFirstFrame(workshop, parcels)));
  tell(await command(workshop, ['list'], 1000, 4));
  tell(await command(workshop, ['list', '--json'], 1000, 3));
  tell(await command(workshop, ['--version'], 0));
  for (const parcels of [20, 1000]) tell(...(await movingTheSelection(workshop, parcels)));
  tell(await startWithMany(workshop, 10_000, 10));
  tell(await heapAfterRefreshes());
  for (const parcels of [100, 1_000, 10_000]) tell(await applyOneRecord(parcels));
} finally {
  await workshop.close();
}
note(`It took ${Math.round((performance.now() - startedAt) / 1000)} s.`);
