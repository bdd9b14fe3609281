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

/** Parses a saved cursor. Invalid fields count as missing. */
export const readCursor = (value: unknown): Cursor =>
  v.parse(v.fallback(cursorSchema, v.parse(cursorSchema, {})), value);

/** The last line of the change log for which any process has sent notifications. Methods reject with a `StoreError`. */
export type NotifyCursor = ReturnType<typeof createNotifyCursor>;

/** @param processes null if we cannot check processes; then no other process counts as notifying */
export function createNotifyCursor(document: Document<Cursor>, processes: Processes | null) {
  const own: Notifier | null = processes === null ? null : { pid: processes.pid, scope: processes.scope() };
  const isOwn = ({ pid, scope }: Notifier): boolean => pid === own?.pid && scope === own.scope;
  const isRunning = ({ pid, scope }: Notifier): boolean => scope === own?.scope && processes?.isRunning(pid) === true;
  return {
    /**
     * Starts at the newest line, so that earlier lines trigger no notifications. If another process already sends
     * notifications, its position is kept, so that lines that it has not sent yet are still sent.
     */
    async join(newestSeq: number): Promise<void> {
      await document.update(({ seq, notifiers }) => {
        const others = notifiers.filter((notifier) => !isOwn(notifier) && isRunning(notifier));
        // A number beyond the newest line comes from an earlier log.
        const at = others.length === 0 ? newestSeq : Math.min(seq, newestSeq);
        return { seq: at, notifiers: own === null ? others : [...others, own] };
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
      await document.update((data) => ({ ...data, notifiers: data.notifiers.filter((notifier) => !isOwn(notifier)) }));
    },
  };
}
