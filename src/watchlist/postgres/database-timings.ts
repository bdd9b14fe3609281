/** How long things take with any database, in milliseconds. */
export const defaultTimings = {
  /** See `Deadlines`. */
  connectMs: 5_000,
  statementMs: 12_000,
  lockMs: 5_000,
  idleMs: 7_000,
  answerMs: 15_000,
  /** Between two looks whether the connection lives. */
  heartbeatMs: 5_000,
  /** How long nothing may come in answer to such a look, and to any other (`isLook`). */
  heartbeatAnswerMs: 5_000,
  /** Between two questions for news where none is announced. */
  newsMs: 1_000,
  /** Before the first and the last tries to connect again. */
  shortestBackOffMs: 200,
  longestBackOffMs: 5_000,
};

/** How long things take. */
export type DatabaseTimings = Readonly<typeof defaultTimings>;
