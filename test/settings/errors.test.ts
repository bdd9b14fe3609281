import { expect, it } from 'vitest';
import { describeFailure, UsageError } from '../../src/settings/errors.ts';

const facts = { version: '1.2.0', nodeVersion: '24.1.0', platform: 'linux' };

it('the message for a bug names the program and, if known, where to report the bug', () => {
  const bug = new TypeError('x is not a function');
  const { exitCode, message } = describeFailure(bug, { ...facts, reportAt: 'https://example.org/issues' });
  expect(exitCode).toBe(1);
  expect(message).toMatch(/please report it at https:\/\/example\.org\/issues with these lines\.\n/);
  expect(message).toContain('\nparcel-monitor 1.2.0, Node 24.1.0, linux\nTypeError: x is not a function');
  expect(describeFailure(bug, facts).message).toContain('please report it with these lines.\n');
});

it('the message for a usage error is only its sentence', () => {
  expect(describeFailure(new UsageError('Which number?'), facts)).toEqual({ message: 'Which number?', exitCode: 2 });
});
