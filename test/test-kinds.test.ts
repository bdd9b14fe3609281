import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testKinds } from '../.config/test-kinds.ts';

const { inProcess, withProcesses } = testKinds();

test('every test file is of one kind', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join('test', name));
  expect([...inProcess, ...withProcesses].sort()).toEqual(files.sort());
});

test('a test that opens a terminal or starts the program is not fast', () => {
  expect(inProcess.filter((file) => dirname(file) === 'test/pty')).toEqual([]);
  expect(withProcesses).toContain('test/commands/program/interrupt.test.ts');
  expect(withProcesses).toContain('test/stress/stress.test.ts');
  expect(withProcesses).toContain('test/commands/change-hook.test.ts');
  expect(inProcess).toContain('test/commands/cli.test.ts');
});
