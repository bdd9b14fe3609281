import * as v from 'valibot';
import type { Document } from './document.ts';
import type { Processes } from './file/processes.ts';

/** How far the change log was notified, by all processes together. Methods reject with a `StoreError`. */
export interface NotifyCursor {
  /**
   * Begins to notify. What is in the log up to this line is old news, unless another process notifies already: then it
   * may be about to send it.
   */
  join(newestSeq: number): Promise<void>;
  /**
   * Moves on to a line before anything is sent, and answers where it stood: the lines in between are the caller's
   * alone. A process that is killed before they are sent loses them; they are never sent twice.
   */
  claim(seq: number): Promise<number>;
  leave(): Promise<void>;
}

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

/** What the document of a cursor holds; the first process begins at the newest line where it holds none. */
export const readCursor = (value: unknown): Cursor =>
  v.parse(v.fallback(cursorSchema, v.parse(cursorSchema, {})), value);

/** @param processes null when nothing is known about processes: then none is taken to notify already */
export function createNotifyCursor(document: Document<Cursor>, processes: Processes | null): NotifyCursor {
  const own: Notifier | null = processes === null ? null : { pid: processes.pid, scope: processes.scope() };
  const isOwn = ({ pid, scope }: Notifier): boolean => pid === own?.pid && scope === own.scope;
  const isRunning = ({ pid, scope }: Notifier): boolean => scope === own?.scope && processes?.isRunning(pid) === true;
  return {
    async join(newestSeq) {
      await document.update(({ seq, notifiers }) => {
        const others = notifiers.filter((one) => !isOwn(one) && isRunning(one));
        // A number beyond the newest line is that of a log which was begun anew.
        const at = others.length === 0 ? newestSeq : Math.min(seq, newestSeq);
        return { seq: at, notifiers: own === null ? others : [...others, own] };
      });
    },
    async claim(seq) {
      let stood = seq;
      await document.update((data) => {
        stood = data.seq;
        return seq > data.seq ? { ...data, seq } : data;
      });
      return stood;
    },
    async leave() {
      await document.update((data) => ({ ...data, notifiers: data.notifiers.filter((one) => !isOwn(one)) }));
    },
  };
}
