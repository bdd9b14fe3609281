import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runSandbox, type TestSandbox } from '../support.ts';

/** Sends a request with only the given headers, and returns the status line and the body. */
async function send({ baseUrl, apiKey }: TestSandbox, head: string, body = ''): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.write(
    `${head}\r\nService-Api-Secret: ${apiKey}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  return await text(socket);
}

const faults = JSON.stringify([{ name: 'error-500' }]);

describe('the sandbox', () => {
  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.0.0.1:1', '127.8.9.10:65535', '[::1]:8080'])(
    'accepts the names of the local machine: %s',
    async (host) => {
      const sandbox = await runSandbox();
      expect(await send(sandbox, `GET /sandbox/faults HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'x127.0.0.1',
    'localhost:8080.evil.example',
    'sub.localhost',
    '0.0.0.0',
    '192.168.0.7:8080',
    '[::]',
  ])('refuses any other name, because a web page could choose it: %s', async (host) => {
    const sandbox = await runSandbox();
    for (const path of ['/tk/v2.1/courier/list', '/sandbox/state', '/']) {
      const response = await send(sandbox, `GET ${path} HTTP/1.1\r\nHost: ${host}`);
      expect(response).toMatch(/^HTTP\/1\.1 4(?:00|21) /);
      expect(response).not.toContain('data');
    }
    expect((await sandbox.get('/sandbox/state')).body.calls).toEqual({});
  });

  it('refuses a request without a host name', async () => {
    const sandbox = await runSandbox();
    expect(await send(sandbox, 'GET /sandbox/state HTTP/1.0')).toMatch(/^HTTP\/1\.1 4(?:00|21) /);
  });

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'https://127.0.0.1@evil.example'])(
    'refuses web pages, which cannot hide their origin: %s',
    async (origin) => {
      const sandbox = await runSandbox();
      const head = `PUT /sandbox/faults HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\nContent-Type: text/plain`;
      expect(await send(sandbox, head, faults)).toMatch(/^HTTP\/1\.1 403 /);
      expect((await sandbox.get('/sandbox/faults')).body).toEqual([]);
    },
  );

  it('accepts a page on this machine', async () => {
    const sandbox = await runSandbox();
    const head = 'GET /sandbox/state HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://localhost:3000';
    expect(await send(sandbox, head)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('sends no headers that let a page read or send more', async () => {
    const sandbox = await runSandbox();
    const preflight = await send(
      sandbox,
      'OPTIONS /sandbox/faults HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://localhost:3000\r\nAccess-Control-Request-Method: PUT',
    );
    expect(preflight.toLowerCase()).not.toContain('access-control-allow');
  });
});
