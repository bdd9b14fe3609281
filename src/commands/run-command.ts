import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RunProgram } from './api-key.ts';
import type { Environment } from './context.ts';

const timeLimitMs = 10_000;
const longestOutput = 64 * 1024;

/** Makes a {@link RunProgram} that hands on an environment and ends a program after 10 s. */
export function createRunProgram(environment: Environment): RunProgram {
  const run = promisify(execFile);
  return async (program, programArguments) => {
    const { stdout } = await run(program, [...programArguments], {
      env: { ...environment },
      timeout: timeLimitMs,
      maxBuffer: longestOutput,
      windowsHide: true,
      encoding: 'utf8',
    });
    return stdout;
  };
}
