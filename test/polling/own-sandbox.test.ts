import { type Dispatcher, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { MonitorCore } from '../../src/polling/monitor-core.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { createTrackingService } from '../../src/service/client.ts';
import { defaultKeyHeader } from '../../src/service/port.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { CannedDispatcher } from '../support/canned-dispatcher.ts';
import { realClock } from '../support/real-clock.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { createPseudoRandom } from './harness.ts';

const minPauseMs = 300_000;

function createMonitoring(baseUrl: URL, apiKey: string, options: { readonly dispatcher?: Dispatcher } = {}) {
  const random = createPseudoRandom();
  const service = createTrackingService({ baseUrl, apiKey, header: defaultKeyHeader, clock: realClock, ...options });
  onTestFinished(() => service.close());
  const core = new MonitorCore({
    store: createMemoryStore(),
    clock: realClock,
    random,
    gate: new CallGate({ clock: realClock, random, policy: { minPauseMs } }),
    isSandbox: () => service.isSandbox?.() ?? false,
  });
  return { service, minPause: () => core.planning().policy.minPauseMs };
}

async function openSandbox() {
  const sandbox = await startSandbox({ port: 0, speed: 1_000, seed: 1, clock: realClock });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function openServer(...args: Parameters<typeof startScriptedServer>): Promise<ScriptedServer> {
  const server = await startScriptedServer(...args);
  onTestFinished(() => server.close());
  return server;
}

const couriers = JSON.stringify({ code: '00000', msg: 'Success', traceId: 'a', data: [{ courierCode: 'ups' }] });

describe('the minimum time between two queries of a number', () => {
  it('is 0 for our own sandbox once it has responded', async () => {
    const sandbox = await openSandbox();
    const { minPause, service } = createMonitoring(new URL(sandbox.baseUrl), sandbox.apiKey);
    expect(minPause()).toBe(minPauseMs);
    await service.couriers();
    expect(minPause()).toBe(0);
  });

  it('is 0 even if the sandbox rejects the call', async () => {
    const sandbox = await openSandbox();
    const { minPause, service } = createMonitoring(new URL(sandbox.baseUrl), 'wrong');
    await expect(service.couriers()).rejects.toThrow();
    expect(minPause()).toBe(0);
  });

  it('is kept for a server that does not identify itself', async () => {
    const sandbox = await openSandbox();
    const { baseUrl } = await openServer(async (seen, response) => {
      const path = seen.path.replace('/gateway', '');
      const upstream = await request(`${sandbox.baseUrl}${path}`, { headers: { [defaultKeyHeader]: sandbox.apiKey } });
      response.end(await upstream.body.text());
    });
    const { minPause, service } = createMonitoring(baseUrl, sandbox.apiKey);
    await service.couriers();
    expect(minPause()).toBe(minPauseMs);
  });

  it("is kept for a different machine with the sandbox's name", async () => {
    const headers = { server: 'parcel-monitor-sandbox', 'content-type': 'application/json' };
    const dispatcher = new CannedDispatcher(() => ({ status: 200, headers, body: Buffer.from(couriers) }));
    const { minPause, service } = createMonitoring(new URL('https://service.example/gateway'), 'key', { dispatcher });
    expect(await service.couriers()).toHaveLength(1);
    expect(minPause()).toBe(minPauseMs);
  });

  it('applies again when something else responds at the URL', async () => {
    const server = await openServer((_seen, response) =>
      response.setHeader('server', 'parcel-monitor-sandbox').end(couriers),
    );
    const { minPause, service } = createMonitoring(server.baseUrl, 'key');
    await service.couriers();
    expect(minPause()).toBe(0);
    server.respondWith((_seen, response) => response.end(couriers));
    await service.couriers();
    expect(minPause()).toBe(minPauseMs);
  });
});
