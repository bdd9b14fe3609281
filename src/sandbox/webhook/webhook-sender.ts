import { type Clock, type EpochMs, longestTimerMs } from '../../service/clock/clock.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { fingerprintAt, nextChangeAt } from '../world/sighting.ts';
import { createAgenda } from './agenda.ts';
import { callbackBody, type PostCallback } from './callback.ts';

/** What became of callbacks so far. */
export interface WebhookCounts {
  /** Attempts that were made. */
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

/** What a sender works with. */
export interface WebhookSenderOptions {
  readonly account: Account;
  readonly clock: Clock;
  readonly apiKey: string;
  /** Divides the waits between attempts. */
  readonly speed: number;
  readonly post: PostCallback;
}

/** Seconds before the second attempt, the third, and so on to the seventh and last one. */
const retryWaits: readonly number[] = [600, 1800, 3600, 14_400, 43_200, 129_600];

/** Longest time for one callback, in milliseconds; an assumption. */
const postTimeoutMs = 10_000;
const mostPosts = 8;

/** The unacknowledged state of one number. */
interface Delivery {
  /** Attempts that this state has had. */
  attempts: number;
  isSending: boolean;
  /** The record has changed again while it was sent: what was sent is no longer the newest. */
  isOutdated: boolean;
}

/**
 * Starts to call back whenever status or events of a registered number change, as the webhook of the public service
 * does with "All available updates". What is sent is the record at the time of the attempt; a newer state takes the
 * place of one that waits for its next attempt and has all attempts before it, so that a number's states arrive in
 * order. Nothing is sent for a registration or a deletion by itself.
 */
export function startWebhookSender({ account, clock, apiKey, speed, post }: WebhookSenderOptions): WebhookSender {
  const changes = createAgenda();
  const retries = createAgenda();
  const deliveries = new Map<string, Delivery>();
  /** Ids whose record is to be sent as soon as a call is free. */
  const ready = new Set<string>();
  const closing = new AbortController();
  const counts = { attempts: 0, acknowledged: 0, abandoned: 0 };
  let posting = 0;
  let timerAt: EpochMs | null = null;
  let cancelTimer = (): void => undefined;

  const planChange = (registration: Registration, now: EpochMs): void =>
    changes.set(registration.id, nextChangeAt(registration, now));

  const announce = (id: string): void => {
    const delivery = deliveries.get(id);
    retries.set(id, null);
    if (delivery?.isSending === true) {
      delivery.isOutdated = true;
      return;
    }
    deliveries.set(id, { attempts: 0, isSending: false, isOutdated: false });
    ready.add(id);
  };

  const forget = (id: string): void => {
    changes.set(id, null);
    retries.set(id, null);
    deliveries.delete(id);
    ready.delete(id);
  };

  /** Decides after an attempt what comes next for the number. */
  const settle = (id: string, delivery: Delivery, isAcknowledged: boolean): void => {
    delivery.isSending = false;
    counts.acknowledged += isAcknowledged ? 1 : 0;
    if (deliveries.get(id) !== delivery) return;
    if (delivery.isOutdated) {
      announce(id);
      return;
    }
    const waitSeconds = retryWaits[delivery.attempts - 1];
    if (isAcknowledged || waitSeconds === undefined) {
      counts.abandoned += isAcknowledged ? 0 : 1;
      deliveries.delete(id);
      return;
    }
    retries.set(id, clock.now() + (waitSeconds * 1000) / speed);
  };

  const attempt = async (id: string, registration: Registration, delivery: Delivery): Promise<void> => {
    delivery.isSending = true;
    delivery.attempts += 1;
    counts.attempts += 1;
    posting += 1;
    const deadline = new AbortController();
    const cancelDeadline = clock.setTimer(postTimeoutMs, () => deadline.abort());
    const now = clock.now();
    const body = callbackBody(account.recordAt(registration, now), now, apiKey);
    const isAcknowledged = await post(body, AbortSignal.any([closing.signal, deadline.signal]));
    cancelDeadline();
    posting -= 1;
    if (closing.signal.aborted) return;
    settle(id, delivery, isAcknowledged);
    work();
  };

  const sendReady = (): void => {
    for (const id of ready) {
      if (posting >= mostPosts) return;
      ready.delete(id);
      const registration = account.get(id);
      const delivery = deliveries.get(id);
      if (registration !== undefined && delivery !== undefined) void attempt(id, registration, delivery);
    }
  };

  const setTimer = (): void => {
    const next = Math.min(changes.nextAt() ?? Number.POSITIVE_INFINITY, retries.nextAt() ?? Number.POSITIVE_INFINITY);
    if (next === timerAt) return;
    cancelTimer();
    timerAt = Number.isFinite(next) ? next : null;
    if (timerAt === null) return;
    const delayMs = Math.min(longestTimerMs, Math.max(0, Math.ceil(timerAt - clock.now())));
    cancelTimer = clock.setTimer(delayMs, () => {
      timerAt = null;
      work();
    });
  };

  const work = (): void => {
    if (closing.signal.aborted) return;
    const now = clock.now();
    for (const id of changes.takeDue(now)) {
      const registration = account.get(id);
      if (registration === undefined) continue;
      announce(id);
      planChange(registration, now);
    }
    for (const id of retries.takeDue(now)) ready.add(id);
    sendReady();
    setTimer();
  };

  account.listen((previous, current) => {
    if (closing.signal.aborted) return;
    if (current === null) {
      if (previous !== null) forget(previous.id);
    } else {
      const now = clock.now();
      if (previous !== null && fingerprintAt(previous, now) !== fingerprintAt(current, now)) announce(current.id);
      planChange(current, now);
    }
    work();
  });
  for (const registration of account.all()) planChange(registration, clock.now());
  work();

  return {
    counts: () => ({ ...counts, waiting: deliveries.size }),
    close: () => {
      closing.abort();
      cancelTimer();
      changes.clear();
      retries.clear();
      ready.clear();
      deliveries.clear();
    },
  };
}
