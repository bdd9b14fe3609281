import { orAborted } from '../lib/async.ts';
import type { Clock } from '../lib/clock.ts';

export interface Message {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly proxy: URL | null;
}

const limitMs = 10_000;
const largestAnswer = 64 * 1024;

/** Sends one message and returns the HTTP status. Follows no redirect, and takes 10 s at most. Rejects with the error of the connection. */
export async function postMessage(
  { body, headers, proxy, url }: Message,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<number> {
  const { openDispatcher } = await import('./http-client.ts');
  const dispatcher = openDispatcher({ timeoutMs: limitMs, largestAnswer, proxy });
  const deadline = new AbortController();
  const cancel = clock.setTimer(limitMs, () => deadline.abort(new Error('no answer within 10 seconds')));
  const ends = AbortSignal.any([signal, deadline.signal]);
  const send = async (): Promise<number> => {
    const answer = await dispatcher.request({
      ...{ origin: url.origin, path: url.pathname + url.search, method: 'POST' },
      ...{ headers, body, signal: ends },
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  try {
    return await orAborted(send(), ends);
  } finally {
    cancel();
    await dispatcher.destroy();
  }
}
