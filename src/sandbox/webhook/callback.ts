import type { EpochMs } from '../../service/clock.ts';
import { webhookSignature } from '../../service/webhook.ts';
import type { WireRecord, WireWebhook } from '../../service/wire.ts';

/**
 * The body of a callback, see {@link WireWebhook}. As in the vendor's sample, `id` is a number, with more digits than a
 * double holds. The unit of the timestamp is documented nowhere; here it is milliseconds since 1970.
 */
export function callbackBody({ id, ...record }: WireRecord, now: EpochMs, apiKey: string): string {
  const timestamp = String(now);
  const verify: WireWebhook['verify'] = { timestamp, signature: webhookSignature(apiKey, timestamp) };
  // JSON.stringify would round the number.
  const data = JSON.stringify(record).replace(/^\{/, `{"id":${id},`);
  return `{"data":${data},"verify":${JSON.stringify(verify)}}`;
}

/** Sends a callback; true when it was acknowledged, which any HTTP 2xx does. */
export type PostCallback = (body: string, signal: AbortSignal) => Promise<boolean>;

/** Sends callbacks to a URL. Redirects are not followed. A receiver that cannot be reached acknowledges nothing. */
export function createPostCallback(url: URL): PostCallback {
  return async (body, signal) => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal,
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      // Refused, reset, too slow or called off: all the same to the retry schedule.
      return false;
    }
  };
}
