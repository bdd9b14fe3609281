import { formatInTimeZone } from 'date-fns-tz';
import { watchJson } from '../board/parcel-json.ts';
import { createForecasts } from '../board/status/forecast.ts';
import { createSerialQueue } from '../lib/async.ts';
import type { Clock } from '../lib/clock.ts';
import { counted } from '../lib/text.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { newParcel } from '../parcels/parcel-factory.ts';
import { differences } from '../parcels/parcel-list.ts';
import type { Monitor } from '../polling/monitor.ts';
import { UsageError } from '../settings/errors.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { printNote } from '../settings/session/output.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import { runWithInput } from '../system/run-program.ts';

export const hookTimeoutMs = 30_000;

export type ChangeHook = ReturnType<typeof createChangeHook>;

/**
 * Runs the command for each change, in order and one at a time, without a shell. After a failure, reports it and
 * continues with the next change.
 */
export function createChangeHook(
  context: Pick<CommandContext, 'clock' | 'isQuiet' | 'signal' | 'startChild' | 'stderr'>,
  command: readonly [string, ...string[]],
) {
  const { clock, signal, startChild } = context;
  const queue = createSerialQueue();
  let last: Promise<void> = Promise.resolve();
  let dropped = 0;
  const runNext = async (input: string): Promise<void> => {
    if (signal.aborted) {
      dropped += 1;
      return;
    }
    const run = { command, startChild, clock, signal, output: null, timeoutMs: hookTimeoutMs };
    const failure = await runWithInput(run, input);
    if (failure !== null && !signal.aborted) printNote(context, `The command ${command[0]} ${failure}.`);
  };
  return {
    push(input: string): void {
      last = queue.run(() => runNext(input));
    },
    async whenDone(): Promise<void> {
      await last;
      if (dropped > 0)
        printNote(
          context,
          `Interrupted. The command ${command[0]} did not run for ${counted(dropped, 'more change')}.`,
        );
    },
  };
}

interface PrintOptions {
  readonly monitor: Monitor;
  /** The clock that all users of the watchlist share. */
  readonly clock: Pick<Clock, 'now'>;
  readonly json: boolean;
  /** Null means only changes from now on. */
  readonly since: number | null;
  readonly hook: ChangeHook | null;
}

export function printChanges(session: Session, { clock, monitor, json, since, hook }: PrintOptions) {
  const { configuration, context } = session;
  const zone = configuration.zone();
  const { findParcel, readTrash, stop: stopFinder } = createParcelFinder(session, monitor);
  /** Changes that arrived before the earlier lines were printed. Null afterwards. */
  let bufferedChanges: Change[] | null = since === null ? null : [];
  /** Lines that were printed before the monitor reported them. */
  let printedAhead = { after: 0, upTo: 0 };
  const print = (changes: readonly Change[]): void => {
    const { parcels, polling, serviceClock } = monitor.getState();
    const now = clock.now();
    const forecast = createForecasts(parcels, { now, zone: zoneOf(session) });
    const circumstances = { serviceClock, now, isPaused: polling.paused, forecast };
    for (const change of changes) {
      const jsonLine = (): string => `${JSON.stringify(watchJson(change, findParcel(change), circumstances))}\n`;
      context.stdout.write(json ? jsonLine() : `${timedChangeLine(change, zone)}\n`);
      hook?.push(jsonLine());
    }
  };
  const stopListening = monitor.onChanges((changes) => {
    if (bufferedChanges === null)
      print(changes.filter(({ seq }) => seq <= printedAhead.after || seq > printedAhead.upTo));
    else bufferedChanges.push(...changes);
  });
  return {
    /**
     * Prints each line once and in order, even if more lines are written at the same time. Call it before the monitor
     * starts. Throws a `StoreError`.
     */
    async catchUp(): Promise<void> {
      if (since === null) return;
      // Lines that were written while the list was loading may not have reached the monitor yet.
      await monitor.whenIdle();
      const known = monitor.changeSeq();
      const missed = await monitor.changesAfter(since);
      const newest = missed.at(-1)?.seq ?? known;
      const missing = missingLinesText(since, missed, newest);
      if (missing !== null) printNote(context, missing);
      await readTrash(missed);
      if (context.signal.aborted) return;
      print(missed);
      print(bufferedChanges?.filter(({ seq }) => seq > newest) ?? []);
      bufferedChanges = null;
      printedAhead = { after: known, upTo: newest };
    },
    stop(): void {
      stopListening();
      stopFinder();
    },
  };
}

/** Finds the parcel of a change, even if the parcel was removed since. */
function createParcelFinder({ context, stores }: Session, monitor: Monitor) {
  const removed = new Map<string, Parcel>();
  let knownParcels = monitor.getState().parcels;
  const stop = monitor.subscribe(() => {
    const { parcels } = monitor.getState();
    for (const { before, after } of differences(knownParcels, parcels)) {
      if (before !== null && after === null) removed.set(before.id, before);
    }
    knownParcels = parcels;
  });
  const findParcel = ({ courierCode, label, noticedAt, parcelId, trackNo }: Change): Parcel => {
    const known = monitor.getState().parcels.find(({ id }) => id === parcelId) ?? removed.get(parcelId);
    if (known !== undefined) return known;
    const draft = { trackNo, courierCode, label, postalCode: null, phoneSuffix: null };
    return { ...newParcel(draft, Date.parse(noticedAt), context.random), id: parcelId };
  };
  const readTrash = async (changes: readonly Change[]): Promise<void> => {
    const watched = new Set(monitor.getState().parcels.map(({ id }) => id));
    const removedIds = new Set(changes.map(({ parcelId }) => parcelId).filter((id) => !watched.has(id)));
    if (removedIds.size === 0) return;
    const trashed = await (await stores()).recovery.trashed();
    for (const { parcel } of trashed) if (removedIds.has(parcel.id)) removed.set(parcel.id, parcel);
  };
  return { findParcel, readTrash, stop };
}

/** Throws a `UsageError` for anything but a line number. */
export function parseLineNumber(text: string): number {
  const line = readLineNumber(text);
  if (line !== null) return line;
  throw new UsageError(
    `"${text}" is not a valid line number. --since takes the "seq" of the last line you have read, such as 41, or 0 for all lines.`,
  );
}

export function changeLine({ label, message, trackNo }: Pick<Change, 'label' | 'message' | 'trackNo'>): string {
  return `${label === null ? trackNo : `${label} (${trackNo})`}: ${message}`;
}

/** `zone` is an IANA zone. */
export function timedChangeLine(change: Pick<Change, 'at' | 'label' | 'message' | 'trackNo'>, zone: string): string {
  return `${formatInTimeZone(change.at, zone, 'd MMM HH:mm')}  ${changeLine(change)}`;
}

/** Returns null if the text is not a line number. */
export function readLineNumber(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Returns a sentence about lines that are no longer, or not yet, in the change log. Returns null if no line is missing.
 */
export function missingLinesText(since: number, found: readonly Change[], newest: number): string | null {
  if (since > newest) return `The change log ends at line ${newest}. There is no line ${since} yet.`;
  const first = found[0]?.seq ?? newest + 1;
  if (first <= since + 1) return null;
  const lines = first === since + 2 ? `Line ${since + 1} is` : `Lines ${since + 1} to ${first - 1} are`;
  return `${lines} no longer in the change log, which keeps 90 days and at most 20,000 lines.`;
}
