import type { Clock, EpochMs } from '../../lib/clock.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';

/** How long the numbers of a spoilt registration are not known, unless the fault says otherwise. */
export const defaultIndexingMs = 10 * 60_000;

/**
 * Registrations that were accepted and are not in the account's index yet (a client of the public service has met
 * them): until then the service knows the number no better than one that nobody has registered, and takes it once more.
 */
export interface SlowIndex {
  /** How many numbers were ever registered. */
  readonly registered: number;
  /**
   * Takes what was registered since there were so many, as far as it is meant, out of the account for so long; answers how
   * many numbers that were.
   */
  hide(since: number, delayMs: number, isMeant: (trackNo: string) => boolean): number;
  /** Puts everything back whose time has come. To be called before the account is looked at. */
  surface(): void;
}

interface Hidden {
  readonly registration: Registration;
  readonly until: EpochMs;
}

/** Nothing is hidden yet. */
export function createSlowIndex(account: Account, clock: Clock): SlowIndex {
  let hidden: readonly Hidden[] = [];
  const isSame = (a: Registration, b: Registration): boolean =>
    a.trackNo.toUpperCase() === b.trackNo.toUpperCase() && a.courier.code === b.courier.code;
  return {
    get registered() {
      return account.added;
    },
    hide: (since, delayMs, isMeant) => {
      const fresh = account.all().filter(({ sequence, trackNo }) => sequence >= since && isMeant(trackNo));
      for (const registration of fresh) {
        account.remove(registration);
        // Registered again while it waits, a number waits no longer for that.
        if (hidden.some((one) => isSame(one.registration, registration))) continue;
        hidden = [...hidden, { registration, until: registration.registeredAt + delayMs }];
      }
      return fresh.length;
    },
    surface: () => {
      if (hidden.length === 0) return;
      const now = clock.now();
      const due = hidden.filter(({ until }) => until <= now);
      hidden = hidden.filter(({ until }) => until > now);
      for (const { registration } of due) {
        const { trackNo, courier } = registration;
        if (account.find(trackNo, courier.code).length === 0) account.put(registration);
      }
    },
  };
}
