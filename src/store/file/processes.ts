import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Information about processes from the system. */
export interface Processes {
  readonly pid: number;
  /** The user of this process. Null or absent if the system has no users. */
  readonly uid?: number | null;
  /** Scope in which process ids are unique: the machine and its container. */
  scope(): string;
  /** Whether a process of this scope runs. */
  isRunning(pid: number): boolean;
  /** Calls back when this process ends. Returns a function to cancel. Absent if the system cannot tell. */
  onExit?(call: () => void): () => void;
}

type OwnProcess = Pick<NodeJS.Process, 'pid' | 'kill'> & Partial<Pick<NodeJS.Process, 'geteuid' | 'on' | 'off'>>;

/** Returns this machine's process information. */
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
      // One listener for all: Node warns about a leak from the eleventh on, and we may have as many locks.
      if (atExit.size === 0) own.on?.('exit', onExit);
      atExit.add(call);
      return () => {
        if (atExit.delete(call) && atExit.size === 0) own.off?.('exit', onExit);
      };
    },
    isRunning(pid) {
      try {
        // Signal 0 is not delivered, and sending it shows whether the process exists.
        return own.kill(pid, 0) && !hasEnded(pid);
      } catch (error) {
        return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
      }
    },
  };
}

/** Whether a process is a zombie, as is common in containers: its parent has not read its exit status. */
function hasEnded(pid: number): boolean {
  try {
    // The name before the state may contain anything, even brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/**
 * Returns the process namespace: containers on one machine may share a host name, and each counts its processes from 1.
 */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
