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
