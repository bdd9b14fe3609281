import { dirname } from 'node:path';
import {
  checksOf,
  type Finding,
  type Findings,
  type KeySource,
  type Proof,
  type ProofRequest,
} from '../../board/setup/setup-effects.ts';
import type { ServiceError } from '../../service/failures/errors.ts';
import { StoreError } from '../../watchlist/errors.ts';
import { type ApiKeySource, fetchApiKey, usableKey } from '../configuration/api-key.ts';
import { chooseProxy, proxyInUse } from '../configuration/proxy.ts';
import { commandFrom, commandWords } from '../configuration/split-command.ts';
import { ApiKeyMissingError, UsageError } from '../session/errors.ts';
import { withTraceId } from '../session/failure.ts';
import { provingCall } from '../session/proving-call.ts';
import {
  assertOwn,
  type Configured,
  chosenService,
  readConfigured,
  type SetupPlaces,
  withSessionOf,
} from './configured.ts';
import { bad, clockFinding, good, type Mistake, mistakeOf, wayOf } from './proof-findings.ts';

/** How long a command that prints the key may take here, in milliseconds: its user may have to type a passphrase. */
export const patientLimitMs = 60_000;

/** What the call costs, said before and after it. */
export const costSentence = 'One call, "Get Carriers", which costs nothing';

/** A proof with what it failed with, as a command ends by it; null when it works. */
export interface ProofWithFailure {
  readonly proof: Proof;
  readonly failure: ServiceError | ApiKeyMissingError | StoreError | UsageError | null;
}

/**
 * Makes the one cheap call that shows whether service and key work together, as all calls are made: through the gate, counted,
 * and not while the service wants a pause. A good answer renews the list of couriers. Never rejects.
 */
export async function prove(places: SetupPlaces, request: ProofRequest): Promise<ProofWithFailure> {
  const { onProgress, signal } = request;
  let findings: Findings = {};
  const found = (more: Findings, next: keyof Findings | null): void => {
    findings = { ...findings, ...more };
    onProgress(checksOf({ ...findings, ...(next === null ? {} : { [next]: running }) }, 'waiting'));
  };
  const failed = (
    { findings: last, ...mistake }: Mistake,
    summary: string,
    failure: NonNullable<ProofWithFailure['failure']>,
  ): ProofWithFailure => {
    const checks = checksOf({ ...findings, ...last }, 'skipped');
    onProgress(checks);
    return { proof: { works: false, checks, ...mistake, summary }, failure };
  };
  let looksAt: LookedAt = 'address';
  try {
    found({}, 'address');
    const configured = await readConfigured(places);
    assertOwn(configured);
    const service = chosenService(request.service);
    const { baseUrl } = service;
    const choice = chooseProxy(baseUrl, places.context.environment);
    looksAt = 'proxy';
    const proxy = proxyInUse(choice)?.url ?? null;
    found({ address: good(baseUrl.host) }, request.key.kind === 'command' ? 'key' : 'connection');
    looksAt = 'key';
    const key = await keyOf(request.key, places, configured, signal);
    found({}, 'connection');
    looksAt = 'watchlist';
    const given = { kind: 'given', key, setBy: 'setup' } as const;
    const answer = await withSessionOf(
      places,
      { ...configured.configuration, ...service, proxy: choice, apiKey: given },
      (session) => provingCall(session, signal),
    );
    const address = { baseUrl, proxy, now: places.context.clock.now() };
    const clock = clockFinding(answer.clockSkew);
    if (answer.failure !== null) {
      const mistake = mistakeOf(answer.failure, address);
      const problem = withTraceId(mistake.problem ?? '', answer.failure.traceId);
      const all = { ...mistake, problem, findings: { clock, ...mistake.findings } };
      return failed(all, `${costSentence}.`, answer.failure);
    }
    found(
      {
        connection: good(wayOf(address)),
        answer: good(`answers, and lists ${answer.couriers} couriers`),
        key: good('accepted'),
        clock,
      },
      null,
    );
    const summary = `${costSentence}: ${answer.couriers} couriers in ${answer.tookMs} ms.`;
    const checks = checksOf(findings, 'skipped');
    return { proof: { works: true, checks, problem: null, mistakeIn: null, summary }, failure: null };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ApiKeyMissingError || error instanceof StoreError))
      throw error;
    const mistake = unsentMistakes[looksAt](error.message);
    // Whoever stops a command that prints the key has made no mistake.
    return failed(signal.aborted ? { ...mistake, mistakeIn: null } : mistake, 'Nothing was sent.', error);
  }
}

/** What is looked at before anything is sent. */
type LookedAt = 'address' | 'proxy' | 'key' | 'watchlist';

const unsentMistakes: Readonly<Record<LookedAt, (problem: string) => Mistake>> = {
  address: (problem) => ({ problem, mistakeIn: 'service', findings: { address: bad('cannot be used') } }),
  proxy: (problem) => ({ problem, mistakeIn: 'elsewhere', findings: { connection: bad('the proxy cannot be used') } }),
  key: (problem) => ({
    problem: withoutOwnAdvice(problem),
    mistakeIn: 'key',
    findings: { key: bad('cannot be had') },
  }),
  // One in a database may be away, or be that of another key.
  watchlist: (problem) => ({ problem, mistakeIn: 'elsewhere', findings: {} }),
};

/** What a failed command or file is said to need elsewhere: here nothing may be configured yet, and setting up is under way. */
const withoutOwnAdvice = (message: string): string =>
  message
    .replace(
      /; run it by hand, or correct "apiKeyCommand" in the configuration\./,
      '. Run it in another terminal to see why.',
    )
    .replace(/ Run "parcel-monitor setup", or correct "apiKeyFile" in the configuration\./, ' Enter the key again.');

const running: Finding = { state: 'running', detail: '' };

/** The key that is to be proved. Rejects as `fetchApiKey`. */
async function keyOf(
  source: KeySource,
  { context, keyFound, paths }: SetupPlaces,
  { configuration }: Configured,
  signal: AbortSignal,
): Promise<string> {
  const fetchPatiently = async (from: ApiKeySource): Promise<string | null> => {
    const key = await fetchApiKey(from, (program, given) =>
      context.runProgram(program, given, { limitMs: patientLimitMs, signal, asks: true }),
    );
    if (from.kind === 'command' && key !== null) keyFound?.(from.command, key);
    return key;
  };
  switch (source.kind) {
    case 'entered':
      return usableKey(source.key, 'The API key');
    case 'command': {
      const command = commandFrom(dirname(paths.config), commandWords(source.commandLine, 'The command'));
      const key = await fetchPatiently({ kind: 'command', command, setBy: 'setup' });
      // A command has one, or fails.
      return key ?? '';
    }
    case 'present': {
      const key = await fetchPatiently(configuration.apiKey);
      if (key === null) throw new ApiKeyMissingError('No API key is set yet.');
      return key;
    }
  }
}
