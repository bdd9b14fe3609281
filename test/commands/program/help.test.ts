import { Option } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, notesOf, optionsOf, programToDescribe } from '../../../.config/manual/command-section.ts';
import { readCommands } from '../../../src/commands/program/read-commands.ts';
import { toolCommands } from '../../../src/commands/program/tool-commands.ts';
import { writeCommands } from '../../../src/commands/program/write-commands.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';

let user: CliUser;
beforeAll(async () => {
  user = await createCliUser();
});
afterAll(() => user.remove());

describe("a command's help", () => {
  it('has at least two examples, with existing commands and options', () => {
    const table = commandsOf(programToDescribe()).filter((command) => command.name() !== 'help');
    const findCommand = (name: string) => table.find((command) => command.name() === name);
    for (const documented of table) {
      const name = documented.name();
      const notes = notesOf(documented);
      const lines = notes.slice(notes.indexOf('Examples:')).match(/^ {2}parcel-monitor .*/gm) ?? [];
      expect({ name, count: lines.length }).toEqual({ name, count: expect.toSatisfy((count: number) => count >= 2) });
      for (const line of lines) {
        const [typed = ''] = line.trim().split(/ {2,}| [|<>] /);
        const [, command = '', ...words] = typed.replaceAll(/"[^"]*"|'[^']*'/g, 'quoted').split(' ');
        const commandName = command === 'parcel-monitor' ? words[0] : command;
        const documentedCommand = findCommand(commandName ?? '');
        const options = documentedCommand && optionsOf(documentedCommand).map(({ long }) => long);
        expect(options, line).toBeDefined();
        for (const word of words.filter((text) => text.startsWith('--'))) expect(options, line).toContain(word);
      }
    }
  });

  it('begins with examples', async () => {
    const headings = async (args: readonly string[]) => (await user.run(args)).stdout.match(/^[A-Z][\w ]+(?=:$)/gm);
    expect(await headings(['add', '--help'])).toEqual(['Examples', 'Arguments', 'Options', 'Global options']);
    expect((await headings(['--help']))?.slice(0, 2)).toEqual(['Getting started', 'Options']);
  });

  it.each([
    ['remove', 'Which parcels?'],
    ['show', 'Which number?'],
    ['import', 'Name a file'],
  ])('is short for %s without its required arguments', async (name, sentence) => {
    const { exitCode, stderr } = await user.run([name]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(`^parcel-monitor: ${sentence.replace('?', '\\?')}`));
    expect(stderr.match(/^ {2}parcel-monitor /gm)).toHaveLength(2);
    expect(stderr).toContain(`"parcel-monitor ${name} --help"`);
  });

  it('is refused for an unknown command', async () => {
    const { exitCode, stderr, stdout } = await user.run(['help', 'lst']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Unknown command "lst". Did you mean list?');
    expect((await user.run(['help', 'list'])).stdout).toContain('parcel-monitor list --stage attention');
  });

  it('exits with 0 even if the process already has an exit code', async () => {
    const before = process.exitCode;
    process.exitCode = 1;
    try {
      for (const args of [['help'], ['help', 'list']]) expect((await user.run(args)).exitCode).toBe(0);
    } finally {
      process.exitCode = before;
    }
  });

  it("lists a command's own options before the global ones", async () => {
    for (const args of [['list', '--help'], ['--help']]) {
      const { exitCode, stdout } = await user.run(args);
      expect(exitCode).toBe(0);
      expect(stdout.indexOf('\nOptions:')).toBeGreaterThan(0);
      expect(stdout.indexOf('\nOptions:')).toBeLessThan(stdout.indexOf('Global options:'));
    }
  });

  it.each([
    ['a missing number', ['show'], 'parcel-monitor show --help'],
    ['an unknown option', ['edit', 'AB12345', '--foo'], 'parcel-monitor edit --help'],
    ['an unknown board option', ['--foo'], 'parcel-monitor --help'],
  ])('is mentioned in the error about %s', async (_what, args, help) => {
    const { exitCode, stderr } = await user.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(`^parcel-monitor: .* See "${help}"\\.\\n`));
  });
});

it('uses the option names that Commander derives from the flags', () => {
  for (const { name, options } of [...writeCommands, ...readCommands, ...toolCommands]) {
    const attributeNames = Object.values(options).map(([flags]) => new Option(flags).attributeName());
    expect({ name, attributeNames }).toEqual({ name, attributeNames: Object.keys(options) });
  }
});

it.each([
  [['lst'], 'Did you mean list?'],
  [['list', '--jsno'], 'Did you mean --json?'],
  [['list', '--stage', 'delivred'], 'Did you mean delivered?'],
  [['list', '--filter', 'stage:delivred'], 'Did you mean "stage:delivered"?'],
  [['list', '--zone', 'Europ/Berlin'], 'did you mean Europe/Berlin?'],
  [['list', '--profile', 'trak123'], 'did you mean track123?'],
  [['export', '--format', 'jsn'], 'Did you mean json?'],
  [['completion', 'bsh'], 'Did you mean bash?'],
  [['status', '--format', '{atention}'], 'Did you mean attention?'],
  [['sandbox', '--fault', 'mising-record'], 'Did you mean missing-record?'],
  [['config', 'set', 'zone', 'Berlin'], 'did you mean Europe/Berlin?'],
])('%j gets a suggestion', async (args, sentence) => {
  const { exitCode, stderr } = await user.run(args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
});
