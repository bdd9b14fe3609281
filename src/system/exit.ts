/** Exit codes of the program, as the README lists them. */
export const exitCode = {
  done: 0,
  failed: 1,
  /** Unknown option, impossible value, configuration that cannot be used. */
  usage: 2,
  /** The service refused: key, access, quota, too many calls. */
  refused: 3,
  unreachable: 4,
  /** Some numbers were rejected or not found. */
  rejected: 5,
  interrupted: 130,
} as const;

/** How a command ended. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Which of two ends is reported: what stops everything outranks what concerns single numbers. */
export function worseExit(a: ExitCode, b: ExitCode): ExitCode {
  const rank: readonly ExitCode[] = [
    exitCode.done,
    exitCode.rejected,
    exitCode.failed,
    exitCode.unreachable,
    exitCode.refused,
    exitCode.usage,
    exitCode.interrupted,
  ];
  return rank.indexOf(a) >= rank.indexOf(b) ? a : b;
}

/** The parts of `process` that end it. */
type EndingProcess = Pick<
  NodeJS.Process,
  'exit' | 'execve' | 'kill' | 'pid' | 'removeAllListeners' | 'getActiveResourcesInfo'
>;

/** Ends the process with an exit code. */
export type LeaveProcess = (exitCode: number) => void;

/** Work of Node's other threads, as Node names it; all of it is a system call that may never return. */
const threadWork: ReadonlySet<string> = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'FileHandleCloseReq',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
]);

/** Signals by the exit code that a shell gives a process which they have killed. */
const signalsByCode: Readonly<Record<number, NodeJS.Signals>> = { 129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM' };

/** Whether a thread of the process is in a call to the disk or the resolver. */
export function isThreadBusy(ending: Pick<EndingProcess, 'getActiveResourcesInfo'>): boolean {
  return ending.getActiveResourcesInfo().some((resource) => threadWork.has(resource));
}

/**
 * Makes what ends a process at once, whatever its threads wait for: `process.exit` waits for them, for as long as a
 * file on a dead disk cannot be opened or a name is looked up. The exit code is what was wished on every way.
 */
export function createLeaveProcess(ending: EndingProcess): LeaveProcess {
  return (exitCode) => {
    if (!isThreadBusy(ending)) return ending.exit(exitCode);
    // What takes the place of a process ends its threads, whatever they do.
    ending.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
    const signal = signalsByCode[exitCode];
    if (signal !== undefined) {
      // Without a listener it kills.
      ending.removeAllListeners(signal);
      ending.kill(ending.pid, signal);
    }
    ending.kill(ending.pid, 'SIGKILL');
  };
}
