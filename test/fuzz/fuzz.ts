/**
 * Sends corrupted responses to the client and the webhook: `npm run fuzz -- [--seed N] [--cases N] [--http N]`. Prints
 * progress on standard error. Exits with 1 at the first response that breaks an invariant, and prints it in its
 * smallest form.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { batchSize, runFuzz } from './run-fuzz.ts';

const log = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    log(`--${name} must be a whole number of up to nine digits, not "${text}".`);
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

log(`Seed ${seed}: ${cases} cases in memory, ${httpCases} over HTTP.`);
const startedAt = performance.now();
const brokenCase = await runFuzz({
  seed,
  cases,
  httpCases,
  onProgress: (done, all) => {
    if (done % (10 * batchSize) === 0 || done === all) log(`${done} of ${all}`);
  },
});
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
if (brokenCase === null) {
  process.stdout.write(`All ${cases + httpCases} cases passed (seed ${seed}, ${seconds} s).\n`);
} else {
  const rerun = brokenCase.way === 'memory' ? `--cases ${batchSize} --http 0` : `--cases 0 --http ${batchSize}`;
  // Escaped, because such a response may attack the terminal.
  const payload = JSON.stringify(brokenCase.payload).replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  process.stdout.write(
    [
      `Broken after ${seconds} s, in ${brokenCase.way}: ${JSON.stringify(brokenCase.reason)}`,
      `call     ${brokenCase.fuzzCase.call}`,
      `changes  ${JSON.stringify(brokenCase.fuzzCase.mutations)}`,
      `wrapping ${JSON.stringify(brokenCase.fuzzCase.wrapping)}`,
      `body     ${payload}`,
      `rerun    npm run fuzz -- --seed ${brokenCase.seed} ${rerun}`,
      '',
    ].join('\n'),
  );
  process.exitCode = 1;
}
