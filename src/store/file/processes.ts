import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** What the system knows about processes; handed in, since a lock says which one holds it. */
export interface Processes {
  readonly pid: number;
  /** The user whom this process acts for; null or absent where there are no users. */
  readonly uid?: number | null;
  /** Names where process ids count: the machine, and the container on it. */
  scope(): string;
  /** Whether a process of this scope runs. */
  isRunning(pid: number): boolean;
  /** Has something called when this process ends; returns how to call it off. Absent where that cannot be known. */
  onExit?(call: () => void): () => void;
}

type OwnProcess = Pick<NodeJS.Process, 'pid' | 'kill'> & Partial<Pick<NodeJS.Process, 'geteuid' | 'on' | 'off'>>;

/** What this machine knows about processes. */
export function createProcesses(own: OwnProcess): Processes {
  let scope: string | null = null;
  const atExit = new Set<() => void>();
  const onExit = (): void => {
    for (const call of atExit) call();
  };
  return {
    pid: own.pid,
    uid: own.geteuid?.() ?? null,
    scope: () => {
      scope ??= `${hostname()} ${processNamespace()}`;
      return scope;
    },
    onExit(call) {
      // One listener for all: Node warns of a leak from the eleventh on, and as many locks may be held at once.
      if (atExit.size === 0) own.on?.('exit', onExit);
      atExit.add(call);
      return () => {
        if (atExit.delete(call) && atExit.size === 0) own.off?.('exit', onExit);
      };
    },
    isRunning(pid) {
      try {
        // Signal 0 is not delivered; sending it shows whether the process is there.
        return own.kill(pid, 0) && !hasEnded(pid);
      } catch (error) {
        return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
      }
    },
  };
}

/** Whether a process is over and only its name is left, because its parent has not read how it ended: common in containers. */
function hasEnded(pid: number): boolean {
  try {
    // The name before the state may hold anything, brackets included.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Containers on one machine, perhaps with one host name, count their processes each from 1. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
