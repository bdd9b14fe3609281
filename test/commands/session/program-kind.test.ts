import { expect, it } from 'vitest';
import { programKind } from '../../../src/commands/session/program-kind.ts';

it.each([
  [[], 'board'],
  [['--zone', 'utc'], 'board'],
  [['--store', 'file', '--ascii'], 'board'],
  [['watch', '--json'], 'watch'],
  [['--base-url', 'list', 'watch'], 'watch'],
  [['Robert"); drop'], 'command'],
])('%j is a %s', (given, kind) => {
  expect(programKind(given)).toBe(kind);
});
