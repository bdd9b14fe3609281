import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';

/** Does something that asks a server of this process, and answers with how long the first answer took the server, in milliseconds. */
export async function withAnswerTime<Result>(
  act: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly answerMs: number }> {
  const [startEvent, finishEvent] = ['http.server.request.start', 'http.server.response.finish'];
  let startedAt: number | null = null;
  let answerMs: number | null = null;
  const onStart = (): void => {
    startedAt ??= performance.now();
  };
  const onFinish = (): void => {
    if (startedAt !== null) answerMs ??= performance.now() - startedAt;
  };
  subscribe(startEvent, onStart);
  subscribe(finishEvent, onFinish);
  try {
    const result = await act();
    return { result, answerMs: answerMs ?? 0 };
  } finally {
    unsubscribe(startEvent, onStart);
    unsubscribe(finishEvent, onFinish);
  }
}
