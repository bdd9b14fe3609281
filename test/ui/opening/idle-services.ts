import type { BoardServices } from '../../../src/ui/board.ts';
import { firstView } from '../../../src/watchlist/state/view-memory.ts';
import { berlin, now } from '../../board/parcels.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { someCouriers } from '../board-harness.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('this test does nothing'));

/** What stands behind a board on which nobody does anything. */
export function idleServices(given: Pick<BoardServices, 'monitor'> & Partial<BoardServices>): BoardServices {
  return {
    couriers: { list: async () => ({ couriers: someCouriers, fetchedAt: now, stale: false, problem: null }) },
    clock: createFakeClock(now),
    zone: berlin,
    glyphs: 'symbols',
    colour: true,
    badge: null,
    setup: { kind: 'ready' },
    setupEffects: null,
    view: firstView,
    keepView: () => undefined,
    account: { retrack: refuse, deleteTogether: refuse, changeCourier: refuse, setExtras: refuse },
    hasDefaultExtra: () => false,
    hyperlinks: false,
    openPage: async () => null,
    clipboards: { copyToDesktop: async () => false, clipboardSequence: () => null },
    suspension: null,
    title: true,
    notificationSwitch: null,
    clockSkew: () => null,
    facts: [],
    ...given,
  };
}
