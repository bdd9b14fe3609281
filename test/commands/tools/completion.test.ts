import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completionScript } from '../../../src/commands/tools/completion-script.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { hostileWords, witness, writeHostileFiles } from '../../support/hostile-words.ts';

const execute = promisify(execFile);

let user: CliUser;
beforeEach(async () => {
  user = await createCliUser();
});
afterEach(() => user.remove());

const commands = [
  { name: 'add', description: "don't lose it", options: ['--courier', '--label'] },
  { name: 'show', description: 'one', options: ['--json'] },
  { name: 'import', description: 'a file', options: ['--dry-run'] },
  { name: 'export', description: 'all', options: ['--format', '--all'], choices: { '--format': ['json', 'ics'] } },
];

/** What bash would offer for a line, its words given; the program itself answers with these words. */
async function offered(line: readonly string[], answers: readonly string[]): Promise<readonly string[]> {
  await writeFile(join(user.home, 'answers'), answers.map((answer) => `${answer}\n`).join(''));
  const file = join(user.home, 'completion.bash');
  await writeFile(
    file,
    `parcel-monitor() { cat answers; }
${completionScript('bash', commands)}
COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${line.length - 1}
_parcel_monitor
printf '%s\\n' "\${COMPREPLY[@]}"
`,
  );
  const { stdout } = await execute('bash', [file], { cwd: user.home });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion', () => {
  it('offers commands, options, couriers and watched numbers in bash', async () => {
    expect(await offered(['parcel-monitor', 's'], [])).toEqual(['show']);
    expect(await offered(['parcel-monitor', 'add', '--l'], [])).toEqual(['--label']);
    expect(await offered(['parcel-monitor', 'add', '--courier', 'up'], ['ups', 'usps', 'dhl'])).toEqual(['ups']);
    expect(await offered(['parcel-monitor', 'add', '--courier', ''], ['ups', 'usps'])).toEqual(['ups', 'usps']);
    expect(await offered(['parcel-monitor', 'show', 'LX'], ['LX1', 'RB2'])).toEqual(['LX1']);
    expect(await offered(['parcel-monitor', 'show', ''], [])).toEqual([]);
  });

  it('offers the words that an option may be', async () => {
    expect(await offered(['parcel-monitor', 'export', '--format', ''], [])).toEqual(['json', 'ics']);
    expect(await offered(['parcel-monitor', 'export', '--format', 'i'], [])).toEqual(['ics']);
    expect(await offered(['parcel-monitor', 'export', '--a'], [])).toEqual(['--all']);
    const fish = completionScript('fish', commands).split('\n');
    expect(fish.filter((line) => line.includes('-l format'))).toEqual([
      "complete -c parcel-monitor -n '__fish_seen_subcommand_from export' -l format -x -a 'json ics'",
    ]);
  });

  it.each([
    ['couriers', ['add', '--courier']],
    ['numbers', ['show']],
  ])('runs, expands and offers nothing that is no plain word among %s in bash', async (_kind, typed) => {
    const answers = ['good-1', ...hostileWords, 'good-2'];
    const words = await offered(['parcel-monitor', ...typed, ''], answers);
    expect(words.filter((word) => !word.startsWith('-'))).toEqual(['good-1', 'ups', 'good-2']);
    for (const prefix of ['$(touch witness)', '*', '~', '`touch witness`']) {
      expect(await offered(['parcel-monitor', ...typed, prefix], answers)).toEqual([]);
    }
    expect(await readdir(user.home)).not.toContain(witness);
  });

  it.each(['couriers', 'numbers'])(
    'hands a shell no word of the %s in its files that is more than a word',
    async (kind) => {
      await writeHostileFiles(join(user.home, '.local', 'share'), join(user.home, '.cache'));
      const { exitCode, stderr, stdout } = await user.run(['completion', '--words', kind]);
      expect(stdout).toBe(kind === 'couriers' ? 'ups\nchina-post\n' : 'LX1\n12/34.56_7\n');
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    },
  );

  it('moves nothing and says nothing where a file is damaged', async () => {
    const data = join(user.home, '.local', 'share', 'parcel-monitor');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'watchlist.json'), '{');
    expect(await user.run(['completion', '--words', 'numbers'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(await readdir(data)).toEqual(['watchlist.json']);
  });

  it('quotes what fish would take apart', () => {
    expect(completionScript('fish', commands)).toContain(`-a add -d 'don\\'t lose it'`);
  });

  it.each(['bash', 'zsh', 'fish'])('prints the script for %s with every command', async (shell) => {
    const { exitCode, stdout } = await user.run(['completion', shell]);
    expect(exitCode).toBe(0);
    for (const name of ['add', 'import', 'export', 'watch', 'doctor', 'restore']) expect(stdout).toContain(name);
    expect(stdout).toContain('json csv ics md');
  });

  it('knows watched numbers, no courier before there is a list, and no other shell', async () => {
    await user.run(['add', '1Z999AA10123456784']);
    expect((await user.run(['completion', '--words', 'numbers'])).stdout).toBe('1Z999AA10123456784\n');
    expect(await user.run(['completion', '--words', 'couriers'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect((await user.run(['completion', '--words', 'constructor'])).exitCode).toBe(2);
    expect((await user.run(['completion', 'tcsh'])).exitCode).toBe(2);
  });
});
