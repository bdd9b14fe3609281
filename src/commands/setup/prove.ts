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
import type { Configuration } from '../configuration/configuration.ts';
import { splitCommand } from '../configuration/split-command.ts';
import { ApiKeyMissingError, UsageError } from '../session/errors.ts';
import { withTraceId } from '../session/failure.ts';
import { createSession } from '../session/open-session.ts';
import { type ProvingAnswer, provingCall } from '../session/proving-call.ts';
import { styleOf } from '../session/session.ts';
import { type Configured, configurationWith, readConfigured, type SetupPlaces } from './configured.ts';
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
  const unsent = 'Nothing was sent.';
  found({}, 'address');
  let configured: Configured;
  let configuration: Configuration;
  try {
    configured = await readConfigured(places);
    configuration = configurationWith(request.service, places, configured);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return failed(
      { problem: error.message, mistakeIn: 'service', findings: { address: bad('cannot be used') } },
      unsent,
      error,
    );
  }
  const { baseUrl, proxy: choice } = configuration;
  // A choice always names one.
  if (baseUrl === null) throw new TypeError('The service that was chosen has no address.');
  if (choice.kind === 'unusable') {
    return failed(
      { problem: choice.message, mistakeIn: 'elsewhere', findings: { connection: bad('the proxy cannot be used') } },
      unsent,
      new UsageError(choice.message),
    );
  }
  found({ address: good(baseUrl.host) }, request.key.kind === 'command' ? 'key' : 'connection');
  let key: string;
  try {
    key = await keyOf(request.key, places, configured, signal);
  } catch (error) {
    if (!(error instanceof ApiKeyMissingError || error instanceof UsageError)) throw error;
    const mistakeIn = signal.aborted ? null : 'key';
    return failed(
      { problem: withoutOwnAdvice(error.message), mistakeIn, findings: { key: bad('cannot be had') } },
      unsent,
      error,
    );
  }
  found({}, 'connection');
  const proxy = choice.kind === 'proxy' ? choice.proxy.url : null;
  let answer: ProvingAnswer;
  try {
    answer = await call(places, configuration, key, signal);
  } catch (error) {
    // A watchlist in a database may be away, or be that of another key.
    if (!(error instanceof StoreError)) throw error;
    return failed({ problem: error.message, mistakeIn: 'elsewhere', findings: {} }, unsent, error);
  }
  const address = { baseUrl, proxy, now: places.context.clock.now() };
  const clock = clockFinding(answer.clockSkew);
  if (answer.failure !== null) {
    const mistake = mistakeOf(answer.failure, address);
    const problem = withTraceId(mistake.problem ?? '', answer.failure.traceId);
    return failed(
      { ...mistake, problem, findings: { clock, ...mistake.findings } },
      `${costSentence}.`,
      answer.failure,
    );
  }
  const checks = checksOf(
    {
      ...findings,
      connection: good(wayOf(address)),
      answer: good(`answers, and lists ${answer.couriers} couriers`),
      key: good('accepted'),
      clock,
    },
    'skipped',
  );
  onProgress(checks);
  const summary = `${costSentence}: ${answer.couriers} couriers in ${answer.tookMs} ms.`;
  return { proof: { works: true, checks, problem: null, mistakeIn: null, summary }, failure: null };
}

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
  { context, keyFound }: SetupPlaces,
  { configuration }: Configured,
  signal: AbortSignal,
): Promise<string> {
  const fetchPatiently = async (from: ApiKeySource): Promise<string | null> => {
    const key = await fetchApiKey(from, (program, given) =>
      context.runProgram(program, given, { limitMs: patientLimitMs, signal, asks: true }),
    );
    if (from.kind === 'command' && key !== null) keyFound?.([from.program, ...from.programArguments], key);
    return key;
  };
  switch (source.kind) {
    case 'entered':
      return usableKey(source.key, 'The API key');
    case 'command': {
      const [program, ...programArguments] = splitCommand(source.commandLine);
      if (program === undefined) throw new UsageError('The command names no program.');
      const key = await fetchPatiently({ kind: 'command', program, programArguments, setBy: program });
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

/** Makes the call with a key and a configuration that may be none of the session's. Rejects as `Session.stores`. */
async function call(
  { context, options, paths }: SetupPlaces,
  configuration: Configuration,
  key: string,
  signal: AbortSignal,
): Promise<ProvingAnswer> {
  const given = { kind: 'given', key, setBy: 'setup' } as const;
  const style = styleOf(context, options);
  const session = createSession({ context, configuration: { ...configuration, apiKey: given }, paths, style }, 'user');
  try {
    return await provingCall(session, signal);
  } finally {
    await session.close();
  }
}
