import { type Clock, sleep, untilBeat } from '../../lib/clock.ts';
import { rightsMarkSync } from '../../store/file/file-calls.ts';

/** In milliseconds: a change is in use within a second, and an idle board hardly runs. */
const lookMs = 800;

interface ConfigurationWatchOptions {
  /** Read each time, because a change of the configuration can name other files. */
  readonly paths: () => readonly string[];
  readonly clock: Clock;
  /** Returns false when the change could not be taken over yet; then it is tried again. */
  readonly onChange: (isOwn: boolean) => Promise<boolean>;
}

export interface ConfigurationWatch {
  /** Takes nothing over until `work` has ended. @param isNoticed also calls `onChange` when the files are unchanged */
  readonly change: <Result>(work: () => Promise<Result>, isNoticed?: boolean) => Promise<Result>;
  /** Waits for a takeover that is running. */
  readonly end: () => Promise<void>;
}

type Marks = ReadonlyMap<string, string>;

const isSame = (marks: Marks, known: Marks): boolean =>
  marks.size === known.size && [...marks].every(([path, mark]) => known.get(path) === mark);

/** Polls, because editors replace files, and file system events are unreliable for these. */
export async function watchConfiguration({
  paths,
  clock,
  onChange,
}: ConfigurationWatchOptions): Promise<ConfigurationWatch> {
  const markOf = (path: string, before: Marks): string => {
    try {
      // Synchronous: waking another thread costs an idle board more than everything else.
      return rightsMarkSync(path);
    } catch {
      // A file that cannot be read counts as unchanged.
      return before.get(path) ?? '';
    }
  };
  const look = (before: Marks): Marks => new Map(paths().map((path) => [path, markOf(path, before)] as const));
  let known = look(new Map());
  /** Null when somebody else changed the files too. */
  let own: Marks | null = known;
  let isDue = false;
  let changesUnderWay = 0;
  let underWay: Promise<void> = Promise.resolve();
  const ending = new AbortController();
  const takeOver = async (marks: Marks): Promise<void> => {
    if (!(await onChange(own !== null && isSame(marks, own)))) return;
    isDue = false;
    // Keeps the marks from before the read, since a file may have changed after it; new paths were read just now.
    known = new Map([...look(marks)].map(([path, mark]) => [path, marks.get(path) ?? mark]));
    own = known;
  };
  const lookAgain = async (): Promise<void> => {
    const marks = look(known);
    const isNews = isDue || !isSame(marks, known);
    if (isNews && changesUnderWay === 0) await takeOver(marks);
  };
  const keepLooking = async (): Promise<void> => {
    while (await sleep(clock, untilBeat(clock.now(), lookMs), ending.signal)) {
      underWay = lookAgain();
      await underWay;
    }
  };
  const looking = keepLooking();
  return {
    async change(work, isNoticed = false) {
      changesUnderWay += 1;
      try {
        await underWay;
        const before = look(known);
        const isTold = own !== null && isSame(before, own);
        const result = await work();
        own = isTold ? look(before) : null;
        if (isNoticed) isDue = true;
        return result;
      } finally {
        changesUnderWay -= 1;
      }
    },
    async end() {
      ending.abort();
      await looking;
    },
  };
}
