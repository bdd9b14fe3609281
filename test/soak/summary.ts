import type { SoakReport } from './soak-run.ts';
import { type CountName, mustBeNone } from './tally.ts';

const counted: readonly CountName[] = [
  'boards started',
  'sleeps',
  'keys sent',
  'commands run',
  'commands killed',
  'faults switched',
  'store looks',
  'adds acknowledged',
  'removals acknowledged',
  'labels acknowledged',
  'temps left by kills',
  'watches started',
  'lines of the log printed',
];

/** The figures of a soak, a row each; what must be 0 and is not carries a mark. */
export function summaryRows(
  { callsCounted, log, parcelsAtEnd, tally }: SoakReport,
  minutes: number,
): readonly (readonly [name: string, value: string])[] {
  const number = (value: number): string => value.toLocaleString('en');
  const figures = log.figures();
  return [
    ['minutes', minutes.toFixed(1)],
    ...counted.map((name): [string, string] => [name, number(tally.of(name))]),
    [
      'boards ended by',
      tally
        .endings()
        .map(([how, count]) => `${how} ${count}`)
        .join(', '),
    ],
    ['parcels at the end', number(parcelsAtEnd)],
    ['calls, by the sandbox', `${number(figures.calls)}, ${number(callsCounted)}`],
    [
      'queries because',
      `due ${number(figures.due)}, asked for ${number(figures.asked)}, after trouble ${number(figures.afterTrouble)}, without reason ${number(figures.withoutReason)}`,
    ],
    ['calls while told to wait', number(figures.whileToldToWait)],
    [
      'most calls in a second',
      `${figures.mostInASecond} by one process, ${figures.mostInASecondTogether} by all together`,
    ],
    ['most growth of a heap', `${(tally.mostGrowth / 1024 / 1024).toFixed(1)} MiB`],
    ...mustBeNone.map((name): [string, string] => [
      name,
      tally.of(name) === 0 ? '0' : `${number(tally.of(name))}  <- must be 0`,
    ]),
  ];
}
