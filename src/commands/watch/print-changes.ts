import type { Monitor } from '../../polling/core/state.ts';
import type { Clock } from '../../service/clock/clock.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import { missingLines, readLineNumber } from '../input/log-line.ts';
import { watchJson } from '../output/change-json.ts';
import { timedChangeLine } from '../output/change-line.ts';
import { UsageError } from '../session/errors.ts';
import { type Session, say } from '../session/session.ts';
import type { ChangeHook } from './change-hook.ts';
import { ConcernedParcels } from './concerned-parcels.ts';

/** How changes are printed. */
interface PrintOptions {
  readonly monitor: Monitor;
  /** Shows the time that all who share the watchlist go by. */
  readonly clock: Pick<Clock, 'now'>;
  readonly json: boolean;
  /** The line of the change log after which to begin; null for what is written from now on. */
  readonly since: number | null;
  /** Is given each change that is printed; null for none. */
  readonly hook: ChangeHook | null;
}

/** The printing of changes while it goes on. */
export interface Printing {
  /**
   * Prints what came after the line to begin with; each line comes once and in order, also when more are written meanwhile.
   * To be called before the monitor is started. Rejects with a `StoreError`.
   */
  catchUp(): Promise<void>;
  /** Ends it. */
  stop(): void;
}

/** Prints each line that is written to the change log from now on, whichever process writes it. */
export function printChanges(session: Session, { clock, monitor, json, since, hook }: PrintOptions): Printing {
  const { configuration, context } = session;
  const zone = configuration.zone();
  const concerned = new ConcernedParcels(monitor, context);
  /** What the monitor has come to before earlier lines were printed; null when they were. */
  let held: Change[] | null = since === null ? null : [];
  /** Lines that were printed before the monitor came to them. */
  let ahead = { after: 0, upTo: 0 };
  const print = (changes: readonly Change[]): void => {
    const { serviceClock, polling } = monitor.getState();
    const circumstances = { serviceClock, now: clock.now(), isPaused: polling.paused };
    for (const change of changes) {
      const jsonLine = (): string =>
        `${JSON.stringify(watchJson(change, concerned.parcelOf(change), circumstances))}\n`;
      context.stdout.write(json ? jsonLine() : `${timedChangeLine(change, zone)}\n`);
      hook?.push(jsonLine());
    }
  };
  const stopListening = monitor.onChanges((changes) => {
    if (held === null) print(changes.filter(({ seq }) => seq <= ahead.after || seq > ahead.upTo));
    else held.push(...changes);
  });
  return {
    async catchUp() {
      if (since === null) return;
      // What was written while the watchlist was loaded is on its way to the monitor.
      await monitor.whenIdle();
      const known = monitor.changeSeq();
      const missed = await monitor.changesAfter(since);
      const newest = missed.at(-1)?.seq ?? known;
      const missing = missingLines({ since, found: missed, newest });
      if (missing !== null) say(context, missing);
      await concerned.lookIntoTrash(missed, async () => (await session.stores()).recovery.trashed());
      if (context.signal.aborted) return;
      print(missed);
      print(held?.filter(({ seq }) => seq > newest) ?? []);
      held = null;
      ahead = { after: known, upTo: newest };
    },
    stop() {
      stopListening();
      concerned.close();
    },
  };
}

/** Reads the line of the change log after which to begin. Throws a `UsageError` for what is none. */
export function lineNumber(text: string): number {
  const line = readLineNumber(text);
  if (line !== null) return line;
  throw new UsageError(
    `"${text}" is not a line of the change log: --since takes the "seq" of the last line that was read, such as 41, or 0 for all.`,
  );
}
