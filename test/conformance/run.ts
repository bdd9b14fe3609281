import { parseArgs } from 'node:util';
import { resolveConfiguration } from '../../src/settings/configuration.ts';
import { UsageError } from '../../src/settings/errors.ts';
import { systemClock } from '../../src/system/clock.ts';
import { isConformant, runSuite } from './suite.ts';
import { formatTable, summarise } from './table.ts';

/**
 * Checks a deployment of the service against `src/service/README.md`: `npm run conformance -- --base-url URL [--write]
 * [--header NAME] [--profile track123]`, with the API key in `PARCEL_MONITOR_API_KEY`. Without `--write`, the account
 * is not changed. With it, fictional numbers are registered, which may cost credit, and deleted again. Exits with 0 if
 * all stated facts hold.
 */

/** Prints to standard error. Only the table is printed to standard output. */
const log = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const apiKeyVariable = 'PARCEL_MONITOR_API_KEY';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      profile: { type: 'string' },
      header: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const { 'base-url': baseUrlText, profile } = values;
  const configuration = resolveConfiguration({
    options: {
      ...(baseUrlText === undefined ? {} : { baseUrl: baseUrlText }),
      ...(profile === undefined ? {} : { profile }),
    },
    environment: process.env,
    file: {},
    systemZone: () => 'UTC',
  });
  const { baseUrl } = configuration;
  const apiKey = process.env[apiKeyVariable] ?? '';
  if (baseUrl === null) throw new UsageError('No deployment given. Use --base-url URL or --profile track123.');
  if (apiKey === '') throw new UsageError(`Set ${apiKeyVariable} to the API key.`);
  log(`Checking ${baseUrl.href}${values.write ? ', with writes' : ', read-only'}.`);
  const results = await runSuite({
    baseUrl,
    apiKey,
    header: values.header ?? configuration.header,
    write: values.write,
    clock: systemClock,
    random: Math.random,
    onResult: ({ check, state }) => {
      if (state === 'differs') log(`differs: ${check.title}`);
    },
  });
  process.stdout.write(`${formatTable(results)}\n`);
  log(summarise(results));
  return isConformant(results) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  // parseArgs throws a TypeError with its own code for wrong options.
  const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  if (!isUsage) throw error;
  log(error.message);
  process.exitCode = 2;
}
