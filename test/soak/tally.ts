/** Counts that a soak keeps; those of {@link mustBeNone} have to stay 0. */
export type CountName =
  | 'boards started'
  | 'keys sent'
  | 'commands run'
  | 'commands killed'
  | 'faults switched'
  | 'store looks'
  | 'adds acknowledged'
  | 'removals acknowledged'
  | 'labels acknowledged'
  | 'sleeps'
  | 'temps left by kills'
  | 'watches started'
  | 'lines of the log printed'
  | 'lost'
  | 'doubled'
  | 'came back'
  | 'labels lost'
  | 'missing in the trash'
  | 'damaged files'
  | 'foreign fields lost'
  | 'temps never tidied'
  | 'lines of the log lost'
  | 'lines of the log doubled'
  | 'lines of the log wrong'
  | 'boards ended by themselves'
  | 'boards ended wrongly'
  | 'boards without a screen'
  | 'screens with crash text'
  | 'broken frames'
  | 'boards that grew'
  | 'commands that failed'
  | 'calls that must not be';

/** What is a failure of the program. */
export const mustBeNone: readonly CountName[] = [
  'lost',
  'doubled',
  'came back',
  'labels lost',
  'missing in the trash',
  'damaged files',
  'foreign fields lost',
  'temps never tidied',
  'lines of the log lost',
  'lines of the log doubled',
  'lines of the log wrong',
  'boards ended by themselves',
  'boards ended wrongly',
  'boards without a screen',
  'screens with crash text',
  'broken frames',
  'boards that grew',
  'commands that failed',
  'calls that must not be',
];

/** Counts what happened, and tells what must not. */
export class Tally {
  readonly #counts = new Map<CountName, number>();
  readonly #endings = new Map<string, number>();
  readonly #told = new Set<string>();
  readonly #tell: (line: string) => void;
  /** Most bytes that the heap of one board grew by, after collections. */
  mostGrowth = 0;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  count(name: CountName, by = 1): void {
    this.#counts.set(name, this.of(name) + by);
  }

  /** A failure; one that was told before is not counted again. */
  fail(name: CountName, words: string): void {
    if (this.#told.has(`${name}: ${words}`)) return;
    this.#told.add(`${name}: ${words}`);
    this.count(name);
    this.#tell(`${new Date().toISOString()} FOUND ${name}: ${words}`);
  }

  ended(how: string): void {
    this.#endings.set(how, (this.#endings.get(how) ?? 0) + 1);
  }

  of(name: CountName): number {
    return this.#counts.get(name) ?? 0;
  }

  /** How boards ended, most frequent first. */
  endings(): readonly (readonly [how: string, count: number])[] {
    return [...this.#endings].sort(([, a], [, b]) => b - a);
  }

  failures(): number {
    return mustBeNone.reduce((sum, name) => sum + this.of(name), 0);
  }
}
