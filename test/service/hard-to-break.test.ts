import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { parseBaseUrl } from '../../src/service/address.ts';
import { createTrackingService, type TrackingServiceOptions } from '../../src/service/client.ts';
import { ServiceError } from '../../src/service/errors.ts';
import { defaultOperations } from '../../src/service/port.ts';
import type { QueryResponse } from '../../src/service/record.ts';
import { realClock } from '../support/real-clock.ts';
import { json, raw, type Script, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { startRawServer } from './raw-server.ts';

const apiKey = 'key-that-must-never-be-seen';
const key = { trackNo: 'LX123456789CN', courierCode: 'yanwen' };
const mebibyte = 1024 * 1024;

const answered = {
  code: '00000',
  msg: 'Success',
  traceId: 'd'.repeat(32),
  data: { accepted: { content: [{ trackNo: key.trackNo, shipmentType: 'Päckchen 小包' }] }, rejected: [] },
};
const answeredText = JSON.stringify(answered);

/** Calls a server once, with the client as the program creates it, but with shorter timeouts. */
async function send(baseUrl: URL, options: Partial<TrackingServiceOptions> = {}): Promise<QueryResponse> {
  const service = createTrackingService({
    baseUrl,
    apiKey,
    header: 'Service-Api-Secret',
    clock: realClock,
    timeoutMs: 30_000,
    ...options,
  });
  try {
    return await service.query([key]);
  } finally {
    await service.close();
  }
}

async function refusal(baseUrl: URL, options: Partial<TrackingServiceOptions> = {}): Promise<ServiceError> {
  const error: unknown = await send(baseUrl, options).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error(`expected a ServiceError, got ${String(error)}`);
  expect(error.message).toMatch(/\.$/);
  expect(error.message).not.toContain(apiKey);
  return error;
}

async function scripted(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  onTestFinished(() => server.close());
  return server;
}

async function rawAnswer(write: (socket: Socket) => void): Promise<URL> {
  const server = await startRawServer(write);
  onTestFinished(() => server.close());
  return server.baseUrl;
}

const typeOfCargo = async (baseUrl: URL): Promise<string | null | undefined> =>
  (await send(baseUrl)).records[0]?.shipmentType;

/** Writes the same bytes until the other side has enough. */
function pour(response: ServerResponse, chunk: string): void {
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once('drain', () => pour(response, chunk));
}

describe('size', () => {
  test('an answer just below 8 MiB is read', async () => {
    const filler = 'x'.repeat(8 * mebibyte - answeredText.length - 100);
    const server = await scripted(json({ ...answered, filler }));
    expect(await typeOfCargo(server.baseUrl)).toBe('Päckchen 小包');
  });

  test.each([
    ['that states its length', raw('x'.repeat(8 * mebibyte + 1))],
    ['that lies about its length', raw(' '.repeat(9 * mebibyte), 200, { 'transfer-encoding': 'chunked' })],
    [
      'without end',
      (_request: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        pour(response, ' '.repeat(65_536));
      },
    ],
  ])('an answer over 8 MiB is refused: a response %s', async (_name, script) => {
    const server = await scripted(script);
    expect(await refusal(server.baseUrl)).toMatchObject({ kind: 'answer-too-large' });
  });

  test('headers of 64 KB are refused as too large', async () => {
    const server = await scripted(json(answered, 200, { 'x-long': 'x'.repeat(65_536) }));
    expect(await refusal(server.baseUrl)).toMatchObject({ kind: 'answer-too-large', code: 'UND_ERR_HEADERS_OVERFLOW' });
  });
});

describe('time', () => {
  const short = { timeoutMs: 100 };

  test('no answer at all ends at the limit', async () => {
    const server = await scripted(() => undefined);
    expect(await refusal(server.baseUrl, short)).toMatchObject({ kind: 'timeout' });
  });

  test('an endless slow response ends at the limit of the whole call', async () => {
    const server = await scripted((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await refusal(server.baseUrl, short)).toMatchObject({ kind: 'timeout' });
  });

  test('endless slow headers end at the limit', async () => {
    const baseUrl = await rawAnswer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await refusal(baseUrl, short)).toMatchObject({ kind: 'timeout' });
  });

  test('a call that hangs does not delay the next one', async () => {
    const server = await scripted(() => undefined);
    const timeoutMs = 30_000;
    // The first call has no time left when the server has received it. The second one has as much time as a busy
    // machine needs.
    let [isFirst, pass] = [true, (): void => undefined];
    const setTimer: Clock['setTimer'] = (delayMs, callback) => {
      if (isFirst && delayMs === timeoutMs) pass = callback;
      return realClock.setTimer(delayMs, callback);
    };
    const clock = { ...realClock, setTimer };
    const service = createTrackingService({ baseUrl: server.baseUrl, apiKey, header: 'X-Key', clock, timeoutMs });
    onTestFinished(() => service.close());
    const hung = expect(service.query([key])).rejects.toMatchObject({ kind: 'timeout' });
    await expect.poll(() => server.seen.length).toBe(1);
    isFirst = false;
    pass();
    await hung;
    server.answerWith(json(answered));
    expect((await service.query([key])).records).toHaveLength(1);
  });
});

describe('where the key is sent', () => {
  test.each([301, 302, 303, 307, 308])(
    'a redirect (%i) to another host is refused, and that host sees nothing',
    async (status) => {
      const other = await scripted(json(answered));
      const server = await scripted(raw('', status, { location: new URL('/steal', other.baseUrl).href }));
      const error = await refusal(server.baseUrl);
      expect(error).toMatchObject({ kind: 'redirect-refused', httpStatus: status });
      expect(error.message).toContain(server.baseUrl.host);
      expect(server.seen).toHaveLength(1);
      expect(other.seen).toEqual([]);
    },
  );

  test('a redirect on the same host is refused too', async () => {
    const server = await scripted(raw('', 308, { location: '/gateway/elsewhere' }));
    expect(await refusal(server.baseUrl)).toMatchObject({ kind: 'redirect-refused' });
    expect(server.seen.map((request) => request.path)).toEqual(['/gateway/tk/v2.1/track/query']);
  });

  test('other kinds of redirects are not followed', async () => {
    const other = await scripted(json(answered));
    const hints = {
      refresh: `0; url=${other.baseUrl.href}`,
      'alt-svc': `h2="${other.baseUrl.host}"`,
      location: other.baseUrl.href,
    };
    const server = await scripted(json(answered, 200, { ...hints, link: `<${other.baseUrl.href}>; rel=preload` }));
    expect(await typeOfCargo(server.baseUrl)).toBe('Päckchen 小包');
    expect(other.seen).toEqual([]);
  });

  test('a configured path that looks like another address stays on the configured one', async () => {
    const other = await scripted(json(answered));
    const server = await scripted(json(answered));
    for (const path of [
      `//${other.baseUrl.host}/steal`,
      other.baseUrl.href,
      `/..//${other.baseUrl.host}/x`,
      `\\\\${other.baseUrl.host}`,
    ]) {
      const operations = { ...defaultOperations, query: { ...defaultOperations.query, path } };
      await send(server.baseUrl, { operations });
    }
    expect(server.seen).toHaveLength(4);
    expect(other.seen).toEqual([]);
  });

  test('cookies of an answer are not sent back', async () => {
    const server = await scripted(json(answered, 200, { 'set-cookie': 'session=1' }));
    await send(server.baseUrl);
    await send(server.baseUrl);
    expect(server.seen.map((request) => request.headers.cookie)).toEqual([undefined, undefined]);
  });

  test('names an invalid certificate and sends no request', async () => {
    const fixture = (name: string): string =>
      readFileSync(new URL(`../fixtures/self-signed-for-tests-only.${name}.pem`, import.meta.url), 'utf8');
    let requests = 0;
    const server = createHttpsServer({ key: fixture('key'), cert: fixture('cert') }, (_request, response) => {
      requests += 1;
      response.end(answeredText);
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const error = await refusal(parseBaseUrl(`https://localhost:${port}`));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(error.message).toContain(`certificate of localhost:${port} is not valid`);
    expect(requests).toBe(0);
  });

  test('a server without TLS at an https address gets nothing', async () => {
    const server = await scripted(json(answered));
    const error = await refusal(parseBaseUrl(`https://localhost:${server.baseUrl.port}`));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(server.seen).toEqual([]);
  });
});

describe('form', () => {
  test('requests an uncompressed body, and reports a compressed one', async () => {
    const server = await scripted((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(answeredText));
    });
    const error = await refusal(server.baseUrl);
    expect(error).toMatchObject({ kind: 'bad-answer', httpStatus: 200 });
    expect(error.message).toContain('compressed');
    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('a compressed error page of a gateway is still a failure', async () => {
    const server = await scripted((_request, response) => {
      response.writeHead(502, { 'content-encoding': 'gzip' });
      response.end(gzipSync('<html>'));
    });
    expect(await refusal(server.baseUrl)).toMatchObject({ kind: 'service-trouble', httpStatus: 502 });
  });

  test.each([
    ['utf-8', Buffer.from(answeredText)],
    ['utf-16le', Buffer.from(answeredText, 'utf16le')],
    ['"UTF-16"', Buffer.from(`\ufeff${answeredText}`, 'utf16le')],
  ])('reads a body in the character set of its type: %s', async (charset, body) => {
    const server = await scripted((_request, response) => {
      response.writeHead(200, { 'content-type': `application/json; charset=${charset}` });
      response.end(body);
    });
    expect(await typeOfCargo(server.baseUrl)).toBe('Päckchen 小包');
  });

  test('a body in an older Chinese character set is read', async () => {
    const [before, after] = answeredText.split('Päckchen 小包');
    const server = await scripted((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json;charset=GBK' });
      response.end(
        Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xd0, 0xa1, 0xb0, 0xfc]), Buffer.from(after ?? '')]),
      );
    });
    expect(await typeOfCargo(server.baseUrl)).toBe('小包');
  });

  test('an unknown character set is named', async () => {
    const server = await scripted(raw(answeredText, 200, { 'content-type': 'application/json; charset=klingon' }));
    const error = await refusal(server.baseUrl);
    expect(error).toMatchObject({ kind: 'bad-answer' });
    expect(error.message).toContain('character set');
  });

  test('invalid UTF-8 drops a character, not the answer', async () => {
    const bytes = Buffer.from(answeredText.replace('小', '\u0001'), 'utf8').map((byte) => (byte === 1 ? 0xff : byte));
    const server = await scripted((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(bytes);
    });
    expect(await typeOfCargo(server.baseUrl)).toBe('Päckchen \ufffd包');
  });

  test('skips a byte order mark, even twice', async () => {
    const once = await scripted(raw(`\ufeff${answeredText}`));
    const twice = await scripted(raw(`\ufeff\ufeff${answeredText}`));
    expect(await typeOfCargo(once.baseUrl)).toBe('Päckchen 小包');
    expect(await typeOfCargo(twice.baseUrl)).toBe('Päckchen 小包');
  });

  test('uses the last of duplicate keys, as JSON parsers do', async () => {
    const doubled = answeredText
      .replace('"trackNo"', '"trackNo":"SOMEBODY1","trackNo"')
      .replace('{', '{"code":"B0001",');
    const server = await scripted(raw(doubled));
    expect(await typeOfCargo(server.baseUrl)).toBe('Päckchen 小包');
  });

  test.each([
    ['a huge text', raw(JSON.stringify('x'.repeat(5 * mebibyte)))],
    ['a number', raw('5')],
    ['null', raw('null')],
    ['nothing (204)', raw('', 204)],
    ['nothing (200)', raw('')],
    ['white space', raw(' \n ')],
  ])('an answer that is %s is a bad answer', async (_name, script) => {
    const server = await scripted(script);
    expect(await refusal(server.baseUrl)).toMatchObject({ kind: 'bad-answer' });
  });
});

describe('below HTTP', () => {
  test('an answer of HTTP/1.0 that ends with its connection is read', async () => {
    const baseUrl = await rawAnswer((socket) => {
      socket.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${answeredText}`);
    });
    expect(await typeOfCargo(baseUrl)).toBe('Päckchen 小包');
  });

  test('skips an interim answer before the real one', async () => {
    const baseUrl = await rawAnswer((socket) => {
      const length = Buffer.byteLength(answeredText);
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n');
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${answeredText}`);
    });
    expect(await typeOfCargo(baseUrl)).toBe('Päckchen 小包');
  });

  const answerBytes = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(answeredText)}\r\n\r\n${answeredText}`;
  const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

  test.each([
    ['one', goOn],
    ['with headers', 'HTTP/1.1 100 Continue\r\nserver: gateway\r\nx: y\r\n\r\n'],
    ['several', goOn.repeat(5)],
    ['of HTTP/1.0, together with other interim answers', `HTTP/1.0 100\r\n\r\nHTTP/1.1 102 P\r\n\r\n${goOn}`],
  ])('an unexpected "100 Continue" is skipped: %s', async (_name, interim) => {
    expect(await typeOfCargo(await rawAnswer((socket) => socket.write(interim + answerBytes)))).toBe('Päckchen 小包');
    const inPieces = await rawAnswer((socket) => {
      socket.setNoDelay(true).write(interim);
      setImmediate(() => socket.write(answerBytes));
    });
    expect(await typeOfCargo(inPieces)).toBe('Päckchen 小包');
  });

  test('skips a "100 Continue" that arrives byte by byte', async () => {
    const baseUrl = await rawAnswer((socket) => {
      const writeFrom = (at: number): void => {
        const sign = (goOn + goOn)[at];
        if (sign === undefined) socket.write(answerBytes);
        else socket.write(sign, () => setImmediate(writeFrom, at + 1));
      };
      socket.setNoDelay(true);
      writeFrom(0);
    });
    expect(await typeOfCargo(baseUrl)).toBe('Päckchen 小包');
  });

  test('skips a "100 Continue" before every answer of a connection, but not inside one', async () => {
    const text = JSON.stringify(answered).replace('Päckchen 小包', `x${'HTTP/1.1 100 Continue\\r\\n\\r\\n'.repeat(3)}`);
    let connections = 0;
    const baseUrl = await rawAnswer((socket) => {
      connections += 1;
      const reply = (): void => {
        socket.write(`${goOn}HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text.slice(0, 9)}`);
        setImmediate(() => socket.write(text.slice(9)));
      };
      reply();
      socket.on('data', (piece: Buffer) => {
        if (piece.includes('POST ')) reply();
      });
    });
    const service = createTrackingService({ baseUrl, apiKey, header: 'X-Key', clock: realClock, timeoutMs: 2000 });
    onTestFinished(() => service.close());
    for (const _call of [1, 2, 3, 4]) {
      const { records } = await service.query([key]);
      expect(records[0]?.shipmentType).toMatch(/^xHTTP/);
    }
    expect(connections).toBeLessThan(3);
  });

  test('endless interim answers end at the limit', async () => {
    const baseUrl = await rawAnswer((socket) => {
      const drip = setInterval(() => socket.write(`${goOn}HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n`), 5);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await refusal(baseUrl, { timeoutMs: 100 })).toMatchObject({ kind: 'timeout' });
  });

  test('an interim answer of 400 kB is refused as too large', async () => {
    const baseUrl = await rawAnswer((socket) =>
      socket.write(`HTTP/1.1 100 Continue\r\nx: ${'x'.repeat(400_000)}\r\n\r\n${answerBytes}`),
    );
    expect(await refusal(baseUrl)).toMatchObject({ kind: 'answer-too-large' });
  });

  test('a "100 Continue" and then nothing is unreachable', async () => {
    expect(await refusal(await rawAnswer((socket) => socket.end(goOn)))).toMatchObject({ kind: 'unreachable' });
  });

  test.each([
    ['an unrequested protocol change', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['half a status line', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a header with a line break in it', 'HTTP/1.1 200 OK\r\nx\n: 1\r\n\r\n'],
    ['chunks without lengths', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnot-a-length\r\n'],
  ])('an answer that is not HTTP is a bad answer: %s', async (_name, bytes) => {
    const baseUrl = await rawAnswer((socket) => socket.end(bytes));
    const error = await refusal(baseUrl);
    expect(error).toMatchObject({ kind: 'bad-answer' });
    expect(error.message).toContain('HTTP');
  });

  test('a truncated answer is unreachable, and none of it is used', async () => {
    const baseUrl = await rawAnswer((socket) => {
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${answeredText.length + 500}\r\n\r\n${answeredText}`);
    });
    expect(await refusal(baseUrl)).toMatchObject({ kind: 'unreachable' });
  });
});
