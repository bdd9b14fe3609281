import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testClockEnvironment } from '../../clock/clock-shift.ts';
import { builtCli } from '../../support/built-cli.ts';
import { createCliUser } from '../../support/cli-user.ts';

const run = promisify(execFile);

/** Runs a program, and returns its file system calls: `fsync /path`, `rename /from /to`, `mkdir /path`. */
async function fileCallsOf(command: readonly string[], environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-trace-'));
  const trace = join(folder, 'trace');
  try {
    const names = 'trace=fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat';
    await run('strace', ['-f', '-y', '-s', '4096', '-e', names, '-o', trace, ...command], { env: environment });
    return (await readFile(trace, 'utf8')).split('\n').flatMap((line) => {
      const sync = /f(?:data)?sync\(\d+<([^>]*)>/.exec(line);
      if (sync !== null) return [`fsync ${sync[1]}`];
      const [, call, paths = ''] = /(rename|mkdir)\w*\((.*)/.exec(line) ?? [];
      return call === undefined
        ? []
        : [`${call} ${[...paths.matchAll(/"([^"]*)"/g)].map(([, path]) => path).join(' ')}`];
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('puts an added parcel on disk before reporting it: the file, then its name, then the folder', async ({ skip }) => {
  const canTrace = await run('strace', ['-o', '/dev/null', 'true']).then(
    () => true,
    () => false,
  );
  if (!canTrace) return skip('strace is not available here');
  const user = await createCliUser();
  try {
    const calls = await fileCallsOf([process.execPath, builtCli, 'add', 'RB100000005CN'], {
      ...testClockEnvironment(),
      PATH: process.env['PATH'],
      HOME: user.home,
    });
    const folder = join(user.home, '.local', 'share', 'parcel-monitor');
    const renamed = calls.findIndex((call) => call.startsWith('rename ') && call.endsWith(`${folder}/watchlist.json`));
    const temp = calls[renamed]?.split(' ')[1] ?? 'none';
    // The temp file moves through the lock's folder, so only its name stays the same.
    const written = calls.slice(0, renamed).findLast((call) => call.startsWith('fsync '));
    expect(basename(written ?? '')).toBe(basename(temp));
    expect(calls.slice(renamed + 1)).toContain(`fsync ${folder}`);
    // The new folder's entry in its parent must be on disk too.
    const created = calls.indexOf(`mkdir ${folder}`);
    expect(created).toBeGreaterThanOrEqual(0);
    expect(calls.slice(created, renamed)).toContain(`fsync ${join(folder, '..')}`);
  } finally {
    await user.remove();
  }
});
