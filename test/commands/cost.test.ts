import { describe, expect, it } from 'vitest';
import { confirmCost, costText } from '../../src/commands/cost.ts';
import { type CallCost, registrationCost } from '../../src/polling/gate/call-rules.ts';

const limits = { register: 100, query: 100 };

/** A session, optionally at a terminal with a user who types. */
function sessionWith(answer: string, isTerminal: boolean) {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text), isTerminal, columns: 80, rows: 24 };
  const context = {
    stderr,
    stdinIsTerminal: isTerminal,
    readLine: async () => {
      written.push('<asked>');
      return answer;
    },
  };
  const agree = (cost: CallCost, isSure = false): Promise<boolean> => confirmCost({ context }, cost, isSure);
  return { agree, said: () => written.join('') };
}

describe('registration costs', () => {
  it.each<[CallCost, string]>([
    [registrationCost(150, limits), '150 registrations and 4 calls'],
    [registrationCost(1, limits), '1 registration and 2 calls'],
    [{ calls: 3, numbers: 240, registrations: 0 }, '3 calls for 240 numbers'],
    [{ calls: 5, numbers: 320, registrations: 20 }, '5 calls for 320 numbers, 20 of them to be registered'],
  ])('is described as %j', (cost, text) => expect(costText(cost)).toBe(text));

  it('is not shown for a few', async () => {
    const { agree, said } = sessionWith('', true);
    expect(await agree(registrationCost(10, limits))).toBe(true);
    expect(said()).toBe('');
  });

  it('is shown for many, without a question', async () => {
    for (const [count, isTerminal, isSure] of [
      [11, true, false],
      [100, true, false],
      [500, false, false],
      [500, true, true],
    ] as const) {
      const { agree, said } = sessionWith('', isTerminal);
      expect(await agree(registrationCost(count, limits), isSure)).toBe(true);
      expect(said()).toMatch(new RegExp(`^parcel-monitor: This takes ${count} registrations and \\d+ calls\\.\\n$`));
    }
  });

  it.each([
    ['y', true],
    [' YES ', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ])('must be confirmed at a terminal: %j', async (answer, agreed) => {
    const { agree, said } = sessionWith(answer, true);
    expect(await agree(registrationCost(101, limits))).toBe(agreed);
    expect(said()).toBe('parcel-monitor: This takes 101 registrations and 4 calls. Continue? [y/N] <asked>');
  });
});
