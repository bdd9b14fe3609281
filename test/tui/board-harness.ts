import { onTestFinished } from 'vitest';
import type { Change } from '../../src/parcels/change.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import type { AccountActions } from '../../src/polling/account.ts';
import type { Courier } from '../../src/service/port.ts';
import type { BoardEnd } from '../../src/settings/session/context.ts';
import type { CourierDirectory } from '../../src/store/courier-directory.ts';
import { firstView } from '../../src/store/saved-view.ts';
import { type BoardOptions, runBoard } from '../../src/tui/run-board.tsx';
import { createCopyText } from '../../src/tui/terminal/clipboard.ts';
import { aPendingParcel, berlin, now } from '../board/parcels.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { createFakeMonitor, type FakeMonitor } from '../support/fake-monitor.ts';
import { createScreen, type Screen } from '../support/screen.ts';
import { terminalForScreen } from '../support/test-terminal.ts';

/** A board that runs in a test's terminal. */
export interface RunningBoard {
  readonly screen: Screen;
  readonly monitor: FakeMonitor;
  readonly clock: FakeClock;
  readonly exit: Promise<BoardEnd>;
  /** Stops the board and returns how it ended. */
  stop(): Promise<BoardEnd>;
}

export const someCouriers: readonly Courier[] = [
  { code: 'ups', nameEN: 'UPS', nameCN: '联合包裹', homePage: null },
  { code: 'yanwen', nameEN: 'Yanwen', nameCN: '燕文物流', homePage: null },
  { code: 'dhl', nameEN: 'DHL Express', nameCN: null, homePage: null },
];

const reject = (): Promise<never> => Promise.reject(new Error('this test has no account'));
const noAccount: AccountActions = {
  retrack: reject,
  deleteTogether: reject,
  changeCourier: reject,
  setExtras: reject,
};

/** Starts a board with these parcels and waits until it responds to keys. It is stopped after the test. */
export async function startBoard(
  parcels: readonly Parcel[],
  options: {
    readonly size?: readonly [columns: number, rows: number];
    readonly histories?: Readonly<Record<string, ParcelHistory>>;
    readonly couriers?: CourierDirectory;
    readonly account?: AccountActions;
    readonly board?: Partial<BoardOptions>;
    /** The board's terminal. Defaults to one with the given size. */
    readonly screen?: Screen;
    /** The change log at the start. */
    readonly changes?: readonly Change[];
  } = {},
): Promise<RunningBoard> {
  const [columns, rows] = options.size ?? [120, 30];
  const screen = options.screen ?? createScreen(columns, rows);
  const clock = createFakeClock(now);
  const monitor = createFakeMonitor(parcels, options.histories, (input) =>
    aPendingParcel({ id: input.trackNo, trackNo: input.trackNo, courierCode: input.courierCode, label: input.label }),
  );
  if (options.changes !== undefined) monitor.writeChanges(...options.changes);
  const controller = new AbortController();
  const terminal = terminalForScreen(screen);
  const exit = runBoard({
    monitor,
    couriers: options.couriers ?? {
      list: async () => ({ couriers: someCouriers, fetchedAt: now, stale: false, problem: null }),
    },
    clock,
    zone: berlin,
    glyphs: 'symbols',
    colour: true,
    badge: null,
    setup: { kind: 'ready' },
    setupEffects: null,
    view: firstView,
    keepView: () => undefined,
    account: options.account ?? noAccount,
    hasDefaultExtra: () => false,
    hyperlinks: false,
    openPage: async () => null,
    runForOutput: async () => ({ failure: 'cannot run in this test', output: '' }),
    copyText: createCopyText(async () => false, {}, terminal),
    suspension: null,
    hasTitle: true,
    title: true,
    notificationSwitch: null,
    writeLater: () => undefined,
    passInterruptsOn: () => () => undefined,
    terminal,
    onWindowChange: () => () => undefined,
    clockSkew: () => null,
    // High, because tests wait for frames. At an even higher rate, an action with many steps would draw a frame per step.
    framesPerSecond: 250,
    facts: [{ name: 'Service', value: 'http://127.0.0.1:8080' }],
    stdin: screen.stdin,
    stdout: screen.stdout,
    signal: controller.signal,
    ...options.board,
  });
  const stop = (): Promise<BoardEnd> => {
    controller.abort();
    return exit;
  };
  onTestFinished(async () => void (await stop().catch(() => undefined)));
  // From then on, pastes are bracketed.
  await screen.waitFor((text) => text.trim() !== '' && screen.hasBracketedPaste(), 'the first frame');
  return {
    screen,
    monitor,
    clock,
    exit,
    stop,
  };
}
