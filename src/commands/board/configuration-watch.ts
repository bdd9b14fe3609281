import { type Clock, sleep, untilBeat } from '../../lib/clock.ts';
import { rightsMarkSync } from '../../store/file/open-file.ts';

/** In milliseconds. Loads a change within a second at little cost. */
const lookMs = 800;

interface ConfigurationWatchOptions {
  /** Called each time, because a change can refer to other files. */
  readonly paths: () => readonly string[];
  readonly clock: Clock;
  /** Returns false to be called again, because the change could not be loaded yet. */
  readonly onChange: (isOwn: boolean) => Promise<boolean>;
}

export interface ConfigurationWatch {
  /**
   * Runs `work` and loads changes only afterwards.
   * @param isNoticed calls `onChange` even if the files are unchanged
   */
  readonly change: <Result>(work: () => Promise<Result>, isNoticed?: boolean) => Promise<Result>;
  /** Waits for a running `onChange`. */
  readonly end: () => Promise<void>;
}

type Marks = ReadonlyMap<string, string>;

const isSame = (marks: Marks, known: Marks): boolean =>
  marks.size === known.size && [...marks].every(([path, mark]) => known.get(path) === mark);

/** Polls, because file system events are unreliable when editors replace files. */
export async function watchConfiguration({
  paths,
  clock,
  onChange,
}: ConfigurationWatchOptions): Promise<ConfigurationWatch> {
  const markOf = (path: string, before: Marks): string => {
    try {
      // Synchronous, because another thread would cost an idle board more.
      return rightsMarkSync(path);
    } catch {
      // A file that cannot be read counts as unchanged.
      return before.get(path) ?? '';
    }
  };
  const look = (before: Marks): Marks => new Map(paths().map((path) => [path, markOf(path, before)] as const));
  let known = look(new Map());
  /** The marks after our own changes. Null if others have also changed the files. */
  let own: Marks | null = known;
  let isDue = false;
  let changesUnderWay = 0;
  let underWay: Promise<void> = Promise.resolve();
  const ending = new AbortController();
  const takeOver = async (marks: Marks): Promise<void> => {
    if (!(await onChange(own !== null && isSame(marks, own)))) return;
    isDue = false;
    // Uses the marks from before the read, because a file may have changed since.
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
        const isOwnChange = own !== null && isSame(before, own);
        try {
          return await work();
        } finally {
          own = isOwnChange ? look(before) : null;
          if (isNoticed) isDue = true;
        }
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
