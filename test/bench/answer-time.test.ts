import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withAnswerTime } from './answer-time.ts';

test('only the first answer counts, from the request to its end', async () => {
  const server = createServer((request, response) => {
    void delay(request.url === '/first' ? 30 : 300).then(() => response.end('done'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { result, answerMs } = await withAnswerTime(async () => {
    for (const path of ['/first', '/second']) await (await fetch(`${base}${path}`)).text();
    return 'result';
  });
  server.closeAllConnections();
  server.close();
  expect(result).toBe('result');
  expect(answerMs).toBeGreaterThanOrEqual(29);
  expect(answerMs).toBeLessThan(300);
});

test('what asks nothing takes no time of a server', async () => {
  expect(await withAnswerTime(async () => 'result')).toEqual({ result: 'result', answerMs: 0 });
});
