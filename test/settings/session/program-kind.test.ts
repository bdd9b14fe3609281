import { expect, it } from 'vitest';
import { programKind } from '../../../src/settings/session/database-stores.ts';

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
