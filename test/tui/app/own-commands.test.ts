import { describe, expect, test } from 'vitest';
import { type CustomCommand, customCommands } from '../../../src/settings/board-settings.ts';
import { fillPlaceholders } from '../../../src/tui/app/own-actions.ts';
import { aParcel } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

const lamp = aParcel({ id: 'lamp', trackNo: 'AB1', label: "Lamp; rm -rf '$HOME'" });
const kettle = aParcel({ id: 'kettle', trackNo: 'CD2', label: null });

describe("a command's arguments", () => {
  test('never split a value', () => {
    const run = ['./ticket', '--no={number}', '{label}', '{print}'] as const;
    expect(fillPlaceholders(run, [lamp])).toEqual(['./ticket', '--no=AB1', "Lamp; rm -rf '$HOME'", '{print}']);
  });

  test('repeat for each parcel if they contain a placeholder, and leave an unknown value empty', () => {
    expect(fillPlaceholders(['p', '-v', '{number}', '{label}'], [lamp, kettle])).toEqual([
      'p',
      '-v',
      'AB1',
      'CD2',
      "Lamp; rm -rf '$HOME'",
      '',
    ]);
  });
});

test('an invalid command is reported with its position, and the others still apply', () => {
  const valid = { key: 'F6', name: 'Ticket', run: ['./ticket'] };
  const result = customCommands.read([
    valid,
    { ...valid, run: ['./ticket', '{ordr}'] },
    { ...valid, run: ['{label}'] },
    { ...valid, shw: 'none' },
    5,
  ]);
  expect(result).toEqual({
    value: [{ ...valid, on: 'selected', show: 'popup' }],
    invalidParts: [
      { at: '1.run.1', problem: 'has the unknown placeholder {ordr}; the closest match is {order}' },
      { at: '2.run.0', problem: 'must name a program without placeholders' },
      { at: '3.shw', problem: 'is unknown; the closest match is "show"' },
      { at: '4', problem: 'must be an object with key, name and run' },
    ],
  });
});

const ticket: CustomCommand = {
  key: 'F6',
  name: 'Open ticket',
  run: ['./ticket', '{number}'],
  on: 'selected',
  show: 'popup',
};

test('a command runs with the parcel as JSON, the board shows its output or failure, and the help lists it', async () => {
  const runs: unknown[] = [];
  const outcomes = [
    { failure: null, output: 'Ticket 7\nfor AB1' },
    { failure: 'exited with code 3: no such ticket', output: '' },
    { failure: 'exited with code 4', output: 'Ticket 8 is closed.' },
  ];
  const { screen } = await startBoard([lamp], {
    board: {
      customActions: { keys: {}, commands: [ticket, { ...ticket, key: 'a', name: 'Print' }], refused: null },
      runForOutput: async (command, input) => {
        runs.push([command, JSON.parse(input).trackNo]);
        return outcomes[runs.length - 1] ?? { failure: 'unexpected run', output: '' };
      },
    },
  });
  await screen.waitFor((text) => text.includes('"key of the command Print" cannot use a'), 'the conflict');
  await screen.type('\u001b[17~').waitFor((text) => /Ticket 7 .*for AB1/s.test(text), 'the output');
  await screen.type('q').waitFor((text) => !text.includes('Ticket 7'), 'the list');
  await screen
    .type('\u001b[17~')
    .waitFor((text) => text.includes('Open ticket exited with code 3: no such ticket'), 'the failure');
  await screen
    .type('\u001b[17~')
    .waitFor((text) => /It exited with code 4\..*Ticket 8 is closed\./s.test(text), 'the failure and the output');
  await screen.type('q').waitFor((text) => !text.includes('Ticket 8'), 'the list');
  expect(runs).toEqual([
    [['./ticket', 'AB1'], 'AB1'],
    [['./ticket', 'AB1'], 'AB1'],
    [['./ticket', 'AB1'], 'AB1'],
  ]);
  await screen.type('?ticket').waitFor((text) => /F6 +Open ticket/.test(text), 'the help');
});

test('the board runs no command from a file that other users can write, and says why', async () => {
  const { screen } = await startBoard([lamp], {
    board: {
      customActions: { keys: {}, commands: [ticket], refused: '"commands" is not run while others can write it.' },
    },
  });
  await screen.type('\u001b[17~').waitFor((text) => text.includes('is not run while others'), 'the reason');
});
