import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completionScript } from '../../src/commands/completion-script.ts';
import { type CliUser, createCliUser } from '../support/built-cli.ts';

const execute = promisify(execFile);

let user: CliUser;
beforeEach(async () => {
  user = await createCliUser();
});
afterEach(() => user.remove());

const commands = [
  { name: 'add', description: "don't lose it", options: ['--courier', '--label'] },
  { name: 'show', description: 'one', options: ['--json'] },
  { name: 'export', description: 'all', options: ['--format', '--all'], choices: { '--format': ['json', 'ics'] } },
];

/** What bash would offer for a line, its words given; the program itself answers with these words. */
async function offered(line: readonly string[], answers: string): Promise<readonly string[]> {
  const file = join(user.home, 'completion.bash');
  await writeFile(
    file,
    `parcel-monitor() { printf '%s\\n' ${answers}; }
${completionScript('bash', commands)}
COMP_WORDS=(${line.map((word) => `"${word}"`).join(' ')})
COMP_CWORD=${line.length - 1}
_parcel_monitor
printf '%s\\n' "\${COMPREPLY[@]}"
`,
  );
  const { stdout } = await execute('bash', [file]);
  return stdout.trim().split('\n');
}

describe('completion', () => {
  it('offers commands, options, couriers and watched numbers in bash', async () => {
    expect(await offered(['parcel-monitor', 's'], '')).toEqual(['show']);
    expect(await offered(['parcel-monitor', 'add', '--l'], '')).toEqual(['--label']);
    expect(await offered(['parcel-monitor', 'add', '--courier', 'up'], 'ups usps dhl')).toEqual(['ups']);
    expect(await offered(['parcel-monitor', 'show', 'LX'], 'LX1 RB2')).toEqual(['LX1']);
  });

  it('offers the words that an option may be', async () => {
    expect(await offered(['parcel-monitor', 'export', '--format', ''], '')).toEqual(['json', 'ics']);
    expect(await offered(['parcel-monitor', 'export', '--format', 'i'], '')).toEqual(['ics']);
    expect(await offered(['parcel-monitor', 'export', '--a'], '')).toEqual(['--all']);
    const fish = completionScript('fish', commands).split('\n');
    expect(fish.filter((line) => line.includes('-l format'))).toEqual([
      "complete -c parcel-monitor -n '__fish_seen_subcommand_from export' -l format -x -a 'json ics'",
    ]);
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
    expect((await user.run(['completion', 'tcsh'])).exitCode).toBe(2);
  });
});
