import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from '../support/test-folder.ts';

const run = promisify(execFile);
const leaveProcess = new URL('../../src/system/exit.ts', import.meta.url).href;

/** Returns how a process ends that exits with a code, possibly while one of its threads waits for a disk forever. */
async function exitOf(exitCode: number, isThreadStuck: boolean): Promise<readonly [number | null, string | null]> {
  const folder = await createTestFolder();
  const pipe = join(folder, 'pipe');
  await run('mkfifo', [pipe]);
  const script = join(folder, 'script.mjs');
  await writeFile(
    script,
    `import { open } from 'node:fs/promises';
     import { createExitProcess } from ${JSON.stringify(leaveProcess)};
     if (${isThreadStuck}) open(${JSON.stringify(pipe)}, 'r').catch(() => {});
     process.on('SIGTERM', () => {});
     setTimeout(() => createExitProcess(process)(${exitCode}), 50);`,
  );
  const child = spawn(process.execPath, [script], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [code, signal] = await once(child, 'exit');
  return [code, signal];
}

test.skipIf(process.platform === 'win32').each([
  [0, false, [0, null]],
  [5, false, [5, null]],
  [0, true, [0, null]],
  [5, true, [5, null]],
  [143, true, [143, null]],
  [130, true, [130, null]],
  [129, true, [129, null]],
] as const)('a process exits with %i even if a thread never returns: %s', async (code, isThreadStuck, end) => {
  expect(await exitOf(code, isThreadStuck)).toEqual(end);
});
