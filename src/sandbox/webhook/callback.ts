import http from 'node:http';
import https from 'node:https';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { WireRecord, WireWebhook } from '../../service/record/wire.ts';
import { signatureOf } from '../../service/webhook/signature.ts';
import type { WebhookSignature } from '../../service/webhook/signature-methods.ts';

/** How callbacks are signed. */
export interface CallbackSigning {
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
export type PostCallback = (body: string, signal: AbortSignal) => Promise<boolean>;

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
