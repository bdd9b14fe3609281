import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completionScripts } from '../../../src/commands/completion/completion.ts';
import { shells } from '../../../src/commands/completion/expected-words.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { canary, hostileWords, writeHostileFiles } from '../../support/hostile-words.ts';

const execute = promisify(execFile);

let user: CliUser;
beforeEach(async () => {
  user = await createCliUser();
});
afterEach(() => user.remove());

/** The program's response to a shell. */
const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
  const { exitCode, stderr, stdout } = await user.run([
    'completion',
    ...words.slice(0, 1),
    '--complete',
    '--',
    ...words.slice(1),
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
};

/** The program's response to bash, which passes the line and the word after its last blank. */
const completeInBash = (line: string): Promise<readonly string[]> =>
  complete('bash', line, line.slice(line.lastIndexOf(' ') + 1));

describe('completion', () => {
  it('offers commands and options', async () => {
    expect(await completeInBash('parcel-monitor re')).toEqual(['words', 'remove', 'restore', 'refresh']);
    expect(await completeInBash('parcel-monitor list --sta')).toEqual(['words', '--stage']);
    expect(await complete('zsh', 'parcel-monitor', 'list', '--s')).toContain(
      '--filter\tonly list parcels that match all words and terms; see below',
    );
  });

  it('offers numbers and labels, each described by the other', async () => {
    await user.run(['add', '1Z999AA10123456784', '--label', 'Red lamp', '--tag', 'gift']);
    await user.run(['add', 'RB123456785GB@royal-mail', 'RB123456785GB@china-post']);
    const offered = [
      '1Z999AA10123456784\tRed lamp',
      'RB123456785GB@royal-mail',
      'RB123456785GB@china-post',
      'Red lamp\t1Z999AA10123456784',
    ];
    expect(await complete('zsh', 'parcel-monitor', 'show', '')).toEqual(['words', ...offered]);
    expect(await complete('fish', 'parcel-monitor', 'show', '')).toEqual(['words', ...offered]);
    expect(await completeInBash('parcel-monitor show Re')).toEqual(['words', 'Red\\ lamp']);
    expect(await complete('fish', 'parcel-monitor', 'edit', 'X', '--untag', '')).toEqual(['words', 'gift']);
  });

  it('offers settings with descriptions, and the settings of each known courier', async () => {
    await writeHostileFiles(join(user.home, '.local', 'share'), join(user.home, '.cache'));
    expect(await completeInBash('parcel-monitor config get couriers.u')).toEqual([
      'words',
      'couriers.ups.postalCode',
      'couriers.ups.phoneSuffix',
    ]);
    expect(await complete('zsh', 'parcel-monitor', 'config', 'set', '')).toContain('zone\tYour time zone');
  });

  it('completes filters as the board does', async () => {
    await user.run(['add', 'RB123456785GB@royal-mail', '--tag', 'gift', '--label', 'Blue socks']);
    expect(await completeInBash('parcel-monitor list --filter sta')).toEqual(['words', 'stage:']);
    expect(await complete('bash', 'parcel-monitor list --filter stage:del', 'del')).toEqual(['words', 'delivered']);
    expect(await complete('zsh', 'parcel-monitor', 'list', '--filter=is:late !courier:ro')).toEqual([
      'words',
      'is:late !courier:royal-mail',
      'is:late !courier:"Royal Mail"',
    ]);
    expect(await complete('fish', 'parcel-monitor', 'list', '--filter', "'is:late tag:")).toEqual([
      'words',
      'is:late tag:gift',
    ]);
    expect(await complete('zsh', 'parcel-monitor', 'list', '--filter', '')).toContain('older:');
  });

  it('offers couriers after the "@" of a number', async () => {
    await writeHostileFiles(join(user.home, '.local', 'share'), join(user.home, '.cache'));
    expect(await complete('bash', 'parcel-monitor add 12345@u', 'u')).toEqual(['words', 'ups']);
    expect(await complete('zsh', 'parcel-monitor', 'show', '12345@')).toEqual([
      'words',
      '12345@ups\tups',
      '12345@china-post\tchina-post',
    ]);
    await user.remove();
    user = await createCliUser();
    await user.run(['add', 'RB123456785GB@royal-mail']);
    expect(await complete('zsh', 'parcel-monitor', 'remove', 'RB123456785GB@')).toEqual([
      'words',
      'RB123456785GB@royal-mail',
    ]);
  });

  it('offers what can be restored', async () => {
    await user.run(['add', 'RB123456785GB@royal-mail', '1Z999AA10123456784']);
    await user.run(['remove', 'RB123456785GB']);
    expect(await completeInBash('parcel-monitor restore --parcel ')).toEqual(['words', 'RB123456785GB']);
    await user.run(['restore', '--parcel', 'RB123456785GB']);
    expect(await completeInBash('parcel-monitor restore --parcel ')).toEqual(['words']);
  });

  it('offers unmapped fields of a table, and faults with their parts', async () => {
    expect(await completeInBash('parcel-monitor import a.csv --map n')).toEqual(['words', 'number=', 'note=']);
    const fields = await complete('zsh', 'parcel-monitor', 'import', '--map', 'number=Tracking,');
    expect(fields).toContain('number=Tracking,label=');
    expect(fields).not.toContain('number=Tracking,number=');
    expect(await completeInBash('parcel-monitor sandbox --fault html')).toEqual(['words', 'html-502', 'html-200']);
    expect(await complete('zsh', 'parcel-monitor', 'sandbox', '--fault', 'slow:p=0.3:')).toContain('slow:p=0.3:query');
  });

  it('offers zones, but no couriers before the list is fetched', async () => {
    expect(await completeInBash('parcel-monitor list --zone Europe/Ber')).toEqual(['words', 'Europe/Berlin']);
    expect(await completeInBash('parcel-monitor add LX1 --courier ')).toEqual(['words']);
  });

  it("completes an option's value after its name if the shell treats both as one word", async () => {
    expect(await complete('fish', 'parcel-monitor', 'list', '--stage=pick')).toContain('--stage=pickup');
    expect(await complete('zsh', 'parcel-monitor', 'list', '--stage=pick')).toContain('pickup');
    expect(await complete('bash', 'parcel-monitor list --stage=pick', 'pick')).toEqual(['words', 'pickup']);
  });

  it.each(shells)('offers no unsafe numbers, codes or labels in %s', async (shell) => {
    await writeHostileFiles(join(user.home, '.local', 'share'), join(user.home, '.cache'));
    const offeredWords = async (...words: readonly string[]): Promise<readonly string[]> => {
      const lines = shell === 'bash' ? completeInBash(words.join(' ')) : complete(shell, ...words);
      return (await lines).map((line) => line.replace(/\t.*/, ''));
    };
    expect(await offeredWords('parcel-monitor', 'add', 'X', '--courier', '')).toEqual(['words', 'ups', 'china-post']);
    const parcels = await offeredWords('parcel-monitor', 'show', '');
    expect(parcels.slice(0, 3)).toEqual(['words', 'LX1', '12/34.56_7']);
    expect(parcels.join('\n')).not.toMatch(/[\x00-\x09\x0b-\x1f]|^-/m);
  });

  it('offers nothing for a damaged file, and does not change it', async () => {
    const data = join(user.home, '.local', 'share', 'parcel-monitor');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'watchlist.json'), '{');
    expect(await completeInBash('parcel-monitor show ')).toEqual(['words']);
    expect(await readdir(data)).toEqual(['watchlist.json']);
  });
});

it('accepts the "=" that the PowerShell script puts before the typed word, which may be empty', async () => {
  expect(await complete('powershell', 'parcel-monitor', '=re')).toContain(
    'remove\tstop tracking numbers; "restore" brings them back for 30 days',
  );
  await user.run(['add', '1Z999AA10123456784', '--label', 'Red lamp']);
  expect(await complete('powershell', 'parcel-monitor', 'show', '=')).toContain('Red lamp\t1Z999AA10123456784');
  expect(await complete('powershell', 'parcel-monitor', 'list', '=--stage=att')).toContain('--stage=attention');
});

describe('completion install', () => {
  it.each([
    ['bash', '.local/share/bash-completion/completions/parcel-monitor'],
    ['zsh', '.zfunc/_parcel-monitor'],
    ['fish', '.config/fish/completions/parcel-monitor.fish'],
    ['powershell', '.config/powershell/parcel-monitor.ps1'],
  ] as const)(
    'writes the %s script where the shell looks for it, and replaces an older one',
    async (shell, relativePath) => {
      const path = join(user.home, relativePath);
      for (const words of [[shell], []]) {
        const environment = { SHELL: `/usr/bin/${shell}` };
        const { exitCode, stdout } = await user.run(['completion', 'install', ...words], { environment });
        expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${path}\n` });
        expect(await readFile(path, 'utf8')).toBe(completionScripts[shell]);
      }
    },
  );

  it('asks for the shell if it does not know the current one', async () => {
    const { exitCode, stderr } = await user.run(['completion', 'install'], { environment: { SHELL: '/bin/nush' } });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Which shell?') });
  });
});

describe('the bash script', () => {
  /** Returns what bash offers if the program prints these lines. */
  async function offered(output: readonly string[]): Promise<readonly string[]> {
    await writeFile(join(user.home, 'output'), output.map((line) => `${line}\n`).join(''));
    const file = join(user.home, 'completion.bash');
    await writeFile(
      file,
      `parcel-monitor() { cat output; }
${completionScripts['bash']}
COMP_LINE='parcel-monitor show ' COMP_POINT=20
_parcel_monitor parcel-monitor '' show
printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}
`,
    );
    const { stdout } = await execute('bash', ['-u', file], { cwd: user.home });
    return stdout.split('\n').filter((word) => word !== '');
  }

  it("passes on the program's words without expanding or running them", async () => {
    const lines = hostileWords.filter((word) => !word.includes('\n'));
    expect(await offered(['words', 'good', ...lines])).toEqual(['good', ...lines]);
    expect(await readdir(user.home)).not.toContain(canary);
  });

  it.each([[['words']], [['files']], [[]], [['nonsense', 'x']]])('offers nothing for the output %j', async (output) => {
    expect(await offered(output)).toEqual([]);
  });
});

it.each(shells)('prints the script for %s', async (shell) => {
  const { exitCode, stdout } = await user.run(['completion', shell]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: completionScripts[shell] });
  const unknown = await user.run(['completion', 'tcsh']);
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
});
