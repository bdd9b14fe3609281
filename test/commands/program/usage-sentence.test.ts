import { Command } from 'commander';
import { expect, it } from 'vitest';
import { usageSentence } from '../../../src/commands/program/help-text.ts';

it.each([
  ["unknown option '--lable'", 'Unknown option --lable. Did you mean --label?'],
  ["unknown option '--lable=x'", 'Unknown option --lable=x. Did you mean --label?'],
  ["unknown option '--setup'", 'Unknown option --setup.'],
  ["option '--label <text>' argument missing", '--label needs a value.'],
  [
    "option '-n, --number <n>' argument 'x' is invalid. It must be a number.",
    '--number cannot be "x". It must be a number.',
  ],
  ["option '--label <text>' cannot be used with option '-s, --status'", '--label cannot be used with --status.'],
  ["missing required argument 'number'", 'Which number?'],
  ["too many arguments for 'add'. Expected 0 arguments but got 1: x.", '"add" takes no arguments (got x).'],
  [
    "too many arguments for 'show'. Expected 1 argument but got 2: Red, lamp.",
    '"show" takes 1 argument (got Red, lamp). Quote labels that contain spaces.',
  ],
  [
    "command-argument value 'gte' is invalid for argument 'action'. Allowed choices are get, set.",
    '"gte" is not a valid action. Use: get, set. Did you mean get?',
  ],
])('says what is wrong and what was probably meant: %s', (text, sentence) => {
  const program = new Command('parcel-monitor');
  const add = program.command('add').option('--label <text>', 'a name').option('--status', 'nothing like it');
  expect(usageSentence(`error: ${text}`, add)).toBe(`parcel-monitor: ${sentence} See "parcel-monitor add --help".\n`);
});
