import * as v from 'valibot';
import type { Processes } from './file/processes.ts';
import type { Document } from './store.ts';

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

/** Parses a cursor document. If it is empty, the first process starts at the newest line. */
export const readCursor = (value: unknown): Cursor =>
  v.parse(v.fallback(cursorSchema, v.parse(cursorSchema, {})), value);

/** The last line of the change log that any process has sent a notification for. Methods reject with a `StoreError`. */
export type NotifyCursor = ReturnType<typeof createNotifyCursor>;

/** @param processes null if nothing is known about processes; then no other process counts as notifying */
export function createNotifyCursor(document: Document<Cursor>, processes: Processes | null) {
  const own: Notifier | null = processes === null ? null : { pid: processes.pid, scope: processes.scope() };
  const isOwn = ({ pid, scope }: Notifier): boolean => pid === own?.pid && scope === own.scope;
  const isRunning = ({ pid, scope }: Notifier): boolean => scope === own?.scope && processes?.isRunning(pid) === true;
  return {
    /**
     * Starts at this line: earlier lines trigger no notification, unless another process already notifies and has not sent
     * them yet.
     */
    async join(newestSeq: number): Promise<void> {
      await document.update(({ seq, notifiers }) => {
        const others = notifiers.filter((one) => !isOwn(one) && isRunning(one));
        // A number beyond the newest line is from an earlier log.
        const at = others.length === 0 ? newestSeq : Math.min(seq, newestSeq);
        return { seq: at, notifiers: own === null ? others : [...others, own] };
      });
    },
    /**
     * Moves to a line before anything is sent. Returns the previous line: only this caller sends the lines in between.
     * If the process is killed before sending, they are lost; they are never sent twice.
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
      await document.update((data) => ({ ...data, notifiers: data.notifiers.filter((one) => !isOwn(one)) }));
    },
  };
}
