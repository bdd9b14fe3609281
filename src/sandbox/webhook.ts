import http from 'node:http';
import https from 'node:https';
import { type Clock, type EpochMs, longestTimerMs } from '../lib/clock.ts';
import { signatureOf } from '../service/webhook.ts';
import type { WebhookSignature } from '../service/webhook-rules.ts';
import type { WireRecord, WireWebhook } from '../service/wire.ts';
import type { Account } from './world/account.ts';
import { fingerprintAt, nextChangeAt } from './world/record-at.ts';
import type { Registration } from './world/registration.ts';

interface CallbackSigning {
  readonly apiKey: string;
  readonly signature: WebhookSignature;
}

/**
 * The body of a callback, see {@link WireWebhook}. As the public service writes it, `id` is a number, with more digits
 * than a double holds. Nobody documents the unit of the timestamp; here it is milliseconds since 1970. Without a signature
 * there is no timestamp either.
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

/** Sends a callback; true when it was acknowledged, which any HTTP 2xx does. */
type PostCallback = (body: string, signal: AbortSignal) => Promise<boolean>;

/**
 * Sends callbacks to a URL. Redirects are not followed, and no proxy is used, whatever the settings of Node: agents of
 * our own know of none. A receiver that cannot be reached acknowledges nothing.
 */
export function createPostCallback(url: URL): PostCallback {
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new https.Agent() : new http.Agent();
  const { request } = isSecure ? https : http;
  return (body, signal) =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const call = request(url, { method: 'POST', agent, headers, signal }, (answer) => {
        const { statusCode = 0 } = answer;
        answer.resume();
        answer.once('close', () => resolve(answer.complete && statusCode >= 200 && statusCode < 300));
      });
      // Refused, reset, too slow or called off: all the same to the retry schedule.
      call.once('error', () => resolve(false));
      call.end(body);
    });
}

/** What became of callbacks so far. */
export interface WebhookCounts {
  readonly attempts: number;
  readonly acknowledged: number;
  /** Changes that were given up after the last attempt. */
  readonly abandoned: number;
  /** Numbers whose newest state is not acknowledged yet. */
  readonly waiting: number;
}

/** Calls back on every visible change. */
export interface WebhookSender {
  counts(): WebhookCounts;
  /** Ends all calls and waits. */
  close(): void;
}

interface WebhookSenderOptions {
  readonly account: Account;
  readonly clock: Clock;
  readonly signing: CallbackSigning;
  /** Divides the waits between attempts. */
  readonly speed: number;
  readonly post: PostCallback;
}

/** Seconds before the second attempt, the third, and so on to the seventh and last one. */
const retryWaits: readonly number[] = [600, 1800, 3600, 14_400, 43_200, 129_600];

/** Longest time for one callback, in milliseconds; an assumption. */
const postTimeoutMs = 10_000;
const mostPosts = 8;

/** The newest state of one number, which is not acknowledged yet. */
interface Delivery {
  attempts: number;
}

/** Takes the keys off that have come up, in the order of time. */
function takeDue(instants: Map<string, EpochMs>, now: EpochMs): readonly string[] {
  const due = [...instants].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b);
  for (const [key] of due) instants.delete(key);
  return due.map(([key]) => key);
}

/**
 * Starts to call back whenever status or events of a registered number change, as the webhook of the public service
 * does with "All available updates". What is sent is the record at the time of the attempt; a newer state takes the
 * place of one that waits for its next attempt and has all attempts before it, so that a number's states arrive in
 * order. Nothing is sent for a registration or a deletion by itself.
 */
export function startWebhookSender({ account, clock, signing, speed, post }: WebhookSenderOptions): WebhookSender {
  /** When the record of a number changes next, and when its newest state is to be sent again, by id. */
  const changes = new Map<string, EpochMs>();
  const retries = new Map<string, EpochMs>();
  const deliveries = new Map<string, Delivery>();
  /** Ids whose record is to be sent as soon as a call is free. */
  const ready = new Set<string>();
  const sending = new Set<string>();
  const closing = new AbortController();
  const counts = { attempts: 0, acknowledged: 0, abandoned: 0 };
  let timerAt = Number.POSITIVE_INFINITY;
  let cancelTimer = (): void => undefined;

  /** Takes the work up again at an instant, or before. All numbers are looked through only then. */
  const wakeAt = (at: EpochMs): void => {
    if (at >= timerAt) return;
    cancelTimer();
    timerAt = at;
    const delayMs = Math.min(longestTimerMs, Math.max(0, Math.ceil(at - clock.now())));
    cancelTimer = clock.setTimer(delayMs, () => {
      timerAt = Number.POSITIVE_INFINITY;
      work();
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
    // What is under way is no longer the newest; this state follows it.
    if (!sending.has(id)) ready.add(id);
  };

  const forget = (id: string): void => {
    for (const known of [changes, retries, deliveries, ready]) known.delete(id);
  };

  /** Decides after an attempt what comes next for the number. */
  const settle = (id: string, delivery: Delivery, isAcknowledged: boolean): void => {
    sending.delete(id);
    counts.acknowledged += isAcknowledged ? 1 : 0;
    if (deliveries.get(id) !== delivery) {
      if (deliveries.has(id)) ready.add(id);
      return;
    }
    const waitSeconds = retryWaits[delivery.attempts - 1];
    if (isAcknowledged || waitSeconds === undefined) {
      counts.abandoned += isAcknowledged ? 0 : 1;
      deliveries.delete(id);
      return;
    }
    const retryAt = clock.now() + (waitSeconds * 1000) / speed;
    retries.set(id, retryAt);
    wakeAt(retryAt);
  };

  const attempt = async (id: string, registration: Registration, delivery: Delivery): Promise<void> => {
    sending.add(id);
    delivery.attempts += 1;
    counts.attempts += 1;
    const deadline = new AbortController();
    const cancelDeadline = clock.setTimer(postTimeoutMs, () => deadline.abort());
    const now = clock.now();
    const body = callbackBody(account.recordAt(registration, now), now, signing);
    const isAcknowledged = await post(body, AbortSignal.any([closing.signal, deadline.signal]));
    cancelDeadline();
    if (closing.signal.aborted) return;
    settle(id, delivery, isAcknowledged);
    sendReady();
  };

  const sendReady = (): void => {
    for (const id of ready) {
      if (sending.size >= mostPosts) return;
      ready.delete(id);
      const registration = account.get(id);
      const delivery = deliveries.get(id);
      if (registration !== undefined && delivery !== undefined) void attempt(id, registration, delivery);
    }
  };

  const work = (): void => {
    const now = clock.now();
    for (const id of takeDue(changes, now)) {
      const registration = account.get(id);
      if (registration === undefined) continue;
      announce(id);
      planChange(registration, now);
    }
    for (const id of takeDue(retries, now)) ready.add(id);
    sendReady();
    let next = Number.POSITIVE_INFINITY;
    for (const instants of [changes, retries]) for (const at of instants.values()) next = Math.min(next, at);
    wakeAt(next);
  };

  account.listen((previous, current) => {
    if (closing.signal.aborted) return;
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
    counts: () => ({ ...counts, waiting: deliveries.size }),
    close: () => {
      closing.abort();
      cancelTimer();
      for (const known of [changes, retries, deliveries, ready]) known.clear();
    },
  };
}
