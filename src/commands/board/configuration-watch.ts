import { type Clock, msUntilBeat, sleep } from '../../lib/clock.ts';
import { rightsMarkSync } from '../../store/file/open-file.ts';

/** Short enough to pick up changes within a second, long enough to cost little. */
const pollMs = 800;

interface ConfigurationWatchOptions {
  /** Called on each poll, because a changed setting can refer to a different file. */
  readonly paths: () => readonly string[];
  readonly clock: Clock;
  /** Returns false if the change could not be loaded yet. The next poll then calls it again. */
  readonly onChange: (isOwn: boolean) => Promise<boolean>;
}

export type ConfigurationWatch = Awaited<ReturnType<typeof watchConfiguration>>;

type Marks = ReadonlyMap<string, string>;

const isSame = (marks: Marks, known: Marks): boolean =>
  marks.size === known.size && [...marks].every(([path, mark]) => known.get(path) === mark);

/** Polls the files, because file system events are unreliable when editors replace files. */
export async function watchConfiguration({ paths, clock, onChange }: ConfigurationWatchOptions) {
  const readMark = (path: string, before: Marks): string => {
    try {
      // Synchronous, because handing the work to another thread costs an idle board more.
      return rightsMarkSync(path);
    } catch {
      // A file that cannot be read counts as unchanged.
      return before.get(path) ?? '';
    }
  };
  const readMarks = (before: Marks): Marks => new Map(paths().map((path) => [path, readMark(path, before)] as const));
  let knownMarks = readMarks(new Map());
  /** The marks after our own changes. Null if someone else has also changed the files. */
  let ownMarks: Marks | null = knownMarks;
  let isDue = false;
  let runningChanges = 0;
  let currentPoll: Promise<void> = Promise.resolve();
  const stopController = new AbortController();
  const reload = async (marks: Marks): Promise<void> => {
    if (!(await onChange(ownMarks !== null && isSame(marks, ownMarks)))) return;
    isDue = false;
    // Keeps the marks from before the files were read, because a file may have changed since.
    knownMarks = new Map([...readMarks(marks)].map(([path, mark]) => [path, marks.get(path) ?? mark]));
    ownMarks = knownMarks;
  };
  const poll = async (): Promise<void> => {
    const marks = readMarks(knownMarks);
    const hasChanged = isDue || !isSame(marks, knownMarks);
    if (hasChanged && runningChanges === 0) await reload(marks);
  };
  const keepPolling = async (): Promise<void> => {
    while (await sleep(clock, msUntilBeat(clock.now(), pollMs), stopController.signal)) {
      currentPoll = poll();
      await currentPoll;
    }
  };
  const polling = keepPolling();
  return {
    /**
     * Runs `work`, during which no changes are loaded.
     * @param shouldReload whether to call `onChange` afterwards even if the files are unchanged
     */
    async change<Result>(work: () => Promise<Result>, shouldReload = false): Promise<Result> {
      runningChanges += 1;
      try {
        await currentPoll;
        const before = readMarks(knownMarks);
        const isOwnChange = ownMarks !== null && isSame(before, ownMarks);
        try {
          return await work();
        } finally {
          ownMarks = isOwnChange ? readMarks(before) : null;
          if (shouldReload) isDue = true;
        }
      } finally {
        runningChanges -= 1;
      }
    },
    /** Waits for a running `onChange`. */
    async end(): Promise<void> {
      stopController.abort();
      await polling;
    },
  };
}
