import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { createTrackingService, type TrackingServiceOptions } from '../../src/service/client.ts';
import { parseBaseUrl } from '../../src/service/connection.ts';
import { defaultOperations, type QueryResponse, ServiceError } from '../../src/service/port.ts';
import { realClock } from '../support/real-clock.ts';
import { json, raw, type Script, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { startRawServer } from './raw-server.ts';

const apiKey = 'key-that-must-never-be-seen';
const key = { trackNo: 'LX123456789CN', courierCode: 'yanwen' };
const mebibyte = 1024 * 1024;

const responseBody = {
  code: '00000',
  msg: 'Success',
  traceId: 'd'.repeat(32),
  data: { accepted: { content: [{ trackNo: key.trackNo, shipmentType: 'Päckchen 小包' }] }, rejected: [] },
};
const responseText = JSON.stringify(responseBody);

/** Queries a server once with the program's own client, but with shorter timeouts. */
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

async function failure(baseUrl: URL, options: Partial<TrackingServiceOptions> = {}): Promise<ServiceError> {
  const error: unknown = await send(baseUrl, options).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error(`expected a ServiceError, got ${String(error)}`);
  expect(error.message).toMatch(/\.$/);
  expect(error.message).not.toContain(apiKey);
  return error;
}

async function serve(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  onTestFinished(() => server.close());
  return server;
}

async function serveRaw(write: (socket: Socket) => void): Promise<URL> {
  const server = await startRawServer(write);
  onTestFinished(() => server.close());
  return server.baseUrl;
}

const shipmentType = async (baseUrl: URL): Promise<string | null | undefined> =>
  (await send(baseUrl)).records[0]?.shipmentType;

/** Writes the same chunk until the other side disconnects. */
function pour(response: ServerResponse, chunk: string): void {
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once('drain', () => pour(response, chunk));
}

describe('the size limit', () => {
  test('allows a response just below 8 MiB', async () => {
    const filler = 'x'.repeat(8 * mebibyte - responseText.length - 100);
    const server = await serve(json({ ...responseBody, filler }));
    expect(await shipmentType(server.baseUrl)).toBe('Päckchen 小包');
  });

  test.each([
    ['with a stated length', raw('x'.repeat(8 * mebibyte + 1))],
    ['without a stated length', raw(' '.repeat(9 * mebibyte), 200, { 'transfer-encoding': 'chunked' })],
    [
      'that never ends',
      (_request: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        pour(response, ' '.repeat(65_536));
      },
    ],
  ])('stops a response over 8 MiB %s', async (_name, script) => {
    const server = await serve(script);
    expect(await failure(server.baseUrl)).toMatchObject({ kind: 'answer-too-large' });
  });

  test('stops headers of 64 KB', async () => {
    const server = await serve(json(responseBody, 200, { 'x-long': 'x'.repeat(65_536) }));
    expect(await failure(server.baseUrl)).toMatchObject({ kind: 'answer-too-large', code: 'UND_ERR_HEADERS_OVERFLOW' });
  });
});

describe('the time limit', () => {
  const shortTimeout = { timeoutMs: 100 };

  test('ends a call without a response', async () => {
    const server = await serve(() => undefined);
    expect(await failure(server.baseUrl, shortTimeout)).toMatchObject({ kind: 'timeout' });
  });

  test('ends a slow response that never finishes, since it covers the whole call', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await failure(server.baseUrl, shortTimeout)).toMatchObject({ kind: 'timeout' });
  });

  test('ends slow headers that never finish', async () => {
    const baseUrl = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await failure(baseUrl, shortTimeout)).toMatchObject({ kind: 'timeout' });
  });

  test('does not delay the call after one that hangs', async () => {
    const server = await serve(() => undefined);
    const timeoutMs = 30_000;
    // The first call times out as soon as the server has received it. The second has as much time as a busy machine
    // needs.
    let [isFirst, expire] = [true, (): void => undefined];
    const setTimer: Clock['setTimer'] = (delayMs, callback) => {
      if (isFirst && delayMs === timeoutMs) expire = callback;
      return realClock.setTimer(delayMs, callback);
    };
    const clock = { ...realClock, setTimer };
    const service = createTrackingService({ baseUrl: server.baseUrl, apiKey, header: 'X-Key', clock, timeoutMs });
    onTestFinished(() => service.close());
    const hung = expect(service.query([key])).rejects.toMatchObject({ kind: 'timeout' });
    await expect.poll(() => server.requests.length).toBe(1);
    isFirst = false;
    expire();
    await hung;
    server.respondWith(json(responseBody));
    expect((await service.query([key])).records).toHaveLength(1);
  });
});

describe('the API key', () => {
  test.each([301, 302, 303, 307, 308])('is not sent to a different host on a redirect (%i)', async (status) => {
    const other = await serve(json(responseBody));
    const server = await serve(raw('', status, { location: new URL('/steal', other.baseUrl).href }));
    const error = await failure(server.baseUrl);
    expect(error).toMatchObject({ kind: 'redirect-refused', httpStatus: status });
    expect(error.message).toContain(server.baseUrl.host);
    expect(server.requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });

  test('is not sent again on a redirect within the same host', async () => {
    const server = await serve(raw('', 308, { location: '/gateway/elsewhere' }));
    expect(await failure(server.baseUrl)).toMatchObject({ kind: 'redirect-refused' });
    expect(server.requests.map((request) => request.path)).toEqual(['/gateway/tk/v2.1/track/query']);
  });

  test('is not sent to URLs in other response headers', async () => {
    const other = await serve(json(responseBody));
    const hints = {
      refresh: `0; url=${other.baseUrl.href}`,
      'alt-svc': `h2="${other.baseUrl.host}"`,
      location: other.baseUrl.href,
    };
    const server = await serve(json(responseBody, 200, { ...hints, link: `<${other.baseUrl.href}>; rel=preload` }));
    expect(await shipmentType(server.baseUrl)).toBe('Päckchen 小包');
    expect(other.requests).toEqual([]);
  });

  test('is sent to the configured host even if the path looks like a different URL', async () => {
    const other = await serve(json(responseBody));
    const server = await serve(json(responseBody));
    for (const path of [
      `//${other.baseUrl.host}/steal`,
      other.baseUrl.href,
      `/..//${other.baseUrl.host}/x`,
      `\\\\${other.baseUrl.host}`,
    ]) {
      const operations = { ...defaultOperations, query: { ...defaultOperations.query, path } };
      await send(server.baseUrl, { operations });
    }
    expect(server.requests).toHaveLength(4);
    expect(other.requests).toEqual([]);
  });

  test('is never accompanied by cookies from a response', async () => {
    const server = await serve(json(responseBody, 200, { 'set-cookie': 'session=1' }));
    await send(server.baseUrl);
    await send(server.baseUrl);
    expect(server.requests.map((request) => request.headers.cookie)).toEqual([undefined, undefined]);
  });

  test('is not sent if the certificate is invalid, and the error says so', async () => {
    const fixture = (name: string): string =>
      readFileSync(new URL(`../fixtures/self-signed-for-tests-only.${name}.pem`, import.meta.url), 'utf8');
    let requests = 0;
    const server = createHttpsServer({ key: fixture('key'), cert: fixture('cert') }, (_request, response) => {
      requests += 1;
      response.end(responseText);
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const error = await failure(parseBaseUrl(`https://localhost:${port}`));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(error.message).toContain(`certificate of localhost:${port} is not valid`);
    expect(requests).toBe(0);
  });

  test('is not sent to a server without TLS at an https URL', async () => {
    const server = await serve(json(responseBody));
    const error = await failure(parseBaseUrl(`https://localhost:${server.baseUrl.port}`));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(server.requests).toEqual([]);
  });
});

describe('the client', () => {
  test('requests an uncompressed body, and reports a compressed one', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(responseText));
    });
    const error = await failure(server.baseUrl);
    expect(error).toMatchObject({ kind: 'bad-answer', httpStatus: 200 });
    expect(error.message).toContain('compressed');
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  test("recognises a gateway's compressed error page as a failure", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(502, { 'content-encoding': 'gzip' });
      response.end(gzipSync('<html>'));
    });
    expect(await failure(server.baseUrl)).toMatchObject({ kind: 'service-trouble', httpStatus: 502 });
  });

  test.each([
    ['utf-8', Buffer.from(responseText)],
    ['utf-16le', Buffer.from(responseText, 'utf16le')],
    ['"UTF-16"', Buffer.from(`\ufeff${responseText}`, 'utf16le')],
  ])('reads a body in the character set of its type: %s', async (charset, body) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': `application/json; charset=${charset}` });
      response.end(body);
    });
    expect(await shipmentType(server.baseUrl)).toBe('Päckchen 小包');
  });

  test('reads a body in an older Chinese character set', async () => {
    const [before, after] = responseText.split('Päckchen 小包');
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json;charset=GBK' });
      response.end(
        Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xd0, 0xa1, 0xb0, 0xfc]), Buffer.from(after ?? '')]),
      );
    });
    expect(await shipmentType(server.baseUrl)).toBe('小包');
  });

  test('names an unknown character set', async () => {
    const server = await serve(raw(responseText, 200, { 'content-type': 'application/json; charset=klingon' }));
    const error = await failure(server.baseUrl);
    expect(error).toMatchObject({ kind: 'bad-answer' });
    expect(error.message).toContain('character set');
  });

  test('loses only a character to invalid UTF-8, not the response', async () => {
    const bytes = Buffer.from(responseText.replace('小', '\u0001'), 'utf8').map((byte) => (byte === 1 ? 0xff : byte));
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(bytes);
    });
    expect(await shipmentType(server.baseUrl)).toBe('Päckchen \ufffd包');
  });

  test('skips a byte order mark, even twice', async () => {
    const once = await serve(raw(`\ufeff${responseText}`));
    const twice = await serve(raw(`\ufeff\ufeff${responseText}`));
    expect(await shipmentType(once.baseUrl)).toBe('Päckchen 小包');
    expect(await shipmentType(twice.baseUrl)).toBe('Päckchen 小包');
  });

  test('uses the last of duplicate keys, as JSON parsers do', async () => {
    const withDuplicateKeys = responseText
      .replace('"trackNo"', '"trackNo":"SOMEBODY1","trackNo"')
      .replace('{', '{"code":"B0001",');
    const server = await serve(raw(withDuplicateKeys));
    expect(await shipmentType(server.baseUrl)).toBe('Päckchen 小包');
  });

  test.each([
    ['a huge string', raw(JSON.stringify('x'.repeat(5 * mebibyte)))],
    ['a number', raw('5')],
    ['null', raw('null')],
    ['empty (204)', raw('', 204)],
    ['empty (200)', raw('')],
    ['only white space', raw(' \n ')],
  ])('reports a response that is %s as a bad one', async (_name, script) => {
    const server = await serve(script);
    expect(await failure(server.baseUrl)).toMatchObject({ kind: 'bad-answer' });
  });
});

describe('the client, at the byte level,', () => {
  test('reads an HTTP/1.0 response that ends with its connection', async () => {
    const baseUrl = await serveRaw((socket) => {
      socket.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${responseText}`);
    });
    expect(await shipmentType(baseUrl)).toBe('Päckchen 小包');
  });

  test('skips an interim response before the real one', async () => {
    const baseUrl = await serveRaw((socket) => {
      const length = Buffer.byteLength(responseText);
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n');
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${responseText}`);
    });
    expect(await shipmentType(baseUrl)).toBe('Päckchen 小包');
  });

  const responseBytes = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(responseText)}\r\n\r\n${responseText}`;
  const continueResponse = 'HTTP/1.1 100 Continue\r\n\r\n';

  test.each([
    ['one', continueResponse],
    ['one with headers', 'HTTP/1.1 100 Continue\r\nserver: gateway\r\nx: y\r\n\r\n'],
    ['several', continueResponse.repeat(5)],
    ['an HTTP/1.0 one, with other interim responses', `HTTP/1.0 100\r\n\r\nHTTP/1.1 102 P\r\n\r\n${continueResponse}`],
  ])('skips an unexpected "100 Continue": %s', async (_name, interim) => {
    expect(await shipmentType(await serveRaw((socket) => socket.write(interim + responseBytes)))).toBe('Päckchen 小包');
    const inPieces = await serveRaw((socket) => {
      socket.setNoDelay(true).write(interim);
      setImmediate(() => socket.write(responseBytes));
    });
    expect(await shipmentType(inPieces)).toBe('Päckchen 小包');
  });

  test('skips a "100 Continue" that arrives byte by byte', async () => {
    const baseUrl = await serveRaw((socket) => {
      const writeFrom = (at: number): void => {
        const character = (continueResponse + continueResponse)[at];
        if (character === undefined) socket.write(responseBytes);
        else socket.write(character, () => setImmediate(writeFrom, at + 1));
      };
      socket.setNoDelay(true);
      writeFrom(0);
    });
    expect(await shipmentType(baseUrl)).toBe('Päckchen 小包');
  });

  test('skips a "100 Continue" before each response on a connection, but not inside one', async () => {
    const text = JSON.stringify(responseBody).replace(
      'Päckchen 小包',
      `x${'HTTP/1.1 100 Continue\\r\\n\\r\\n'.repeat(3)}`,
    );
    let connections = 0;
    const baseUrl = await serveRaw((socket) => {
      connections += 1;
      const reply = (): void => {
        socket.write(
          `${continueResponse}HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text.slice(0, 9)}`,
        );
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

  test('ends endless interim responses at the time limit', async () => {
    const baseUrl = await serveRaw((socket) => {
      const drip = setInterval(
        () => socket.write(`${continueResponse}HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n`),
        5,
      );
      socket.on('close', () => clearInterval(drip));
    });
    expect(await failure(baseUrl, { timeoutMs: 100 })).toMatchObject({ kind: 'timeout' });
  });

  test('stops an interim response of 400 kB as too large', async () => {
    const baseUrl = await serveRaw((socket) =>
      socket.write(`HTTP/1.1 100 Continue\r\nx: ${'x'.repeat(400_000)}\r\n\r\n${responseBytes}`),
    );
    expect(await failure(baseUrl)).toMatchObject({ kind: 'answer-too-large' });
  });

  test('reports the service as unreachable if nothing follows a "100 Continue"', async () => {
    expect(await failure(await serveRaw((socket) => socket.end(continueResponse)))).toMatchObject({
      kind: 'unreachable',
    });
  });

  test.each([
    ['an unrequested protocol change', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['half a status line', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['a different protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a line break in a header', 'HTTP/1.1 200 OK\r\nx\n: 1\r\n\r\n'],
    ['chunks without lengths', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnot-a-length\r\n'],
  ])('reports a response that is not HTTP as a bad one: %s', async (_name, bytes) => {
    const baseUrl = await serveRaw((socket) => socket.end(bytes));
    const error = await failure(baseUrl);
    expect(error).toMatchObject({ kind: 'bad-answer' });
    expect(error.message).toContain('HTTP');
  });

  test('discards a truncated response, and reports the service as unreachable', async () => {
    const baseUrl = await serveRaw((socket) => {
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${responseText.length + 500}\r\n\r\n${responseText}`);
    });
    expect(await failure(baseUrl)).toMatchObject({ kind: 'unreachable' });
  });
});
