import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { type Clock, type EpochMs, withTimeout } from '../../lib/clock.ts';
import { isJsonObject, type JsonValue } from '../../lib/json.ts';
import type { OperationName } from '../../service/port.ts';
import { badFormat, notFoundPage, RefusedCallError, rateLimited } from '../http/responses.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { type Corruption, recordCorruptions, responseCorruptions } from './corrupt-response.ts';
import { appliesTo, type FaultName, type FaultRule } from './fault-rule.ts';

type ActiveFault = ReturnType<typeof activate>;

export type FaultSwitch = ReturnType<typeof createFaultSwitch>;

function activate(rule: FaultRule) {
  /** Null for faults that do not change the response. */
  const corrupt: Corruption | null = recordCorruptions[rule.name]?.(rule) ?? responseCorruptions[rule.name]?.() ?? null;
  const fault = {
    rule,
    corrupt,
    left: rule.count ?? null,
    consume: (): void => {
      if (fault.left !== null) fault.left = Math.max(0, fault.left - 1);
    },
  };
  return fault;
}

/** Faults that change records affect only some numbers of a call. All other faults affect the whole call. */
const mayAffect = (rule: FaultRule, trackNos: readonly string[]): boolean =>
  rule.numbers === undefined || rule.name in recordCorruptions || trackNos.some((trackNo) => appliesTo(rule, trackNo));

/** The same seed affects the same calls. */
export function createFaultSwitch(seed: number, rules: readonly FaultRule[]) {
  const random = seededRandom(seed, 'faults');
  const listeners: (() => void)[] = [];
  let active = rules.map(activate);
  return {
    /** Each rule's `count` is the number of uses that it has left. */
    rules: (): readonly FaultRule[] =>
      active.map(({ rule, left }) => (left === null ? rule : { ...rule, count: left })),
    set: (next: readonly FaultRule[]): void => {
      active = next.map(activate);
      for (const listener of listeners) listener();
    },
    /** Calls `listener` after every {@link set}. */
    listen: (listener: () => void): void => {
      listeners.push(listener);
    },
    get dependsOnNumbers() {
      return active.some(({ rule }) => rule.numbers !== undefined);
    },
    faultsFor: (operation: OperationName, trackNos: readonly string[] = []): readonly ActiveFault[] =>
      active
        .filter(
          ({ rule, left }) => left !== 0 && (rule.operation ?? operation) === operation && mayAffect(rule, trackNos),
        )
        .filter(({ rule }) => rule.probability === undefined || random() < rule.probability),
  };
}

const defaultIndexingMs = 10 * 60_000;

/**
 * Hides accepted registrations for a while: calls treat the number as not registered, and it can be registered again.
 * Clients of the public service have observed this.
 */
type SlowIndex = ReturnType<typeof createSlowIndex>;

export function createSlowIndex(account: Account, clock: Clock) {
  let hidden: readonly { readonly registration: Registration; readonly until: EpochMs }[] = [];
  const isSame = (a: Registration, b: Registration): boolean =>
    a.trackNo.toUpperCase() === b.trackNo.toUpperCase() && a.courier.code === b.courier.code;
  return {
    get registered() {
      return account.added;
    },
    /** Hides the matching registrations with a sequence number of at least `since`, and returns how many there are. */
    hide: (since: number, delayMs: number, matches: (trackNo: string) => boolean): number => {
      const fresh = account.all().filter(({ sequence, trackNo }) => sequence >= since && matches(trackNo));
      for (const registration of fresh) {
        account.remove(registration);
        // Registering a hidden number again does not extend the delay.
        if (hidden.some((entry) => isSame(entry.registration, registration))) continue;
        hidden = [...hidden, { registration, until: registration.registeredAt + delayMs }];
      }
      return fresh.length;
    },
    /** Restores the registrations whose delay has passed. Call this before reading the account. */
    restore: (): void => {
      if (hidden.length === 0) return;
      const now = clock.now();
      const due = hidden.filter(({ until }) => until <= now);
      hidden = hidden.filter(({ until }) => until > now);
      for (const { registration } of due) {
        const { trackNo, courier } = registration;
        if (account.find(trackNo, courier.code).length === 0) account.put(registration);
      }
    },
  };
}

interface ReplacedCall {
  readonly rule: FaultRule;
  readonly path: string;
  readonly now: number;
}

const defaultRetryMs = 2000;

const htmlPage = (status: number, body: string): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });

const refuse =
  (...refusal: ConstructorParameters<typeof RefusedCallError>) =>
  (): never => {
    throw new RefusedCallError(...refusal);
  };

const gatewayPage =
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>';
const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in to the network</title></head><body><form>Please sign in</form></body></html>';

/**
 * Responses that replace the operation's own. It is not documented which HTTP status the public service sends with a
 * code, so some failures exist in two variants.
 */
export const replacements: Partial<Readonly<Record<FaultName, (call: ReplacedCall) => Response>>> = {
  'rate-limit-429': ({ rule }) => {
    throw rateLimited(rule.delayMs ?? defaultRetryMs);
  },
  'rate-limit-200': refuse(200, 'A0706', 'too many requests'),
  'error-500': refuse(500, 'B0001', 'system error'),
  'error-200': refuse(200, 'D0000', 'other error'),
  'bad-format-400': () => {
    throw badFormat();
  },
  'html-502': () => htmlPage(502, gatewayPage),
  'html-200': () => htmlPage(200, loginPage),
  'not-found-404': ({ path, now }) => Response.json(notFoundPage(path, now), { status: 404 }),
  // A client of the public service received this text.
  'forbidden-403': () => Response.json({ message: '404' }, { status: 403 }),
  'missing-operation': refuse(200, 'C0113', 'interface does not exist'),
  'out-of-credit': refuse(200, '101107', 'The tracking credit of the account is used up'),
  'key-revoked': refuse(401, 'A0231', 'token is forbidden'),
  'unauthorized-401': refuse(401, 'A0301', 'unauthorized'),
  'message-only': () => Response.json({ message: 'Internal error' }),
};

export interface SandboxEnvironment {
  Bindings: HttpBindings;
  Variables: {
    /** Parses the body as JSON, once. Rejects with a `RefusedCallError`. */
    body: () => Promise<JsonValue>;
  };
}

type SandboxContext = Context<SandboxEnvironment>;

interface FaultOptions {
  readonly faults: FaultSwitch;
  readonly clock: Clock;
  readonly slowIndex: SlowIndex;
}

const defaultSlowMs = 5000;

/** Resolves after the delay, or earlier if the client disconnects. Null means to wait until it disconnects. */
async function waitForDisconnect(clock: Clock, { env }: SandboxContext, delayMs: number | null): Promise<void> {
  const disconnected = new Promise((resolve) => env.outgoing.once('close', resolve));
  await (delayMs === null ? disconnected : withTimeout(clock, delayMs, disconnected));
}

/** Resolves with true if the client disconnected in the meantime. */
async function delayCall(context: SandboxContext, active: readonly ActiveFault[], clock: Clock): Promise<boolean> {
  for (const { rule, consume } of active) {
    if (rule.name !== 'slow' && rule.name !== 'hang') continue;
    consume();
    await waitForDisconnect(clock, context, rule.name === 'hang' ? null : (rule.delayMs ?? defaultSlowMs));
  }
  return context.env.outgoing.destroyed;
}

/** Throws a `RefusedCallError` if the fault is a refusal. */
function replacementFor(context: SandboxContext, active: readonly ActiveFault[], clock: Clock): Response | null {
  for (const { rule, consume } of active) {
    const replace = replacements[rule.name];
    if (replace === undefined) continue;
    consume();
    return replace({ rule, path: context.req.path, now: clock.now() });
  }
  return null;
}

async function corruptBody(response: Response, active: readonly ActiveFault[]): Promise<string> {
  const text = await response.text();
  if (!response.ok || active.every(({ corrupt }) => corrupt === null)) return text;
  let envelope: JsonValue = JSON.parse(text) as JsonValue;
  for (const { corrupt, consume } of active) {
    const corrupted = isJsonObject(envelope) && envelope['code'] === '00000' ? corrupt?.(envelope) : null;
    if (corrupted == null) continue;
    consume();
    envelope = corrupted;
  }
  return JSON.stringify(envelope);
}

async function resetHalfway({ env }: SandboxContext, text: string): Promise<Response> {
  const { outgoing } = env;
  const bytes = Buffer.from(text);
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
  await new Promise<void>((resolve) => {
    outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => resolve());
  });
  outgoing.socket?.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

async function send(context: SandboxContext, response: Response, text: string, names: ReadonlySet<FaultName>) {
  if (names.has('reset')) return await resetHalfway(context, text);
  const headers = { 'content-type': names.has('wrong-content-type') ? 'text/html' : 'application/json' };
  const body = names.has('empty-body') ? '' : names.has('truncated-json') ? text.slice(0, text.length / 2) : text;
  return new Response(body, { status: response.status, headers });
}

const transmissionFaultNames: ReadonlySet<FaultName> = new Set([
  'reset',
  'wrong-content-type',
  'empty-body',
  'truncated-json',
]);

export function numbersIn(body: JsonValue): readonly string[] {
  const collect = (value: JsonValue | undefined): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => (Array.isArray(item) ? [] : collect(item)));
    const trackNo = isJsonObject(value) ? value['trackNo'] : value;
    return typeof trackNo === 'string' ? [trackNo.trim()] : [];
  };
  return isJsonObject(body)
    ? ['trackNoInfos', 'trackNos'].flatMap((name) => collect(body[name])).concat(collect(body))
    : collect(body);
}

/** Resolves with an empty list if the body cannot be read, because the operation will reject the call. */
async function readNumbers(context: SandboxContext): Promise<readonly string[]> {
  if (context.req.method !== 'POST') return [];
  return await context.var.body().then(numbersIn, () => []);
}

export function createFaultMiddleware(
  options: FaultOptions,
  operation: OperationName,
): MiddlewareHandler<SandboxEnvironment> {
  return async (context, next) => {
    const { faults } = options;
    const active = faults.faultsFor(operation, faults.dependsOnNumbers ? await readNumbers(context) : []);
    if (active.length === 0) return await next();
    if (await delayCall(context, active, options.clock)) return RESPONSE_ALREADY_SENT;
    const replacement = replacementFor(context, active, options.clock);
    if (replacement !== null) return replacement;
    const registeredBefore = options.slowIndex.registered;
    await next();
    const transmissionFaults = active.filter(({ rule }) => transmissionFaultNames.has(rule.name));
    for (const { consume } of transmissionFaults) consume();
    const response = context.res;
    for (const { rule, consume } of active) {
      if (rule.name !== 'slow-index') continue;
      const matches = (trackNo: string): boolean => appliesTo(rule, trackNo);
      if (options.slowIndex.hide(registeredBefore, rule.delayMs ?? defaultIndexingMs, matches) > 0) consume();
    }
    const text = await corruptBody(response, active);
    context.res = undefined;
    context.res = await send(context, response, text, new Set(transmissionFaults.map(({ rule }) => rule.name)));
    return undefined;
  };
}
