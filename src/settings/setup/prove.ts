import { dirname } from 'node:path';
import { StoreError } from '../../lib/store-errors.ts';
import { type ApiKeySource, fetchApiKey, usableKey } from '../api-key.ts';
import { proveService } from '../doctor/service-proof.ts';
import { ApiKeyMissingError, UsageError } from '../errors.ts';
import { chooseProxy, proxyInUse } from '../proxy.ts';
import { commandFrom, commandWords } from '../usable-values.ts';
import {
  assertOwn,
  type Configured,
  chosenService,
  readConfigured,
  type SetupPlaces,
  withSessionOf,
} from './configured.ts';
import type { KeySource, Proof, ProofRequest } from './effects.ts';

/** Time limit for a command that prints the key, in milliseconds: the user may have to type a passphrase. */
const patientLimitMs = 60_000;

/** What we check before sending anything, with the step that fixes it. */
const stages = {
  address: { name: 'service', found: 'cannot be used', mistakeIn: 'service' },
  proxy: { name: 'proxy', found: 'cannot be used', mistakeIn: 'elsewhere' },
  key: { name: 'API key', found: 'cannot be used', mistakeIn: 'key' },
  // A watchlist in a database may be unreachable, or belong to another key.
  watchlist: { name: 'store', found: 'cannot be used', mistakeIn: 'elsewhere' },
} as const;

/** Sends the same request as `doctor`, with a service and a key that are not saved yet. */
export async function prove(places: SetupPlaces, request: ProofRequest): Promise<Proof> {
  const { key: source, signal } = request;
  let stage: keyof typeof stages = 'address';
  let isKeyFile = false;
  try {
    const configured = await readConfigured(places);
    assertOwn(configured);
    isKeyFile = source.kind === 'present' && configured.configuration.apiKey.kind === 'file';
    const service = chosenService(request.service);
    stage = 'proxy';
    const proxy = chooseProxy(service.baseUrl, places.context.environment);
    proxyInUse(proxy);
    stage = 'key';
    const apiKey = await keyOf(source, places, configured, signal);
    stage = 'watchlist';
    const configuration = { ...configured.configuration, ...service, proxy, apiKey };
    return await withSessionOf(places, configuration, (session) => proveService(session, signal));
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ApiKeyMissingError || error instanceof StoreError))
      throw error;
    const { mistakeIn, ...check } = stages[stage];
    // The error's own advice is about a configured key.
    const advice = isKeyFile ? 'Enter the key again.' : 'Run it in another terminal to see why.';
    const isOfKey = stage === 'key' && error.advice !== null;
    const problem = isOfKey ? `${error.what} ${advice}` : error.message;
    return {
      checks: [{ ...check, status: 'fail', advice: problem }],
      failure: error,
      problem,
      // Stopping a command is not a mistake.
      mistakeIn: signal.aborted ? null : mistakeIn,
      summary: 'Nothing was sent.',
    };
  }
}

/** Fetches the key to test. Rejects as `fetchApiKey`. */
async function keyOf(
  source: KeySource,
  { context, keyFound, paths }: SetupPlaces,
  { configuration }: Configured,
  signal: AbortSignal,
): Promise<ApiKeySource & { readonly kind: 'given' }> {
  const command = (line: string): ApiKeySource => ({
    kind: 'command',
    command: commandFrom(dirname(paths.config), commandWords(line, 'The command')),
    setBy: 'setup',
  });
  if (source.kind === 'entered') {
    return { kind: 'given', key: usableKey(source.key, 'The API key'), setBy: 'entered' };
  }
  const from = source.kind === 'command' ? command(source.commandLine) : configuration.apiKey;
  const key = await fetchApiKey(from, (program, words) =>
    context.runProgram(program, words, { limitMs: patientLimitMs, signal, asks: true }),
  );
  if (from.kind === 'none' || key === null) throw new ApiKeyMissingError('No API key is set yet.');
  if (from.kind === 'command') keyFound?.(from.command, key);
  return { kind: 'given', key, setBy: from.kind === 'command' ? `printed by ${from.command[0]}` : from.setBy };
}
