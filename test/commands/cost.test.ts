import { describe, expect, it } from 'vitest';
import { confirmCost, costText } from '../../src/commands/register.ts';
import { type CallCost, registrationCost } from '../../src/polling/gate/call-rules.ts';

const limits = { register: 100, query: 100 };

/** A session, possibly at a terminal, where the user types the given answer. */
function sessionWith(answer: string, isTerminal: boolean) {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text), isTerminal, columns: 80, rows: 24 };
  const context = {
    stderr,
    stdinIsTerminal: isTerminal,
    readLine: async () => {
      written.push('<prompt>');
      return answer;
    },
  };
  const confirm = (cost: CallCost, isSure = false): Promise<boolean> => confirmCost({ context }, cost, isSure);
  return { confirm, output: () => written.join('') };
}

describe('the registration cost', () => {
  it.each<[CallCost, string]>([
    [registrationCost(150, limits), '150 registrations and 4 calls'],
    [registrationCost(1, limits), '1 registration and 2 calls'],
    [{ calls: 3, numbers: 240, registrations: 0 }, '3 calls for 240 numbers'],
    [{ calls: 5, numbers: 320, registrations: 20 }, '5 calls for 320 numbers, 20 of them to be registered'],
  ])('%j is described as "%s"', (cost, text) => expect(costText(cost)).toBe(text));

  it('is not shown for a few numbers', async () => {
    const { confirm, output } = sessionWith('', true);
    expect(await confirm(registrationCost(10, limits))).toBe(true);
    expect(output()).toBe('');
  });

  it('is shown without a prompt for up to 100 numbers, without a terminal, or if the user is sure', async () => {
    for (const [count, isTerminal, isSure] of [
      [11, true, false],
      [100, true, false],
      [500, false, false],
      [500, true, true],
    ] as const) {
      const { confirm, output } = sessionWith('', isTerminal);
      expect(await confirm(registrationCost(count, limits), isSure)).toBe(true);
      expect(output()).toMatch(new RegExp(`^parcel-monitor: This takes ${count} registrations and \\d+ calls\\.\\n$`));
    }
  });

  it.each([
    ['y', true],
    [' YES ', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ])('must be confirmed at a terminal for more than 100 numbers: %j', async (answer, isConfirmed) => {
    const { confirm, output } = sessionWith(answer, true);
    expect(await confirm(registrationCost(101, limits))).toBe(isConfirmed);
    expect(output()).toBe('parcel-monitor: This takes 101 registrations and 4 calls. Continue? [y/N] <prompt>');
  });
});
