import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { createMonitor } from '../../../src/polling/core/monitor.ts';
import type { Monitor, MonitorState } from '../../../src/polling/core/state.ts';
import { CallGate } from '../../../src/polling/gate/call-gate.ts';
import { demoParcels } from '../../../src/sandbox/demo/demo-parcels.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { createTrackingService } from '../../../src/service/client/client.ts';
import { assumedServiceClock, parseServiceTime } from '../../../src/service/clock/service-clock.ts';
import { defaultKeyHeader } from '../../../src/service/operations.ts';
import { createFilePollingMemory } from '../../../src/watchlist/state/polling-memory.ts';
import { createFileStore } from '../../../src/watchlist/store/file-store.ts';
import { createFastClock } from '../../support/fast-clock.ts';
import { type SeenRequest, startScriptedServer } from '../../support/scripted-server.ts';
import { createPseudoRandom, draftOf } from '../harness.ts';

const minute = 60_000;

/** Spoils one answer. */
type Fault = (response: ServerResponse, body: string) => void;

const faults: readonly Fault[] = [
  (response) => response.destroy(),
  (response) => response.writeHead(503, { 'retry-after': '2' }).end('busy'),
  (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>'),
  (response, body) => response.writeHead(200).end(body.slice(0, body.length / 2)),
  (response) => response.writeHead(200).end('{"code":"A0706","msg":"too many requests","traceId":"N/A"}'),
  (response) => response.writeHead(429, { 'retry-after': '3' }).end(),
];

interface WireAnswer {
  readonly data?: {
    readonly accepted?: { readonly content?: readonly { trackNo: string; nextUpdateTime: string | null }[] };
  };
}

/** Resolves when the monitor's state satisfies `reached`. */
async function until(monitor: Monitor, reached: (state: MonitorState) => boolean): Promise<void> {
  while (!reached(monitor.getState())) {
    await new Promise<void>((resolve) => {
      const unsubscribe = monitor.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });
  }
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const work of cleanUp.splice(0).reverse()) await work();
});

describe('the monitor with the real client and the sandbox, over a line that spoils every third answer', () => {
  it('gets every record, never calls early, and is calm at the end', async () => {
    // What takes a minute takes two seconds.
    const clock = createFastClock(30);
    const random = createPseudoRandom(7);
    const directory = await mkdtemp(join(tmpdir(), 'parcel-monitor-'));
    cleanUp.push(() => rm(directory, { recursive: true, force: true }));

    const sandbox = await startSandbox({ port: 0, speed: 1_000, seed: 1, clock });
    cleanUp.push(() => sandbox.close());

    const due = new Map<string, number>();
    const early: string[] = [];
    let requests = 0;
    let spoilt = 0;
    const forward = async (seen: SeenRequest, response: ServerResponse): Promise<void> => {
      requests += 1;
      const isQuery = seen.path.includes('query');
      for (const [trackNo, at] of due) {
        if (isQuery && seen.body.includes(`"${trackNo}"`) && clock.now() < at) early.push(trackNo);
      }
      const answer = await request(`${sandbox.baseUrl}${seen.path.replace('/gateway', '')}`, {
        method: 'POST',
        headers: { [defaultKeyHeader]: sandbox.apiKey, 'content-type': 'application/json' },
        body: seen.body,
      });
      const body = await answer.body.text();
      const fault = requests % 3 === 0 ? faults[spoilt % faults.length] : undefined;
      if (fault !== undefined) {
        spoilt += 1;
        fault(response, body);
        return;
      }
      const { data } = JSON.parse(body) as WireAnswer;
      for (const { trackNo, nextUpdateTime } of (isQuery && data?.accepted?.content) || []) {
        const at = parseServiceTime(nextUpdateTime, assumedServiceClock);
        if (at !== null) due.set(trackNo, at);
      }
      response.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(body);
    };
    const line = await startScriptedServer((seen, response) => void forward(seen, response));
    cleanUp.push(() => line.close());

    const service = createTrackingService({
      baseUrl: line.baseUrl,
      apiKey: sandbox.apiKey,
      header: defaultKeyHeader,
      clock,
      timeoutMs: 5 * minute,
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
        memory: createFilePollingMemory(join(directory, 'polling.json'), { clock, random, processes: null }),
      }),
    });
    cleanUp.push(() => monitor.stop());
    await monitor.load();
    monitor.start();
    const numbers = [...new Set(demoParcels.map(({ trackNo }) => trackNo))].slice(0, 12);
    for (const trackNo of numbers) await monitor.add(draftOf(trackNo));

    await until(
      monitor,
      ({ parcels }) =>
        spoilt >= faults.length &&
        parcels.every(({ registration, record }) => registration === 'rejected' || record?.nextUpdateTime != null),
    );
    await until(monitor, ({ polling }) => polling.problem === null && polling.phase === 'waiting');

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
});
