import http from 'node:http';
import https from 'node:https';
import { type Clock, type EpochMs, maxTimerMs } from '../lib/clock.ts';
import { signatureOf, type WebhookSignature } from '../service/webhook.ts';
import type { WireRecord, WireWebhook } from '../service/wire.ts';
import type { Account } from './world/account.ts';
import { fingerprintAt, nextChangeAt } from './world/record-at.ts';
import type { Registration } from './world/registration.ts';

interface CallbackSigning {
  readonly apiKey: string;
  readonly signature: WebhookSignature;
}

/**
 * See {@link WireWebhook}. As in the public service, `id` has more digits than a double can represent. The unit of the
 * timestamp is not documented; we use milliseconds since 1970.
 */
export function callbackBody(
  { id, ...record }: WireRecord,
  now: EpochMs,
  { apiKey, signature }: CallbackSigning,
): string {
  // JSON.stringify would round the number.
  const data = JSON.stringify(record).replace(/^\{/, `{"id":${id},`);
  if (signature === 'none') return `{"data":${data}}`;
  const timestamp = String(now);
  const verify: WireWebhook['verify'] = { timestamp, signature: signatureOf(signature, apiKey, timestamp) };
  return `{"data":${data},"verify":${JSON.stringify(verify)}}`;
}

/** Resolves with true for any HTTP 2xx. */
type PostCallback = (body: string, signal: AbortSignal) => Promise<boolean>;

/** Does not follow redirects. Has its own agent because, unlike the global one, it ignores Node's proxy settings. */
export function createPostCallback(url: URL): PostCallback {
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new https.Agent() : new http.Agent();
  const { request } = isSecure ? https : http;
  return (body, signal) =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const call = request(url, { method: 'POST', agent, headers, signal }, (response) => {
        const { statusCode = 0 } = response;
        response.resume();
        response.once('close', () => resolve(response.complete && statusCode >= 200 && statusCode < 300));
      });
      call.once('error', () => resolve(false));
      call.end(body);
    });
}

export interface WebhookCounts {
  readonly attempts: number;
  readonly acknowledged: number;
  /** Changes that were not acknowledged after the last attempt. */
  readonly abandoned: number;
  /** Numbers whose latest state has not been acknowledged yet. */
  readonly waiting: number;
}

interface WebhookSenderOptions {
  readonly account: Account;
  readonly clock: Clock;
  readonly signing: CallbackSigning;
  /** The delays between attempts are divided by this. */
  readonly speed: number;
  readonly post: PostCallback;
}

/** Delays in seconds before the second to the seventh attempt. The seventh is the last one. */
const retryDelays: readonly number[] = [600, 1800, 3600, 14_400, 43_200, 129_600];

/** The real service's timeout is not known. */
const postTimeoutMs = 10_000;
const maxPosts = 8;

/** Removes and returns the keys that are due, in order of time. */
function takeDue(instants: Map<string, EpochMs>, now: EpochMs): readonly string[] {
  const due = [...instants].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b);
  for (const [key] of due) instants.delete(key);
  return due.map(([key]) => key);
}

/**
 * Calls back when the status or the events of a number change, like the public webhook with "All available updates".
 * Each attempt sends the current record. A newer state replaces a waiting one and starts again at the first attempt, so
 * that states arrive in order. Registrations and deletions alone send nothing.
 */
export function startWebhookSender({ account, clock, signing, speed, post }: WebhookSenderOptions) {
  /** When each record changes next, by id. */
  const changes = new Map<string, EpochMs>();
  /** When to retry each callback, by id. */
  const retries = new Map<string, EpochMs>();
  const deliveries = new Map<string, { attempts: number }>();
  /** Ids to send as soon as fewer than `maxPosts` calls are running. */
  const readyIds = new Set<string>();
  const sendingIds = new Set<string>();
  const shutdown = new AbortController();
  const counts = { attempts: 0, acknowledged: 0, abandoned: 0 };
  let timerAt = Number.POSITIVE_INFINITY;
  let cancelTimer = (): void => undefined;

  const wakeAt = (at: EpochMs): void => {
    if (at >= timerAt) return;
    cancelTimer();
    timerAt = at;
    const delayMs = Math.min(maxTimerMs, Math.max(0, Math.ceil(at - clock.now())));
    cancelTimer = clock.setTimer(delayMs, () => {
      timerAt = Number.POSITIVE_INFINITY;
      processDue();
    });
  };

  const planChange = (registration: Registration, now: EpochMs): void => {
    const at = nextChangeAt(registration, now);
    if (at === null) changes.delete(registration.id);
    else changes.set(registration.id, at);
    wakeAt(at ?? Number.POSITIVE_INFINITY);
  };

  const announce = (id: string): void => {
    retries.delete(id);
    deliveries.set(id, { attempts: 0 });
    // If a call with an older state is running, this state is sent after it.
    if (!sendingIds.has(id)) readyIds.add(id);
  };

  const forget = (id: string): void => {
    for (const collection of [changes, retries, deliveries, readyIds]) collection.delete(id);
  };

  const settle = (id: string, delivery: { attempts: number }, isAcknowledged: boolean): void => {
    sendingIds.delete(id);
    counts.acknowledged += isAcknowledged ? 1 : 0;
    if (deliveries.get(id) !== delivery) {
      if (deliveries.has(id)) readyIds.add(id);
      return;
    }
    const delaySeconds = retryDelays[delivery.attempts - 1];
    if (isAcknowledged || delaySeconds === undefined) {
      counts.abandoned += isAcknowledged ? 0 : 1;
      deliveries.delete(id);
      return;
    }
    const retryAt = clock.now() + (delaySeconds * 1000) / speed;
    retries.set(id, retryAt);
    wakeAt(retryAt);
  };

  const attempt = async (id: string, registration: Registration, delivery: { attempts: number }): Promise<void> => {
    sendingIds.add(id);
    delivery.attempts += 1;
    counts.attempts += 1;
    const deadline = new AbortController();
    const cancelDeadline = clock.setTimer(postTimeoutMs, () => deadline.abort());
    const now = clock.now();
    const body = callbackBody(account.recordAt(registration, now), now, signing);
    const isAcknowledged = await post(body, AbortSignal.any([shutdown.signal, deadline.signal]));
    cancelDeadline();
    if (shutdown.signal.aborted) return;
    settle(id, delivery, isAcknowledged);
    sendReady();
  };

  const sendReady = (): void => {
    for (const id of readyIds) {
      if (sendingIds.size >= maxPosts) return;
      readyIds.delete(id);
      const registration = account.get(id);
      const delivery = deliveries.get(id);
      if (registration !== undefined && delivery !== undefined) void attempt(id, registration, delivery);
    }
  };

  const processDue = (): void => {
    const now = clock.now();
    for (const id of takeDue(changes, now)) {
      const registration = account.get(id);
      if (registration === undefined) continue;
      announce(id);
      planChange(registration, now);
    }
    for (const id of takeDue(retries, now)) readyIds.add(id);
    sendReady();
    let next = Number.POSITIVE_INFINITY;
    for (const instants of [changes, retries]) for (const at of instants.values()) next = Math.min(next, at);
    wakeAt(next);
  };

  account.listen((previous, current) => {
    if (shutdown.signal.aborted) return;
    if (current === null) {
      if (previous !== null) forget(previous.id);
      return;
    }
    const now = clock.now();
    if (previous !== null && fingerprintAt(previous, now) !== fingerprintAt(current, now)) announce(current.id);
    planChange(current, now);
    sendReady();
  });
  for (const registration of account.all()) planChange(registration, clock.now());

  return {
    counts: (): WebhookCounts => ({ ...counts, waiting: deliveries.size }),
    close: () => {
      shutdown.abort();
      cancelTimer();
      for (const collection of [changes, retries, deliveries, readyIds]) collection.clear();
    },
  };
}
