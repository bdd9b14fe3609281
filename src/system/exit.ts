/** The exit codes, as documented in the README. */
export const exitCode = {
  done: 0,
  failed: 1,
  /** Unknown option, invalid value or unusable configuration. */
  usage: 2,
  /** The service refused the key or access, or a quota or rate limit was exceeded. */
  refused: 3,
  unreachable: 4,
  /** Some numbers were rejected or not found. */
  rejected: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

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

type ExitableProcess = Pick<
  NodeJS.Process,
  'exit' | 'execve' | 'kill' | 'pid' | 'removeAllListeners' | 'getActiveResourcesInfo'
>;

export type ExitProcess = (exitCode: number) => void;

/** Node's names for requests in its thread pool, which are system calls that may never return. */
const threadRequests: ReadonlySet<string> = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'FileHandleCloseReq',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
]);

const signalsByCode: Readonly<Record<number, NodeJS.Signals>> = { 129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM' };

export function isThreadBusy(currentProcess: Pick<ExitableProcess, 'getActiveResourcesInfo'>): boolean {
  return currentProcess.getActiveResourcesInfo().some((resource) => threadRequests.has(resource));
}

/** Exits immediately. `process.exit` would wait for threads that are stuck on a dead disk or a name lookup. */
export function createExitProcess(currentProcess: ExitableProcess): ExitProcess {
  return (exitCode) => {
    if (!isThreadBusy(currentProcess)) return currentProcess.exit(exitCode);
    // `exec` replaces the process, including its threads.
    currentProcess.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
    const signal = signalsByCode[exitCode];
    if (signal !== undefined) {
      // Without a listener, the signal kills the process.
      currentProcess.removeAllListeners(signal);
      currentProcess.kill(currentProcess.pid, signal);
    }
    currentProcess.kill(currentProcess.pid, 'SIGKILL');
  };
}
