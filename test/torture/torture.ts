/** Writes, kills and rewrites without mercy: one line of JSON a measure. Ends with 1 when anything was lost. */
import { addingAtOnce, addingBesideAnEditor, killing, type Measure } from './measures.ts';

const measures: readonly (() => Promise<Measure>)[] = [
  () => killing(500),
  () => addingAtOnce(2, 200),
  () => addingAtOnce(5, 200),
  () => addingBesideAnEditor(2, 200, 150),
];
process.stderr.write(`Node ${process.versions.node}, ${process.platform} ${process.arch}; it takes some minutes.\n`);
for (const take of measures) {
  const measure = await take();
  process.stdout.write(`${JSON.stringify(measure)}\n`);
  if (measure.lost + measure.doubled + measure.damaged > 0) process.exitCode = 1;
}
