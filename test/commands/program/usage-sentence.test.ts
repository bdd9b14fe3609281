import { Command } from 'commander';
import { expect, it } from 'vitest';
import { usageSentence } from '../../../src/commands/program/help-text.ts';

it.each([
  ["error: unknown option '--lable'", "Unknown option '--lable'. Did you mean --label?"],
  ["error: unknown option '--lable=x'", "Unknown option '--lable=x'. Did you mean --label?"],
  ["error: unknown option '--setup'", "Unknown option '--setup'."],
  [
    "error: command-argument value 'gte' is invalid for argument 'action'. Allowed choices are get, set.",
    "'gte' is not an action. Allowed choices are get, set. Did you mean get?",
  ],
])('suggests what is a typing error away, and nothing else: %s', (text, sentence) => {
  const program = new Command('parcel-monitor');
  const add = program.command('add').option('--label <text>', 'a name').option('--status', 'nothing like it');
  expect(usageSentence(text, add)).toBe(`parcel-monitor: ${sentence} See "parcel-monitor add --help".\n`);
});

it('says how a label with spaces is written, which a shell takes apart', () => {
  const show = new Command('parcel-monitor').command('show');
  const text = "error: too many arguments for 'show'. Expected 1 argument but got 2: Red, lamp.";
  expect(usageSentence(text, show)).toContain('A label with spaces stands in quotes.');
});
