import type { Finding, Findings, Proof } from '../../board/setup/setup-effects.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { skewSentence } from '../../service/clock/clock-skew.ts';
import type { ServiceError } from '../../service/failures/errors.ts';
import { systemMeaning, systemWords } from '../../service/failures/system-words.ts';

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
