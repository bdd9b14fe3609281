import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Processes {
  readonly pid: number;
  /** This process's effective user id. Null or absent if the system has no users. */
  readonly uid?: number | null;
  /** The scope in which process ids are unique: the machine and its container. */
  scope(): string;
  /** Whether a process in this scope is running. */
  isRunning(pid: number): boolean;
  /** Calls `callback` when this process exits. Returns a function that cancels this. */
  onExit?(callback: () => void): () => void;
}

type OwnProcess = Pick<NodeJS.Process, 'pid' | 'kill'> & Partial<Pick<NodeJS.Process, 'geteuid' | 'on' | 'off'>>;

export function createProcesses(nodeProcess: OwnProcess): Processes {
  let scope: string | null = null;
  const exitCallbacks = new Set<() => void>();
  const onExit = (): void => {
    for (const callback of exitCallbacks) callback();
  };
  return {
    pid: nodeProcess.pid,
    uid: nodeProcess.geteuid?.() ?? null,
    scope: () => {
      scope ??= `${hostname()} ${processNamespace()}`;
      return scope;
    },
    onExit(callback) {
      // A single listener, because Node warns about a leak from the eleventh on, and we may have that many locks.
      if (exitCallbacks.size === 0) nodeProcess.on?.('exit', onExit);
      exitCallbacks.add(callback);
      return () => {
        if (exitCallbacks.delete(callback) && exitCallbacks.size === 0) nodeProcess.off?.('exit', onExit);
      };
    },
    isRunning(pid) {
      try {
        // Signal 0 is not delivered. Sending it only shows whether the process exists.
        return nodeProcess.kill(pid, 0) && !isZombie(pid);
      } catch (error) {
        return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
      }
    },
  };
}

/** Whether a process is a zombie: its parent has not read its exit status, as is common in containers. */
function isZombie(pid: number): boolean {
  try {
    // The name, which comes before the state, may contain anything, even parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/**
 * Returns the process id namespace: containers on one machine may share a host name, and each counts its processes from 1.
 */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
