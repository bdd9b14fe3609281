import { mkdir, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { beforeEach, expect, it } from 'vitest';
import { gatedService } from '../../../src/polling/account.ts';
import { CallGate } from '../../../src/polling/gate/call-gate.ts';
import { UnwrittenChangesError } from '../../../src/polling/state.ts';
import type { HttpTrackingService } from '../../../src/service/client.ts';
import type { CommandContext } from '../../../src/settings/session/context.ts';
import { openCore } from '../../../src/settings/session/core.ts';
import { readSession } from '../../../src/settings/session/open-session.ts';
import type { Output } from '../../../src/system/standard-streams.ts';
import { createFakeService } from '../../polling/fake-service.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createTestFolder } from '../../support/test-folder.ts';

let home: string;
beforeEach(async () => {
  home = await createTestFolder();
});

const refuse = (): Promise<never> => Promise.reject(new Error('not used here'));
const output = (texts: string[]): Output => ({
  write: (text) => void texts.push(text),
  isTerminal: false,
  columns: null,
  rows: null,
});

function createContext(printed: string[]): CommandContext {
  return {
    stdout: output([]),
    stderr: output(printed),
    stdinIsTerminal: false,
    stdin: () => Readable.from([]),
    readLine: refuse,
    arguments: [],
    environment: {},
    homeDirectory: home,
    userId: null,
    platform: 'linux',
    systemZone: () => 'UTC',
    clock: createFakeClock(),
    random: () => 0.5,
    processes: { pid: 1, scope: () => 'here', isRunning: () => false },
    version: '0',
    nodeVersion: '24.0.0',
    signal: new AbortController().signal,
    startChild: () => {
      throw new Error('not needed here');
    },
    onForcedEnd: () => () => undefined,
    passInterruptsOn: () => () => undefined,
    runProgram: refuse,
    loadSandbox: refuse,
    showBoard: refuse,
  };
}

it('closes the connection and prints notices even if the final write to the watchlist fails', async () => {
  const printed: string[] = [];
  const context = createContext(printed);
  const session = await readSession(context, { ascii: false, color: 'never' });
  const { data, watchlist } = session.paths;
  await mkdir(data, { recursive: true });
  await writeFile(watchlist, 'damaged');
  let closed = 0;
  const unused = { couriers: refuse, search: refuse, delete: refuse, edit: refuse, changeCourier: refuse };
  const clock = createFakeClock();
  const bare: HttpTrackingService = {
    ...createFakeService(clock),
    ...unused,
    retrack: refuse,
    instant: refuse,
    clockSkew: () => null,
    close: async () => {
      closed += 1;
    },
  };
  const service = gatedService(bare, new CallGate({ clock, random: () => 0.5 }), 'command');
  const core = await openCore(session, service);
  await rm(data, { recursive: true });
  await writeFile(data, 'no folder any more');
  const parcel = { trackNo: 'RB1CN', courierCode: null, label: null, postalCode: null, phoneSuffix: null };
  await expect(core.monitor.add(parcel)).rejects.toThrow();
  await expect(core.close()).rejects.toThrow(UnwrittenChangesError);
  expect(closed).toBe(1);
  expect(printed.join('')).toMatch(/watchlist.*damaged/);
});

it('reports to the caller instead of standard error while a board is drawn', async () => {
  const printed: string[] = [];
  const clock = createFakeClock();
  const session = await readSession({ ...createContext(printed), clock }, { ascii: false, color: 'never' });
  const { data, watchlist } = session.paths;
  await mkdir(data, { recursive: true });
  await writeFile(watchlist, 'damaged');
  const core = await openCore(session, null);
  // Another process is writing.
  await mkdir(`${watchlist}.lock`);
  void core.monitor
    .add({ trackNo: 'RB1CN', courierCode: null, label: null, postalCode: null, phoneSuffix: null })
    .catch(() => null);
  const reported: string[] = [];
  const closing = core.close((sentence) => void reported.push(sentence)).catch((error: unknown) => error);
  await eventually(async () => {
    await clock.advance(500);
    expect(reported.join(' ')).toMatch(/Still writing the watchlist.*damaged/);
  });
  await closing;
  expect(printed).toEqual([]);
});
