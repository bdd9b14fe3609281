import { dirname } from 'node:path';
import type { Check } from '../../board/json-schemas.ts';
import { skewSentence } from '../../lib/clock-skew.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { isCertificateCode } from '../../service/connection.ts';
import { ServiceError } from '../../service/port.ts';
import { type ApiKeySource, fetchApiKey, usableKey } from '../api-key.ts';
import { ok, warn } from '../doctor/fix-hints.ts';
import { ApiKeyMissingError, UsageError, withTraceId } from '../errors.ts';
import { chooseProxy, proxyInUse } from '../service-address.ts';
import { courierDirectory } from '../session/open-stores.ts';
import type { Session } from '../session/session.ts';
import { commandWords, resolveCommand } from '../usable-values.ts';
import type { CheckRequest, CheckResult, KeySource } from './board-setup.ts';
import {
  assertTrusted,
  type Configured,
  readSetupConfiguration,
  resolveService,
  type SetupPlaces,
  withSession,
} from './setup-settings.ts';

/** Timeout of a command that prints the key, in milliseconds. The user may have to type a passphrase. */
const keyCommandTimeoutMs = 60_000;

/** What is checked before anything is sent, with the step that fixes each problem. */
const preparations = {
  address: { name: 'service', found: 'cannot be used', faultyStep: 'service' },
  proxy: { name: 'proxy', found: 'cannot be used', faultyStep: 'elsewhere' },
  key: { name: 'API key', found: 'cannot be used', faultyStep: 'key' },
  // A watchlist in a database may be unreachable, or belong to another key.
  watchlist: { name: 'store', found: 'cannot be used', faultyStep: 'elsewhere' },
} as const;

/** Sends the same request as `doctor`, with a service and a key that are not saved yet. */
export async function checkConnection(places: SetupPlaces, request: CheckRequest): Promise<CheckResult> {
  const { key: source, signal } = request;
  let preparation: keyof typeof preparations = 'address';
  let isKeyFile = false;
  try {
    const configured = await readSetupConfiguration(places);
    assertTrusted(configured);
    isKeyFile = source.kind === 'present' && configured.configuration.apiKey.kind === 'file';
    const service = resolveService(request.service);
    preparation = 'proxy';
    const proxy = chooseProxy(service.baseUrl, places.context.environment);
    proxyInUse(proxy);
    preparation = 'key';
    const apiKey = await fetchKey(source, places, configured, signal);
    preparation = 'watchlist';
    const configuration = { ...configured.configuration, ...service, proxy, apiKey };
    return await withSession(places, configuration, (session) => testConnection(session, signal));
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ApiKeyMissingError || error instanceof StoreError))
      throw error;
    const { faultyStep, ...check } = preparations[preparation];
    // The error's own advice is about the configuration, which does not contain this key yet.
    const advice = isKeyFile ? 'Enter the key again.' : 'Run it in another terminal to see why.';
    const replacesAdvice = preparation === 'key' && error.advice !== null;
    const problem = replacesAdvice ? `${error.what} ${advice}` : error.message;
    return {
      checks: [{ ...check, status: 'fail', advice: problem }],
      failure: error,
      problem,
      // The user stopped the command, so no step is to blame.
      faultyStep: signal.aborted ? null : faultyStep,
      summary: 'Nothing was sent.',
    };
  }
}

/** Fetches the key to test. Rejects like `fetchApiKey`. */
async function fetchKey(
  source: KeySource,
  { context, onKeyFetched, paths }: SetupPlaces,
  { configuration }: Configured,
  signal: AbortSignal,
): Promise<ApiKeySource & { readonly kind: 'given' }> {
  const command = (line: string): ApiKeySource => ({
    kind: 'command',
    command: resolveCommand(dirname(paths.config), commandWords(line, 'The command')),
    setBy: 'setup',
  });
  if (source.kind === 'entered') {
    return { kind: 'given', key: usableKey(source.key, 'The API key'), setBy: 'entered' };
  }
  const from = source.kind === 'command' ? command(source.commandLine) : configuration.apiKey;
  const key = await fetchApiKey(from, (program, words) =>
    context.runProgram(program, words, { timeoutMs: keyCommandTimeoutMs, signal, mayPrompt: true }),
  );
  if (from.kind === 'none' || key === null) throw new ApiKeyMissingError('No API key is set yet.');
  if (from.kind === 'command') onKeyFetched?.(from.command, key);
  return { kind: 'given', key, setBy: from.kind === 'command' ? `printed by ${from.command[0]}` : from.setBy };
}

/**
 * Sends one free request that shows whether the service and key of a session work together: it lists the couriers,
 * which also refreshes the saved list. The request goes through the gate, is counted, and waits during a pause that the
 * service requested. Closes the service afterwards, or when the signal is aborted. Rejects like `Session.service` and
 * `Session.stores`.
 */
export async function testConnection(
  session: Session,
  signal: AbortSignal,
): Promise<CheckResult & { readonly failure: ServiceError | null }> {
  const { apiKey, baseUrl, proxy } = session.configuration;
  const { clock } = session.context;
  const service = await session.service();
  // The caller has checked base URL and key.
  if (service === null) throw new TypeError('The service has no address or no key.');
  const closeService = (): void => void service.close();
  signal.addEventListener('abort', closeService, { once: true });
  if (signal.aborted) closeService();
  const startedAt = clock.now();
  const list = async (): Promise<{ readonly found: number; readonly failure: ServiceError | null }> => {
    try {
      const { couriers: shared } = await session.stores();
      const { couriers, failure = null } = await courierDirectory(session, service, shared).list({ refresh: true });
      return { found: couriers.length, failure };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { found: 0, failure: error };
    }
  };
  try {
    const { failure, found } = await list();
    const tookMs = Math.max(0, Math.round(clock.now() - startedAt));
    const host = baseUrl?.host ?? '';
    const key = apiKey.kind === 'none' ? 'not set' : `set (${apiKey.setBy})`;
    const skew = clockCheck(service.clockSkew());
    if (failure === null) {
      return {
        checks: [ok('service', `${host} responds`), ok('API key', `${key}, accepted`), skew],
        failure,
        problem: null,
        faultyStep: null,
        summary: `${cost}: ${found} couriers in ${tookMs} ms.`,
      };
    }
    const problem = describeProblem(failure);
    return {
      checks: [...failedChecks(failure, problem, host, key), skew],
      failure,
      problem,
      faultyStep: faultyStep(failure, proxyInUse(proxy) !== null),
      summary: `${cost}.`,
    };
  } finally {
    signal.removeEventListener('abort', closeService);
    await service.close();
  }
}

const cost = 'One free test request';

/** Certificate errors that a wrong address or clock explains. Others may come from a private authority. */
const nameErrors: ReadonlySet<string> = new Set(['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH']);
const validityErrors: ReadonlySet<string> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);
const authorityAdvice = 'If your company inspects connections, set NODE_EXTRA_CA_CERTS to its certificate.';

/** Unlike the message of a command, this does not mention a running board, because there may not be one. */
function describeProblem({ advice, code, kind, traceId, what }: ServiceError): string {
  if (kind === 'cancelled') return 'The check was stopped.';
  const isAuthorityError = isCertificateCode(code) && !nameErrors.has(code ?? '') && !validityErrors.has(code ?? '');
  const sentences = [what, advice, isAuthorityError ? authorityAdvice : null];
  return withTraceId(sentences.filter((sentence) => sentence !== null).join(' '), traceId);
}

function failedChecks({ kind }: ServiceError, problem: string, host: string, key: string): readonly Check[] {
  const failed = (name: string, found: string): Check => ({ name, status: 'fail', found, advice: problem });
  const unverified = warn('API key', `${key}, not verified`, 'Run the check again when the service responds.');
  switch (kind) {
    case 'key-refused':
    case 'quota-exhausted':
      return [ok('service', `${host} responds`), failed('API key', `${key}, refused`)];
    case 'operation-missing':
    case 'rate-limited':
    case 'request-refused':
      return [failed('service', `${host} responds, but not as expected`), unverified];
    default:
      return [failed('service', `${host} does not give a valid response`), unverified];
  }
}

const offlineCodes: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH']);
/**
 * Refusals that would also affect any other key: the account is locked or not valid, or does not have the permission.
 */
const accountCodes: ReadonlySet<string> = new Set(['A0202', 'A0203', 'A0300']);

function faultyStep({ code, kind, what }: ServiceError, hasProxy: boolean): CheckResult['faultyStep'] {
  const reason = code ?? '';
  switch (kind) {
    case 'unreachable':
      if (isCertificateCode(code)) return nameErrors.has(reason) ? 'service' : 'elsewhere';
      return hasProxy || offlineCodes.has(reason) ? 'elsewhere' : 'service';
    case 'key-refused':
      return accountCodes.has(reason) || what.includes("this machine's address") ? 'elsewhere' : 'key';
    case 'timeout':
    case 'service-trouble':
    case 'quota-exhausted':
      return 'elsewhere';
    case 'rate-limited':
    case 'cancelled':
      return null;
    default:
      return 'service';
  }
}

/** Compares this machine's clock with the service's. `skewMs` is how far the service's is ahead, or null if unknown. */
function clockCheck(skewMs: number | null): Check {
  if (skewMs === null) return ok('clock', 'not compared: the service did not send its time');
  const sentence = skewSentence(skewMs);
  return sentence === null
    ? ok('clock', "is within two minutes of the service's")
    : warn('clock', sentence, "Set this machine's clock.");
}
