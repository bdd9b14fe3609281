import { dirname } from 'node:path';
import type { EpochMs } from '../../lib/clock.ts';
import { skewSentence } from '../../lib/clock-skew.ts';
import { systemMeaning, systemWords } from '../../lib/error-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { ServiceError } from '../../service/errors.ts';
import { type ApiKeySource, fetchApiKey, usableKey } from '../api-key.ts';
import { commandFrom, commandWords } from '../command-settings.ts';
import { ApiKeyMissingError, UsageError } from '../errors.ts';
import { withTraceId } from '../failure.ts';
import { chooseProxy, proxyInUse } from '../proxy.ts';
import { provingCall } from '../session/service.ts';
import {
  assertOwn,
  type Configured,
  chosenService,
  readConfigured,
  type SetupPlaces,
  withSessionOf,
} from './configured.ts';
import { checksOf, type Finding, type Findings, type KeySource, type Proof, type ProofRequest } from './effects.ts';

/** What is wrong, with where to mend it. */
export type Mistake = Pick<Proof, 'problem' | 'mistakeIn'> & { readonly findings: Findings };

/** A check that is as it should be. */
export const good = (detail: string): Finding => ({ state: 'ok', detail });
/** A check that keeps service and key from working together. */
export const bad = (detail: string): Finding => ({ state: 'failed', detail });
const doubtful = (detail: string): Finding => ({ state: 'doubtful', detail });

/** What is known of the address that was called. */
export interface CalledAddress {
  readonly baseUrl: URL;
  /** The proxy through which it was called; null for none. */
  readonly proxy: URL | null;
  /** What this machine's clock says. */
  readonly now: EpochMs;
}

/** The machine's clock beside the service's, which is `skewMs` ahead; null where the service did not send its time. */
export function clockFinding(skewMs: number | null): Finding {
  if (skewMs === null) return { state: 'skipped', detail: 'not compared: the service did not send its time' };
  const sentence = skewSentence(skewMs);
  return sentence === null ? good("agrees with the service's to within two minutes") : doubtful(sentence);
}

/** Certificates that are not valid yet, or not any more: more often than they, the clock is wrong. */
const aboutTime: ReadonlySet<string> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);
const aboutName: ReadonlySet<string> = new Set(['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH']);
/** Said when nothing can be reached at all. */
const withoutNetwork: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH']);
/** Refusals that another key would meet, too: the account is locked or not valid, its rights end here. */
const aboutAccount: ReadonlySet<string> = new Set(['A0202', 'A0203', 'A0300']);

/** A check that fails, and where to mend that; those before it are as they should be. */
type Fails = (check: 'connection' | 'answer' | 'key', mistakeIn: Mistake['mistakeIn'], finding: Finding) => Mistake;

/** What a failed call says: which check it fails, what to do, and where. */
export function mistakeOf(failure: ServiceError, address: CalledAddress): Mistake {
  const { host } = address.baseUrl;
  const resolved = { address: good(host) };
  const reached = { ...resolved, connection: good(wayOf(address)) };
  const before = { connection: resolved, answer: reached, key: { ...reached, answer: good('answers as it should') } };
  const problem = withoutData(failure.message);
  const fails: Fails = (check, mistakeIn, finding) => ({
    problem,
    mistakeIn,
    findings: { ...before[check], [check]: finding },
  });
  switch (failure.kind) {
    case 'unreachable':
      return notReached(failure, address, fails);
    case 'timeout':
      return fails('connection', 'elsewhere', bad('no answer in time'));
    case 'bad-answer':
    case 'answer-too-large':
    case 'redirect-refused':
    case 'operation-missing':
    case 'request-refused':
      return fails('answer', 'service', bad(`${host} answers, but not as this service does`));
    case 'service-trouble':
      return fails('answer', 'elsewhere', bad('the service has a problem of its own'));
    case 'key-refused': {
      const isAccount = aboutAccount.has(failure.code ?? '') || isAboutAddress(failure.message);
      return isAccount ? fails('key', 'elsewhere', bad('known, but not let in')) : fails('key', 'key', bad('refused'));
    }
    case 'quota-exhausted':
      return fails('key', 'elsewhere', doubtful('accepted, but the credit is used up'));
    case 'rate-limited':
      return fails('key', null, doubtful('not looked at: too many calls'));
    case 'cancelled':
      return { problem: 'The check was stopped before it was done.', mistakeIn: null, findings: {} };
  }
}

function notReached({ code, message }: ServiceError, { baseUrl, proxy, now }: CalledAddress, fails: Fails): Mistake {
  const { hostname } = baseUrl;
  const reason = code ?? '';
  if (/certificate/.test(message)) {
    const mistake = fails(
      'connection',
      aboutName.has(reason) ? 'service' : 'elsewhere',
      bad(`the certificate does not verify${systemWords(reason)}`),
    );
    if (aboutName.has(reason)) return mistake;
    if (!aboutTime.has(reason)) return { ...mistake, problem: `${mistake.problem}${ownAuthority}` };
    const clock = `This machine's clock says ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
    const findings = { ...mistake.findings, clock: doubtful(clock) };
    return { ...mistake, problem: `${mistake.problem} ${clock}`, findings };
  }
  if (proxy !== null) return fails('connection', 'elsewhere', bad(`not by the proxy ${proxy.host}`));
  if (reason === 'ENOTFOUND') {
    return {
      problem: `There is no host "${hostname}", or this machine has no network. Check how the address is written.`,
      mistakeIn: 'service',
      findings: { address: bad(`no host "${hostname}" is known`) },
    };
  }
  return withoutNetwork.has(reason)
    ? fails('connection', 'elsewhere', bad(`no network${systemWords(reason)}`))
    : fails('connection', 'service', bad(connectionWords(reason)));
}

const ownAuthority = ' Where a company looks into connections, NODE_EXTRA_CA_CERTS names its certificate.';

function connectionWords(code: string): string {
  const meaning = systemMeaning(code);
  if (meaning !== null) return `${meaning} (${code})`;
  return code === '' ? 'not possible' : `not possible (${code})`;
}

/** How the service was reached, in words. */
export function wayOf({ baseUrl, proxy }: Pick<CalledAddress, 'baseUrl' | 'proxy'>): string {
  const secured = baseUrl.protocol === 'https:' ? 'encrypted, certificate verified' : 'on this machine';
  return proxy === null ? secured : `${secured}, through the proxy ${proxy.host}`;
}

const isAboutAddress = (message: string): boolean => /does not allow this machine's address/.test(message);

/** Nothing was shown before that could stay, nothing was checked that could stop, and where the key goes is asked next. */
function withoutData(message: string): string {
  return message
    .replace(/; the last good data stays(?=\.)/, '')
    .replace(/ The last good data stays\./, '')
    .replace(/ (?:into )?\(?PARCEL_MONITOR_API_KEY or config\.json\)?/, '')
    .replace(/ Checks stop until that is settled and you refresh\./, '');
}

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
