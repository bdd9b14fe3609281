/**
 * Sends corrupted responses to client and webhook: `npm run fuzz -- [--seed N] [--cases N] [--http N]`. Prints progress
 * on standard error. Exits with 1 at the first response that breaks an invariant, and prints it in its smallest form.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { batchSize, runFuzz } from './run-fuzz.ts';

const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    note(`--${name} takes a whole number of up to nine digits, not "${text}".`);
    process.exit(2);
  }
  return Number(text);
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    cases: { type: 'string', default: '100000' },
    http: { type: 'string', default: '3000' },
  },
});
const seed = wholeNumber(values.seed, 'seed');
const cases = wholeNumber(values.cases, 'cases');
const httpCases = wholeNumber(values.http, 'http');

note(`Seed ${seed}: ${cases} cases from memory, ${httpCases} over HTTP.`);
const startedAt = performance.now();
const broken = await runFuzz({
  seed,
  cases,
  httpCases,
  onProgress: (done, all) => {
    if (done % (10 * batchSize) === 0 || done === all) note(`${done} of ${all}`);
  },
});
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
if (broken === null) {
  process.stdout.write(`All ${cases + httpCases} cases held, seed ${seed}, ${seconds} s.\n`);
} else {
  const again = broken.way === 'memory' ? `--cases ${batchSize} --http 0` : `--cases 0 --http ${batchSize}`;
  // Escaped, because such responses target the terminal.
  const payload = JSON.stringify(broken.payload).replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  process.stdout.write(
    [
      `Broken after ${seconds} s, from ${broken.way}: ${JSON.stringify(broken.reason)}`,
      `call     ${broken.fuzzCase.call}`,
      `changes  ${JSON.stringify(broken.fuzzCase.mutations)}`,
      `wrapping ${JSON.stringify(broken.fuzzCase.wrapping)}`,
      `body     ${payload}`,
      `again    npm run fuzz -- --seed ${broken.seed} ${again}`,
      '',
    ].join('\n'),
  );
  process.exitCode = 1;
}
