import { connect, type Socket } from 'node:net';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { minuteMs as minute } from '../../../src/lib/clock.ts';
import { StoreError } from '../../../src/lib/store-errors.ts';
import {
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '../../../src/polling/webhook/webhook-receiver.ts';
import type { TrackingRecord } from '../../../src/service/record.ts';
import { createFakeClock, someThursday } from '../../support/fake-clock.ts';
import { callbackBody, wireRecordOf } from '../../support/webhook-callback.ts';

const apiKey = 'key-for-tests';

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const work of cleanUp.splice(0).reverse()) await work();
});

interface Fixture {
  readonly receiver: WebhookReceiver;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly received: TrackingRecord[];
  readonly faults: unknown[];
  /** How the monitor handles a record. */
  receive: (record: TrackingRecord) => Promise<'stored' | 'unknown'>;
}

async function start(options: Partial<WebhookReceiverOptions> = {}): Promise<Fixture> {
  const clock = createFakeClock();
  const received: TrackingRecord[] = [];
  const faults: unknown[] = [];
  const monitor = {
    receive: (record: TrackingRecord) => {
      received.push(record);
      return fixture.receive(record);
    },
  };
  const onFault = (error: unknown): void => void faults.push(error);
  const receiver = await startWebhookReceiver({
    host: '127.0.0.1',
    port: 0,
    apiKey,
    clock,
    monitor,
    onFault,
    ...options,
  });
  cleanUp.push(() => receiver.close());
  const fixture: Fixture = { receiver, clock, received, faults, receive: async () => 'stored' };
  return fixture;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function send(
  { receiver }: Fixture,
  body: string,
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' = 'POST',
  path = '/',
): Promise<Reply> {
  const { statusCode, body: reply } = await request(`http://${receiver.address}${path}`, {
    method,
    reset: true,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  });
  return { status: statusCode, text: await reply.text() };
}

const callback = (parts: Partial<Parameters<typeof callbackBody>[0]> = {}): string =>
  callbackBody({ apiKey, timestamp: String(someThursday), data: wireRecordOf(), ...parts });

/** Opens a raw connection. */
async function dial({
  receiver,
}: Fixture): Promise<Socket & { readonly responseText: () => string; readonly ended: Promise<void> }> {
  const port = Number(receiver.address.split(':').at(-1));
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
  });
  socket.on('error', () => {
    // Some tests expect a disconnect.
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  cleanUp.push(() => socket.destroy());
  return Object.assign(socket, { responseText: () => text, ended });
}

/** Limits that disconnect slow callers soon. */
const shortLimits = { headersMs: 30, requestMs: 60, keepAliveMs: 100 };

describe('the webhook receiver', () => {
  it('passes a verified record on from any path, and responds with 200 when it is stored', async () => {
    const fixture = await start();
    const stored = Promise.withResolvers<'stored'>();
    fixture.receive = () => stored.promise;
    let hasReplied = false;
    const reply = send(fixture, callback(), 'POST', '/hooks/parcel?x=1').then((response) => {
      hasReplied = true;
      return response;
    });
    await expect.poll(() => fixture.received.length).toBe(1);
    // After a second exchange, the first callback still has no response.
    expect((await send(fixture, '')).status).toBe(400);
    expect(hasReplied).toBe(false);
    stored.resolve('stored');
    expect(await reply).toEqual({ status: 200, text: 'Stored.\n' });
    expect(fixture.received[0]).toMatchObject({ trackNo: 'LX123456789CN', courierCode: 'yanwen' });
  });

  it('responds with 503 when the update cannot be stored, and accepts it the next time', async () => {
    const fixture = await start();
    fixture.receive = async () => {
      throw new StoreError('disk-full', 'No space left.', '/secret/path/watchlist.json');
    };
    const reply = await send(fixture, callback());
    expect(reply.status).toBe(503);
    expect(reply.text).not.toContain('secret');
    expect(fixture.faults).toEqual([]);
    fixture.receive = async () => 'stored';
    expect((await send(fixture, callback())).status).toBe(200);
  });

  it('responds with 503 for a bug in our code, and reports it', async () => {
    const fixture = await start();
    const fault = new TypeError('a bug');
    fixture.receive = async () => {
      throw fault;
    };
    expect((await send(fixture, callback())).status).toBe(503);
    expect(fixture.faults).toEqual([fault]);
  });

  it.each([
    ['a body that is not JSON', 'hello', 400],
    ['a wrong signature', callback({ apiKey: 'another' }), 401],
    ['an old timestamp', callback({ timestamp: String(someThursday - 5 * minute - 1) }), 401],
  ])('refuses %s', async (_name, body, status) => {
    const fixture = await start();
    const reply = await send(fixture, body);
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain(apiKey);
    expect(fixture.received).toEqual([]);
  });

  it('accepts a large body only if it is signed', async () => {
    const fixture = await start();
    const long = { note: `"verify" ${'x'.repeat(500_000)}`, verify: { timestamp: '1', signature: 'none' } };
    expect((await send(fixture, callback({ data: wireRecordOf(long) }))).status).toBe(200);
    const { data, verify } = JSON.parse(callback({ data: wireRecordOf({ trackNo: 'RB2CN', ...long }) }));
    expect((await send(fixture, JSON.stringify({ verify, data }, null, 2))).status).toBe(200);
    expect((await send(fixture, callback({ data: wireRecordOf(long), apiKey: 'another' }))).status).toBe(401);
    expect((await send(fixture, '[{'.repeat(500_000))).status).toBe(400);
    expect(fixture.received.map(({ trackNo }) => trackNo)).toEqual(['LX123456789CN', 'RB2CN']);
  });

  it.each([-3, 3])("checks the age by the service's clock if ours is %d hours ahead", async (hours) => {
    const skewMs = -hours * 60 * minute;
    const sentAt: (number | null)[] = [];
    const body = callback({ timestamp: String(someThursday + skewMs - minute) });
    expect((await send(await start(), body)).status).toBe(401);
    const monitor = {
      receive: async (_record: TrackingRecord, timestamp: number | null = null) => {
        sentAt.push(timestamp);
        return 'stored' as const;
      },
    };
    const fixture = await start({ skewMs: () => skewMs, monitor });
    expect((await send(fixture, body)).status).toBe(200);
    expect((await send(fixture, callback({ timestamp: String(someThursday + skewMs - 6 * minute) }))).status).toBe(401);
    // The time that it passes on is on our own clock.
    expect(sentAt).toEqual([someThursday - minute]);
  });

  it('reports refusals with advice, except for replays and requests that are not callbacks', async () => {
    const refusals: string[] = [];
    const fixture = await start({ onRefused: (reason, advice) => refusals.push(`${reason} ${advice}`) });
    await send(fixture, callback({ apiKey: 'another' }));
    await send(fixture, callback({ timestamp: String(someThursday - 6 * minute) }));
    await send(fixture, 'hello');
    await send(fixture, callback());
    await send(fixture, callback());
    await send(fixture, '', 'GET');
    expect(refusals).toEqual([
      expect.stringMatching(/signature does not match\. Check webhook\.signature/),
      expect.stringMatching(
        /over 6 minutes old; the limit is 5 minutes\. Check this machine's clock.*webhook\.maxAgeMinutes/,
      ),
      expect.stringMatching(/not a JSON object\. Check that only the service/),
    ]);
  });

  it('acknowledges a repeated callback without storing it again', async () => {
    const fixture = await start();
    const early = callback({ timestamp: String(someThursday + 5 * minute) });
    expect((await send(fixture, early)).status).toBe(200);
    for (const _minute of [0, 5, 10]) {
      expect(await send(fixture, early)).toEqual({ status: 200, text: 'Already received.\n' });
      await fixture.clock.advance(5 * minute);
    }
    expect((await send(fixture, early)).status).toBe(401);
    expect(fixture.received).toHaveLength(1);
  });

  it('accepts a callback that is repeated hours later, but only once, if the setting allows it', async () => {
    const fixture = await start({ maxAgeMs: 6 * 60 * minute });
    const old = callback({ timestamp: String(someThursday - 5 * 60 * minute) });
    expect((await send(fixture, old)).status).toBe(200);
    await fixture.clock.advance(59 * minute);
    expect((await send(fixture, old)).text).toBe('Already received.\n');
    await fixture.clock.advance(2 * minute);
    expect((await send(fixture, old)).status).toBe(401);
  });

  it('stores only one of several identical callbacks that arrive together', async () => {
    const fixture = await start();
    const statuses = (await Promise.all([1, 2, 3].map(() => send(fixture, callback())))).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(fixture.received).toHaveLength(1);
  });

  it('responds with 503 to all identical callbacks that arrive together if the first is not stored', async () => {
    const fixture = await start();
    const stored = Promise.withResolvers<'stored'>();
    fixture.receive = () => stored.promise;
    const replies = [send(fixture, callback()), send(fixture, callback())];
    await expect.poll(() => fixture.received.length).toBe(1);
    stored.reject(new TypeError('a fault'));
    // The service must send both again.
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([503, 503]);
  });

  it.each(['none', 'hmac'] as const)(
    'responds with 404 on any path but the secret one (signature: %s)',
    async (signature) => {
      const path = '0123456789abcdef-secret';
      const refused: string[] = [];
      const fixture = await start({ protection: { signature, path }, onRefused: (reason) => refused.push(reason) });
      const body = signature === 'none' ? JSON.stringify({ data: wireRecordOf() }) : callback();
      const others = ['', `${path}x`, path.slice(0, -1), `x/${path}`, path.toUpperCase(), `?${path}`];
      for (const other of others)
        expect(await send(fixture, body, 'POST', `/${other}`)).toEqual({ status: 404, text: 'Not found.\n' });
      expect([...fixture.received, ...refused]).toEqual([]);
      expect((await send(fixture, body, 'POST', `/${path}?try=1`)).status).toBe(200);
      expect(fixture.received).toHaveLength(1);
    },
  );

  it('responds to a request for a different path before its body arrives', async () => {
    const path = '0123456789abcdef-secret';
    const fixture = await start({ protection: { signature: 'none', path }, limits: { bodyBytes: 10 } });
    expect((await send(fixture, 'x'.repeat(100))).status).toBe(404);
    expect((await send(fixture, 'x'.repeat(100), 'POST', `/${path}/`)).status).toBe(413);
  });

  it('accepts callbacks by POST only, and responds to GET and HEAD with 204', async () => {
    const fixture = await start();
    expect(await send(fixture, '', 'GET')).toEqual({ status: 204, text: '' });
    expect(await send(fixture, '', 'HEAD')).toEqual({ status: 204, text: '' });
    expect((await send(fixture, callback(), 'PUT')).status).toBe(405);
    expect(fixture.received).toEqual([]);
  });
});

describe('limits', () => {
  it('refuse a body by its content-length before it is sent', async () => {
    const fixture = await start();
    const socket = await dial(fixture);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${1024 * 1024 + 1}\r\n\r\n`);
    await socket.ended;
    expect(socket.responseText()).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i);
  });

  it('refuse a body that grows too large, and close the connection', async () => {
    const fixture = await start({ limits: { bodyBytes: 1000 } });
    const socket = await dial(fixture);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write(`3e9\r\n${'x'.repeat(1001)}\r\n`);
    await socket.ended;
    expect(socket.responseText()).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i);
    expect((await send(fixture, callback())).status).toBe(200);
  });

  it('allow a body of exactly one MiB', async () => {
    const fixture = await start();
    const body = callback();
    expect((await send(fixture, body + ' '.repeat(1024 * 1024 - body.length))).status).toBe(200);
  });

  it.each([
    ['sends nothing', ''],
    ['sends its headers slowly', 'POST / HTTP/1.1\r\nHost: x\r\n'],
    ['sends its body slowly', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc'],
  ])('disconnect a caller that %s', async (_name, bytes) => {
    const fixture = await start({ limits: shortLimits });
    const socket = await dial(fixture);
    if (bytes !== '') socket.write(bytes);
    await socket.ended;
    expect(socket.responseText()).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
    expect(fixture.received).toEqual([]);
  });

  it('close an idle connection', async () => {
    const fixture = await start({ limits: { keepAliveMs: 20 } });
    const socket = await dial(fixture);
    const body = callback();
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await socket.ended;
    expect(socket.responseText()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('refuse oversized headers', async () => {
    const fixture = await start();
    const socket = await dial(fixture);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    await socket.ended;
    expect(socket.responseText()).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('tolerate a caller that disconnects midway', async () => {
    const fixture = await start();
    const socket = await dial(fixture);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"data":');
    socket.destroy();
    await socket.ended;
    expect((await send(fixture, callback())).status).toBe(200);
    expect(fixture.received).toHaveLength(1);
  });
});

describe('the receiver with many callers', () => {
  const callbackFor = (number: number): string => callback({ data: wireRecordOf({ trackNo: `LX${number}CN` }) });
  const statuses = async (sent: readonly Promise<Reply>[]): Promise<readonly number[]> =>
    (await Promise.all(sent)).map(({ status }) => status);

  it('accepts 500 simultaneous callbacks', async () => {
    const fixture = await start();
    let turn = Promise.resolve();
    fixture.receive = async () => {
      turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
      await turn;
      return 'stored';
    };
    const results = await statuses(Array.from({ length: 500 }, (_, number) => send(fixture, callbackFor(number))));
    expect(results.filter((status) => status === 200)).toHaveLength(500);
    expect(new Set(fixture.received.map(({ trackNo }) => trackNo)).size).toBe(500);
  });

  it.each([
    ['send nothing', ''],
    ['send their headers slowly', 'POST / HTTP/1.1\r\nHost: x\r\n'],
    ['send their bodies slowly', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc'],
  ])('drops connections that %s in favour of complete requests', async (_name, bytes) => {
    const fixture = await start({ limits: { connections: 40, headersMs: 60_000, requestMs: 60_000 } });
    const slow = await Promise.all(Array.from({ length: 60 }, () => dial(fixture)));
    for (const socket of slow) socket.write(bytes);
    const results = await statuses(Array.from({ length: 30 }, (_, number) => send(fixture, callbackFor(number))));
    expect(results.filter((status) => status === 200)).toHaveLength(30);
    await slow[0]?.ended;
    expect(slow.at(-1)?.destroyed).toBe(false);
  });

  it('drops idle connections that have been used', async () => {
    const fixture = await start({ limits: { connections: 3, keepAliveMs: 60_000 } });
    const idle = await Promise.all([dial(fixture), dial(fixture), dial(fixture)]);
    for (const [number, socket] of idle.entries()) {
      const body = callbackFor(number);
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      await expect.poll(() => socket.responseText()).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect((await send(fixture, callbackFor(7))).status).toBe(200);
    await idle[0]?.ended;
    expect(idle.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });

  it('keeps the connection of a callback that is being stored', async () => {
    const fixture = await start({ limits: { connections: 2 } });
    const stored = Promise.withResolvers<'stored'>();
    fixture.receive = () => stored.promise;
    const reply = send(fixture, callbackFor(1));
    await expect.poll(() => fixture.received.length).toBe(1);
    const others = [];
    for (let number = 0; number < 5; number += 1) others.push(await dial(fixture));
    await Promise.all(others.slice(0, 4).map(({ ended }) => ended));
    stored.resolve('stored');
    expect((await reply).status).toBe(200);
  });

  it('limits the memory of unfinished bodies', async () => {
    const fixture = await start({ limits: { unfinishedBytes: 10_000, requestMs: 60_000 } });
    const half = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n${'x'.repeat(4000)}`;
    const slow = await Promise.all([dial(fixture), dial(fixture), dial(fixture)]);
    for (const socket of slow) {
      socket.write(half);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.race(slow.map(({ ended }) => ended));
    expect((await send(fixture, callbackFor(1))).status).toBe(200);
    expect(slow.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  });

  it('responds with 503 while too many callbacks wait to be stored', async () => {
    const fixture = await start({ limits: { waitingBytes: 2 * callbackFor(1).length } });
    const stored = Promise.withResolvers<'stored'>();
    fixture.receive = () => stored.promise;
    const first = [send(fixture, callbackFor(1)), send(fixture, callbackFor(2))];
    await expect.poll(() => fixture.received.length).toBe(2);
    expect((await send(fixture, callbackFor(3))).status).toBe(503);
    stored.resolve('stored');
    expect(await statuses(first)).toEqual([200, 200]);
    expect((await send(fixture, callbackFor(3))).status).toBe(200);
  });
});

describe('listening', () => {
  it('fails with a message if the port is taken', async () => {
    const { receiver } = await start();
    const port = Number(receiver.address.split(':').at(-1));
    await expect(start({ port })).rejects.toMatchObject({
      name: 'WebhookListenError',
      kind: 'port-taken',
      message: expect.stringContaining(receiver.address),
    });
  });

  it('fails with a message for an address on a different machine', async () => {
    await expect(start({ host: '192.0.2.1' })).rejects.toMatchObject({ kind: 'no-such-address' });
  });
});

it('waits on closing for updates that are being stored, and disconnects all other callers', async () => {
  const fixture = await start();
  const stored = Promise.withResolvers<'stored'>();
  fixture.receive = () => stored.promise;
  const reply = send(fixture, callback());
  await expect.poll(() => fixture.received.length).toBe(1);
  const idle = await dial(fixture);
  const closed = fixture.receiver.close();
  stored.resolve('stored');
  expect((await reply).status).toBe(200);
  await closed;
  await idle.ended;
  await expect(send(fixture, callback())).rejects.toThrow();
  await fixture.receiver.close();
});
