import type { Check } from '../../board/json-schemas.ts';
import { skewSentence } from '../../lib/clock-skew.ts';
import { ServiceError } from '../../service/errors.ts';
import { isCertificateCode } from '../../service/network-failure.ts';
import { withTraceId } from '../errors.ts';
import { proxyInUse } from '../proxy.ts';
import { courierDirectory } from '../session/open-stores.ts';
import type { Session } from '../session/session.ts';
import type { Proof } from '../setup/effects.ts';
import { ok, warn } from './fix-hints.ts';

interface CallProof extends Proof {
  readonly failure: ServiceError | null;
}

/**
 * Sends one free request that shows whether the service and key of a session work together: it lists the couriers,
 * which also renews the saved list. It goes through the gate, is counted, and waits while the service wants a pause.
 * Closes the service, at the latest when the signal is aborted. Rejects as `Session.service` and `Session.stores`.
 */
export async function proveService(session: Session, signal: AbortSignal): Promise<CallProof> {
  const { apiKey, baseUrl, proxy } = session.configuration;
  const { clock } = session.context;
  const service = await session.service();
  // The caller has checked base URL and key.
  if (service === null) throw new TypeError('The service has no address or no key.');
  const end = (): void => void service.close();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const begunAt = clock.now();
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
    const tookMs = Math.max(0, Math.round(clock.now() - begunAt));
    const host = baseUrl?.host ?? '';
    const key = apiKey.kind === 'none' ? 'not set' : `set (${apiKey.setBy})`;
    const skew = clockCheck(service.clockSkew());
    if (failure === null) {
      return {
        checks: [ok('service', `${host} answers`), ok('API key', `${key}, accepted`), skew],
        failure,
        problem: null,
        mistakeIn: null,
        summary: `${cost}: ${found} couriers in ${tookMs} ms.`,
      };
    }
    const problem = problemOf(failure);
    return {
      checks: [...refuted(failure, problem, host, key), skew],
      failure,
      problem,
      mistakeIn: mistakeIn(failure, proxyInUse(proxy) !== null),
      summary: `${cost}.`,
    };
  } finally {
    signal.removeEventListener('abort', end);
    await service.close();
  }
}

const cost = 'One free test request';

/** Certificate errors that a wrong clock or address explains; others may come from a private authority. */
const aboutName: ReadonlySet<string> = new Set(['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH']);
const aboutTime: ReadonlySet<string> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);
const ownAuthority = 'If your company inspects connections, set NODE_EXTRA_CA_CERTS to its certificate.';

/** Leaves out what a running program does: none may run, and nothing may have been shown before. */
function problemOf({ advice, code, kind, traceId, what }: ServiceError): string {
  if (kind === 'cancelled') return 'The check was stopped.';
  const isOfAuthority = isCertificateCode(code) && !aboutName.has(code ?? '') && !aboutTime.has(code ?? '');
  const sentences = [what, advice, isOfAuthority ? ownAuthority : null];
  return withTraceId(sentences.filter((sentence) => sentence !== null).join(' '), traceId);
}

function refuted({ kind }: ServiceError, problem: string, host: string, key: string): readonly Check[] {
  const failed = (name: string, found: string): Check => ({ name, status: 'fail', found, advice: problem });
  const unverified = warn('API key', `${key}, not verified`, 'Run the check again when the service answers.');
  switch (kind) {
    case 'key-refused':
    case 'quota-exhausted':
      return [ok('service', `${host} answers`), failed('API key', `${key}, refused`)];
    case 'operation-missing':
    case 'rate-limited':
    case 'request-refused':
      return [failed('service', `${host} answers, but not as expected`), unverified];
    default:
      return [failed('service', `${host} gives no usable answer`), unverified];
  }
}

const withoutNetwork: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH']);
/** Refusals that another key would also meet: the account is locked or not valid, or has no rights for this. */
const aboutAccount: ReadonlySet<string> = new Set(['A0202', 'A0203', 'A0300']);

function mistakeIn({ code, kind, what }: ServiceError, hasProxy: boolean): Proof['mistakeIn'] {
  const reason = code ?? '';
  switch (kind) {
    case 'unreachable':
      if (isCertificateCode(code)) return aboutName.has(reason) ? 'service' : 'elsewhere';
      return hasProxy || withoutNetwork.has(reason) ? 'elsewhere' : 'service';
    case 'key-refused':
      return aboutAccount.has(reason) || what.includes("this machine's address") ? 'elsewhere' : 'key';
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

/** Compares the machine's clock with the service's, which is `skewMs` ahead; null if the service sent no time. */
function clockCheck(skewMs: number | null): Check {
  if (skewMs === null) return ok('clock', 'not compared: the service did not send its time');
  const sentence = skewSentence(skewMs);
  return sentence === null
    ? ok('clock', "is within two minutes of the service's")
    : warn('clock', sentence, 'Set the clock of this machine.');
}
