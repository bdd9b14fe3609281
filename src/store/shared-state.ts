import { dirname } from 'node:path';
import * as v from 'valibot';
import { asStoreErrors, StoreError } from '../lib/store-errors.ts';
import type { Shape } from '../service/record.ts';
import type { FixedServiceClock } from '../service/service-clock.ts';
import { makeFolder } from './file/folders.ts';
import { type DocumentFormat, fileVersion, parseJson } from './file/formats.ts';
import { type DocumentContext, JsonDocument } from './file/json-document.ts';
import { type AcquiredLock, FolderLock, type LockContext } from './file/lock.ts';
import type { Processes } from './file/processes.ts';
import type { Document } from './store.ts';

/** The right to poll the service. One process has it, and the others follow that process. */
export interface PollLease {
  /** Takes the lease if it is free. Returns whether we have it. Call this regularly. Rejects with a `StoreError`. */
  hold(): Promise<boolean>;
  /**
   * Whether we have the lease right now. Check this before each request: if the process was suspended or the machine was
   * asleep, the lease may have been lost without notice.
   */
  isHeld(): boolean;
  /**
   * The number of our lease, which is higher than all earlier ones. A store that hosts share rejects writes with a lower
   * number. Null if we do not have the lease, or if it is on disk, where numbers are not checked.
   */
  fence(): number | null;
  /** Call this when the store rejected our number, so that the lease is checked again before it is relied on. */
  suspectLoss?(): void;
  release(): Promise<void>;
  /** Set if hosts share the lease. Then a host that cannot reach it must not poll, because another one may be polling. */
  readonly isBinding?: true;
}

/** The programs that use the same watchlist. */
export interface ConnectedPrograms {
  /** The program that polls, or null. */
  readonly checkedBy: {
    /** The name of its host, without control characters. */
    readonly host: string;
    readonly isHeldByUs: boolean;
  } | null;
  /** Number of open boards on all hosts, including ours. */
  readonly boards: number;
}

/** Lets programs on several hosts know about each other. Methods reject with a `StoreError`. */
export interface Presence {
  /**
   * Announces this program, and returns the connected programs. Call this every few seconds: a program that is silent
   * for 15 seconds counts as gone.
   */
  heartbeat(): Promise<ConnectedPrograms>;
  leave(): Promise<void>;
}

/** Thrown if another process took the lease. Nothing was written. */
export class LeaseLostError extends StoreError {
  constructor(path: string) {
    super('locked', 'Another machine has taken over checking the parcels. You do not need to do anything.', path);
  }
}

/** If a lease was not renewed for this long, its holder has died or is suspended. */
const defaultStaleMs = 10_000;

/**
 * Creates a lease for all processes that use the same path. On disk, it is the folder `<path>.lock`, which names the
 * holder. The holder renews it twice per `staleMs`. A dead process's lease is taken over immediately if the death is
 * known.
 */
export function createFilePollLease(path: string, context: LockContext, staleMs = defaultStaleMs): PollLease {
  const lock = new FolderLock(`${path}.lock`, context, staleMs);
  let held: AcquiredLock | null = null;
  let attempt: Promise<boolean> | null = null;

  const isHeld = (): boolean => {
    try {
      return held?.isHeld() ?? false;
    } catch {
      // If we cannot tell, we must not rely on the lease. The next `hold` reports the error.
      return false;
    }
  };
  const acquire = async (): Promise<boolean> => {
    if (isHeld()) return true;
    await drop();
    await makeFolder(dirname(path));
    held = await lock.tryAcquire();
    return isHeld();
  };
  const drop = async (): Promise<void> => {
    const lease = held;
    held = null;
    await lease?.release();
  };

  return {
    hold() {
      attempt ??= asStoreErrors(path, acquire).finally(() => {
        attempt = null;
      });
      return attempt;
    },
    isHeld,
    fence: () => null,
    release: () => asStoreErrors(path, drop),
  };
}

const coolDownSchema = v.object({
  /** Milliseconds since 1970. */
  until: v.pipe(v.number(), v.finite()),
  /** True if the service asked for this pause. Then no request is sent earlier, not even for the user. */
  byService: v.boolean(),
  /** Consecutive failed requests, for the back-off. */
  failures: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

const lagSchema = v.object({
  /** How long after a record's `nextUpdateTime` to query it, in milliseconds. */
  ms: v.pipe(amount, v.maxValue(2 * 60 * 60_000)),
  /** The longest known time after `nextUpdateTime` at which a record was still unchanged, in milliseconds. */
  least: amount,
  /** The lag before it was last shortened. Null if it was never shortened, or has been raised since. */
  former: v.nullable(amount),
  /** When to try a shorter lag next, in milliseconds since 1970. Null means never. */
  probeAt: v.nullable(v.pipe(v.number(), v.finite())),
  /** Time between two probes. Doubles after a failed probe. */
  probePauseMs: amount,
});

/** Parsed field by field: an invalid field counts as missing. */
const memorySchema = v.object({
  /** How far the service's clock is ahead of UTC. Null until it has been measured. */
  measuredOffsetMinutes: v.fallback(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-12 * 60), v.maxValue(14 * 60))),
    null,
  ),
  /** How far the service's clock runs ahead of ours. 0 if unknown or negligible. */
  skewMs: v.fallback(v.pipe(v.number(), v.finite()), 0),
  coolDown: v.fallback(v.nullable(coolDownSchema), null),
  registerCoolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** The learned lag of the service's records. Null while unknown. */
  lag: v.fallback(v.nullable(lagSchema), null),
  paused: v.fallback(v.boolean(), false),
});

export interface CoolDown extends Shape<typeof coolDownSchema> {}

/** The delay between the announced and the actual update of records, learned from responses. */
export interface ServiceLag extends Shape<typeof lagSchema> {}

/** Polling state that is kept across restarts. */
export interface PollingMemoryData extends Shape<typeof memorySchema> {}

/** Shared by all processes. */
export type PollingMemory = Document<PollingMemoryData>;

export const emptyPollingMemory: PollingMemoryData = v.parse(memorySchema, {});

/** Returns the measured offset as a service clock, or null if it has not been measured. */
export function measuredClock({
  measuredOffsetMinutes,
}: Pick<PollingMemoryData, 'measuredOffsetMinutes'>): FixedServiceClock | null {
  return measuredOffsetMinutes === null ? null : { offsetMinutes: measuredOffsetMinutes, source: 'measured' };
}

/** Parses a saved value. Returns the empty memory if it is not valid. */
export const readPollingMemory = (value: unknown): PollingMemoryData =>
  v.parse(v.fallback(memorySchema, emptyPollingMemory), value);

const notifierSchema = v.object({ pid: v.number(), scope: v.string() });
type Notifier = v.InferOutput<typeof notifierSchema>;

const cursorSchema = v.object({
  seq: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  notifiers: v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((values): readonly Notifier[] => values.filter((value) => v.is(notifierSchema, value))),
    ),
    [],
  ),
});
type Cursor = v.InferOutput<typeof cursorSchema>;

/** Parses a saved cursor. Invalid fields count as missing. */
export const readCursor = (value: unknown): Cursor =>
  v.parse(v.fallback(cursorSchema, v.parse(cursorSchema, {})), value);

/** The last line of the change log for which any process has sent notifications. Methods reject with a `StoreError`. */
export type NotifyCursor = ReturnType<typeof createNotifyCursor>;

/** @param processes null if we cannot check processes; then no other process counts as notifying */
export function createNotifyCursor(document: Document<Cursor>, processes: Processes | null) {
  const ourEntry: Notifier | null = processes === null ? null : { pid: processes.pid, scope: processes.scope() };
  const isOurs = ({ pid, scope }: Notifier): boolean => pid === ourEntry?.pid && scope === ourEntry.scope;
  const isRunning = ({ pid, scope }: Notifier): boolean =>
    scope === ourEntry?.scope && processes?.isRunning(pid) === true;
  return {
    /**
     * Starts at the newest line, so that earlier lines trigger no notifications. If another process already sends
     * notifications, its position is kept, so that lines that it has not sent yet are still sent.
     */
    async join(newestSeq: number): Promise<void> {
      await document.update(({ seq, notifiers }) => {
        const others = notifiers.filter((notifier) => !isOurs(notifier) && isRunning(notifier));
        // A number beyond the newest line comes from an earlier log.
        const startSeq = others.length === 0 ? newestSeq : Math.min(seq, newestSeq);
        return { seq: startSeq, notifiers: ourEntry === null ? others : [...others, ourEntry] };
      });
    },
    /**
     * Moves to a line. Call this before sending notifications. Returns the previous line: only this caller may send the
     * lines in between. They are never sent twice, but are lost if the process is killed before it has sent them.
     */
    async claim(seq: number): Promise<number> {
      let claimedSeq = seq;
      await document.update((data) => {
        claimedSeq = data.seq;
        return seq > data.seq ? { ...data, seq } : data;
      });
      return claimedSeq;
    },
    async leave(): Promise<void> {
      await document.update((data) => ({ ...data, notifiers: data.notifiers.filter((notifier) => !isOurs(notifier)) }));
    },
  };
}

/** The files in the folder with the small documents. */
const stateFileNames: ReadonlySet<string> = new Set([
  'polling.json',
  'polling-lease',
  'view.json',
  'notify.json',
  'last-screen',
]);

/**
 * Creates a small document in a file (mode 0600) that processes share under its lock. It can be rebuilt at any time, so a
 * damaged file counts as missing. The first change also removes temp files of killed processes from its folder.
 * @param read parses a value of any shape; undefined means that there is no file
 */
export function createFileDocument<Data extends object | null>(
  path: string,
  read: (value: unknown) => Data,
  context: DocumentContext,
): Document<Data> {
  const format: DocumentFormat<Data> = {
    empty: read(undefined),
    decode: async (bytes) => ({ kind: 'whole', data: read(parseJson(bytes.toString())) }),
    encode: (data) => `${JSON.stringify({ version: fileVersion, ...data })}\n`,
  };
  const document = new JsonDocument(path, { format, siblings: stateFileNames }, context);
  return { read: () => document.read(), update: (change) => document.update(change) };
}
