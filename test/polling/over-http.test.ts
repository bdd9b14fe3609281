import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { hourMs as hour, secondMs as second } from '../../src/lib/clock.ts';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { createMonitor } from '../../src/polling/monitor.ts';
import type { MonitorState } from '../../src/polling/state.ts';
import { parseFault } from '../../src/sandbox/faults/fault-rule.ts';
import { demoParcels, startSandbox } from '../../src/sandbox/sandbox.ts';
import { createTrackingService } from '../../src/service/client.ts';
import { defaultKeyHeader } from '../../src/service/port.ts';
import { assumedServiceClock, parseServiceTime } from '../../src/service/service-clock.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { createFileDocument, readPollingMemory } from '../../src/store/shared-state.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { createVirtualClock } from '../simulate/virtual-clock.ts';
import { someThursday } from '../support/fake-clock.ts';
import { type ReceivedRequest, startScriptedServer } from '../support/scripted-server.ts';
import { createPseudoRandom, draftOf } from './harness.ts';

// Loaded first, because waitUntilIdle() cannot see pending imports.
import '../../src/service/http-client.ts';
import '../../src/store/file/json-document.ts';

/** Corrupts one response. */
type Fault = (response: ServerResponse, body: string) => void;

const faults: readonly Fault[] = [
  (response) => response.destroy(),
  (response) => response.writeHead(503, { 'retry-after': '2' }).end('busy'),
  (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>'),
  (response, body) => response.writeHead(200).end(body.slice(0, body.length / 2)),
  (response) => response.writeHead(200).end('{"code":"A0706","msg":"too many requests","traceId":"N/A"}'),
  (response) => response.writeHead(429, { 'retry-after': '3' }).end(),
];

interface WireResponse {
  readonly data?: {
    readonly accepted?: { readonly content?: readonly { trackNo: string; nextUpdateTime: string | null }[] };
  };
}

/** Creates a connection that counts its calls in progress. */
function createCountingAgent() {
  const agent = new Agent();
  let pendingCalls = 0;
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    pendingCalls += 1;
    return dispatch(options, {
      onRequestStart: (...start) => handler.onRequestStart?.(...start),
      onResponseStart: (...head) => handler.onResponseStart?.(...head),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => {
        pendingCalls -= 1;
        handler.onResponseEnd?.(...end);
      },
      onResponseError: (...failure) => {
        pendingCalls -= 1;
        handler.onResponseError?.(...failure);
      },
    });
  });
  return { dispatcher, pendingCalls: () => pendingCalls, close: () => agent.close() };
}

/** Whether a disk operation of this process is in progress. */
const isDiskBusy = (): boolean => process.getActiveResourcesInfo().some((kind) => /^(?:FSReq|FileHandle)/.test(kind));

/** Waits until nothing more happens unless the clock advances. */
const waitUntilIdle =
  (connection: Pick<ReturnType<typeof createCountingAgent>, 'pendingCalls'>) => async (): Promise<void> => {
    for (let idleTurns = 0; idleTurns < 50; ) {
      const isBusy = connection.pendingCalls() > 0 || isDiskBusy();
      idleTurns = isBusy ? 0 : idleTurns + 1;
      await new Promise<void>((resolve) => (isBusy ? setTimeout(resolve, 1) : setImmediate(resolve)));
    }
  };

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const work of cleanUp.splice(0).reverse()) await work();
});

it('gets every record, never calls early and comes to rest, even if every third response is corrupted', async () => {
  // The clock advances only while nothing else happens, so that a slow machine gives the same result.
  const clock = createVirtualClock(someThursday);
  const connection = createCountingAgent();
  cleanUp.push(connection.close);
  const settle = waitUntilIdle(connection);
  const random = createPseudoRandom(7);
  const directory = await mkdtemp(join(tmpdir(), 'parcel-monitor-'));
  cleanUp.push(() => rm(directory, { recursive: true, force: true }));

  const sandbox = await startSandbox({ port: 0, speed: 1_000, seed: 1, clock });
  cleanUp.push(() => sandbox.close());

  const due = new Map<string, number>();
  const early: string[] = [];
  let requests = 0;
  let corrupted = 0;
  const forward = async (seen: ReceivedRequest, response: ServerResponse): Promise<void> => {
    requests += 1;
    const isQuery = seen.path.includes('query');
    for (const [trackNo, at] of due) {
      if (isQuery && seen.body.includes(`"${trackNo}"`) && clock.now() < at) early.push(trackNo);
    }
    const upstream = await request(`${sandbox.baseUrl}${seen.path.replace('/gateway', '')}`, {
      method: 'POST',
      headers: { [defaultKeyHeader]: sandbox.apiKey, 'content-type': 'application/json' },
      body: seen.body,
    });
    const body = await upstream.body.text();
    const fault = requests % 3 === 0 ? faults[corrupted % faults.length] : undefined;
    if (fault !== undefined) {
      corrupted += 1;
      fault(response, body);
      return;
    }
    const { data } = JSON.parse(body) as WireResponse;
    for (const { trackNo, nextUpdateTime } of (isQuery && data?.accepted?.content) || []) {
      const at = parseServiceTime(nextUpdateTime, assumedServiceClock);
      if (at !== null) due.set(trackNo, at);
    }
    response.writeHead(upstream.statusCode, { 'content-type': 'application/json' }).end(body);
  };
  const proxy = await startScriptedServer((seen, response) => void forward(seen, response));
  cleanUp.push(() => proxy.close());

  const service = createTrackingService({
    baseUrl: proxy.baseUrl,
    apiKey: sandbox.apiKey,
    header: defaultKeyHeader,
    clock,
    dispatcher: connection.dispatcher,
  });
  cleanUp.push(() => service.close());
  const monitor = createMonitor({
    store: createFileStore({ directory, clock, random }),
    service,
    clock,
    random,
    gate: new CallGate({
      clock,
      random,
      memory: createFileDocument(join(directory, 'polling.json'), readPollingMemory, {
        clock,
        random,
        processes: null,
      }),
    }),
  });
  cleanUp.push(() => monitor.stop());
  await monitor.load();
  monitor.start();
  const numbers = [...new Set(demoParcels.map(({ trackNo }) => trackNo))].slice(0, 12);
  for (const trackNo of numbers) await monitor.add(draftOf(trackNo));

  const runUntil = async (reached: (state: MonitorState) => boolean): Promise<void> => {
    while (!reached(monitor.getState())) {
      expect(clock.now()).toBeLessThan(someThursday + hour);
      await clock.run(clock.now() + second, settle);
    }
  };
  await runUntil(
    ({ parcels }) =>
      corrupted >= faults.length &&
      parcels.every(({ registration, record }) => registration === 'rejected' || record?.nextUpdateTime != null),
  );
  await runUntil(({ polling }) => polling.problem === null && polling.phase === 'waiting');

  const { parcels, notices, serviceClock } = monitor.getState();
  expect(parcels).toHaveLength(numbers.length);
  expect(parcels.filter(({ record }) => record !== null).length).toBeGreaterThan(numbers.length / 2);
  expect(early).toEqual([]);
  expect(notices).toEqual([]);
  expect(serviceClock).toEqual({ ...assumedServiceClock, source: 'measured' });
  await monitor.stop();
  const kept = await createFileStore({ directory, clock, random }).read();
  expect(kept.parcels).toEqual(monitor.getState().parcels);
});

/** Runs the monitor for five hours with these faults. Returns the number of queries and the measured clock. */
async function runFiveHours(...faultTexts: readonly string[]) {
  const clock = createVirtualClock(someThursday);
  const connection = createCountingAgent();
  cleanUp.push(connection.close);
  const random = createPseudoRandom(7);
  const faults = ['interval:1h', ...faultTexts].map(parseFault);
  const sandbox = await startSandbox({ port: 0, speed: 1, seed: 1, clock, faults });
  cleanUp.push(() => sandbox.close());
  let queries = 0;
  const dispatcher = connection.dispatcher.compose((dispatch) => (options, handler) => {
    if (options.path.includes('query')) queries += 1;
    return dispatch(options, handler);
  });
  const service = createTrackingService({
    baseUrl: new URL(sandbox.baseUrl),
    apiKey: sandbox.apiKey,
    header: defaultKeyHeader,
    clock,
    dispatcher,
  });
  cleanUp.push(() => service.close());
  const monitor = createMonitor({
    store: createMemoryStore(),
    service,
    clock,
    random,
    gate: new CallGate({ clock, random, policy: { followMs: hour, reloadMs: hour, archiveCheckMs: hour } }),
    skewBounds: () => service.skewBounds?.() ?? null,
  });
  cleanUp.push(() => monitor.stop());
  await monitor.load();
  monitor.start();
  for (const { trackNo } of demoParcels.slice(0, 3)) await monitor.add(draftOf(trackNo));
  await clock.run(clock.now() + 5 * hour, waitUntilIdle(connection));
  return { queries, serviceClock: monitor.getState().serviceClock };
}

it.each(['skew:20s', 'skew:90s', 'skew:-90s'])(
  "calls just as often if the sandbox's clock is wrong: %s",
  async (fault) => {
    const accurate = await runFiveHours();
    const skewed = await runFiveHours(fault);
    expect(accurate.queries).toBeGreaterThanOrEqual(5);
    expect(Math.abs(skewed.queries - accurate.queries)).toBeLessThanOrEqual(1);
    expect(skewed.serviceClock).toEqual({ ...assumedServiceClock, source: 'measured' });
  },
);
