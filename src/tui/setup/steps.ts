import { lineWidth } from '../../lib/cells.ts';
import { printableText } from '../../lib/clean-text.ts';
import type { Line, Segment } from '../../lib/paint.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { isSameService, outranked, serviceWords } from '../../settings/setup/choices.ts';
import type { KeySource, KnownService, ServiceChoice, SetupNow } from '../../settings/setup/effects.ts';

/** The steps of setting up, in their order. */
export const setupSteps = ['service', 'key', 'check', 'save', 'zone', 'notify', 'numbers'] as const;

/** One question of the conversation: which service, its key, whether both work, where the key is kept, … */
export type SetupStep = (typeof setupSteps)[number];

/** What a step is called on the screen: by its name. */
export const setupStepTitle = (step: SetupStep): string => step.charAt(0).toUpperCase() + step.slice(1);

/** Where a step stands among all, such as "2 of 7". */
export const setupPosition = (step: SetupStep): string => `${setupSteps.indexOf(step) + 1} of ${setupSteps.length}`;

/** What has been settled of service and key: it decides which steps there is anything to do in. */
export interface Settled {
  /** Whether a service was chosen, or one is set already. */
  readonly hasService: boolean;
  /** Whether a key was entered, or one is set already. */
  readonly hasKey: boolean;
  /** Whether either is another one than is set already. */
  readonly hasNews: boolean;
}

/** Whether a step has anything to do: without a service and a key there is nothing to check. */
export function hasSense(step: SetupStep, { hasKey, hasNews, hasService }: Settled): boolean {
  if (step === 'key') return hasService;
  if (step === 'save') return hasService && hasNews;
  return step !== 'check' || (hasService && hasKey);
}

/** The step behind this one; null behind the last. */
export function stepAfter(step: SetupStep, settled: Settled): SetupStep | null {
  return setupSteps.slice(setupSteps.indexOf(step) + 1).find((next) => hasSense(next, settled)) ?? null;
}

/** The step before this one; null before the first. A check begins by itself, so the way back leads past it. */
export function stepBefore(step: SetupStep, settled: Settled): SetupStep | null {
  const before = setupSteps.slice(0, setupSteps.indexOf(step));
  return before.findLast((one) => one !== 'check' && hasSense(one, settled)) ?? null;
}

/** All steps in a line, with those that are done and the one that is open; empty where they do not fit `width` cells. */
export function progressLine(open: SetupStep, done: readonly SetupStep[], width: number): Line {
  const line = setupSteps.flatMap((step, index): readonly Segment[] => {
    const title = setupStepTitle(step);
    const gap = { text: index === 0 ? ' ' : '  ' };
    if (step === open) return [gap, { text: `● ${title}`, tone: 'accent', bold: true }];
    if (done.includes(step)) return [gap, { text: '✓', tone: 'done' }, { text: ` ${title}` }];
    return [gap, { text: `○ ${title}`, tone: 'quiet' }];
  });
  return lineWidth(line) > width ? [] : line;
}

/** What the texts of the steps depend on. */
interface StepFacts {
  readonly known: readonly KnownService[];
  /** Null until it is known. */
  readonly now: SetupNow | null;
  /** The service that is chosen or set. */
  readonly service: ServiceChoice | null;
  /** Where the key comes from; null where there is none. */
  readonly key: KeySource | null;
}

/** What a step asks, and beside it what one needs for the answer: sentences, each for lines of its own. */
interface StepText {
  readonly question: string;
  readonly hints?: readonly string[];
  /** What stands in the way of the answer; absent or null when nothing does. */
  readonly warning?: string | null;
}

/** What is asked: in a step, or in a line within one: of another address, of the command for changes. */
type SetupQuestion = SetupStep | 'url' | 'header' | 'hook';

/** The texts of all questions. */
export const stepTexts: Readonly<Record<SetupQuestion, (facts: StepFacts) => StepText>> = {
  service: ({ now }) => ({
    question: 'Which service tracks your parcels?',
    hints: ['Seven short questions to a working board. Tab skips one, Esc goes back to the one before.'],
    warning: outranked(now?.service ?? null, 'another service'),
  }),
  url: () => ({
    question: 'At which address is the service?',
    hints: [
      'As https://host/path, without the part that begins with /tk. Plain http only to this machine.',
      'Running "parcel-monitor sandbox" elsewhere prints one, with a key.',
    ],
  }),
  header: () => ({
    question: 'Which header carries the key?',
    hints: [`Enter alone takes the usual one, ${defaultKeyHeader}.`],
  }),
  key: keyText,
  check: ({ known, service }) => ({
    question: service === null ? 'Does it work?' : `Does it work with ${serviceWords(service, known)}?`,
  }),
  save: saveText,
  zone: ({ now }) => ({
    question: 'In which zone do you read times?',
    hints: ['Type a large city, a region or a country; Tab completes it, Enter takes what is selected.'],
    warning: outranked(now?.zoneSet ?? null, 'another zone'),
  }),
  notify: () => ({
    question: 'How do you want to be told of changes?',
    hints: ['The board marks what is new in any case. Space chooses, t tries, e changes the command, Enter goes on.'],
  }),
  hook: () => ({
    question: 'Which command is run for each change?',
    hints: [
      'Program and arguments, such as: curl -d @- https://ntfy.sh/my-parcels. No shell reads it; the change comes as JSON on standard input.',
      'Enter saves it and runs it once with a test change.',
    ],
  }),
  numbers: () => ({
    question: 'Your first numbers',
    hints: [
      'Type or paste them below: one number, a list, or a mail. Enter adds. Enter on an empty line opens the board.',
    ],
  }),
};

/** The key, and how one gets it. */
function keyText({ known, now, service }: StepFacts): StepText {
  const profile = service?.kind === 'profile' ? known.find((one) => one.profile === service.profile) : undefined;
  return {
    question: service === null ? 'The key' : `The key of ${serviceWords(service, known)}`,
    hints: profile === undefined ? [] : [profile.wayToKey, `Ctrl+O opens ${profile.page}.`],
    warning: outranked(now?.key ?? null, 'another key'),
  };
}

/** Where the key is kept, or what is written. */
function saveText({ key, known, now, service }: StepFacts): StepText {
  const file = now?.configFile ?? 'config.json';
  const chosen = service === null ? 'the service' : serviceWords(service, known);
  const set = now?.service ?? null;
  const warning =
    outranked(now?.key ?? null, 'the key') ?? (isSameService(service, set) ? null : outranked(set, 'the service'));
  const writes = (question: string, what: string, then: string): StepText => ({
    question,
    hints: [`Enter writes ${what} to ${file}. ${then}`],
    warning,
  });
  switch (key?.kind) {
    case 'entered':
      return { question: 'Where shall the key be kept?', hints: [`The address goes to ${file}.`], warning };
    case 'command':
      return writes(
        'Save service and command?',
        `${chosen} and the command`,
        'The key itself stays where the command finds it.',
      );
    case 'present':
      return writes('Save the service?', chosen, `The key stays where it is: ${now?.key?.place ?? 'as set'}.`);
    case undefined:
      return writes('Save the service without a key?', chosen, 'Numbers are kept until there is a key.');
  }
}

/** What is set up by now, for the end: names with values. */
export function setupSummary({
  known,
  now,
}: Pick<StepFacts, 'known' | 'now'>): readonly (readonly [name: string, value: string])[] {
  if (now === null) return [];
  return [
    ['Service', now.service === null ? 'none: nothing is checked' : serviceWords(now.service, known)],
    ['Key', now.key === null ? 'none: nothing is checked' : now.key.place],
    ['Zone', now.zone],
    ['Notify', now.channels.length === 0 ? 'marks on the board only' : now.channels.join(', ')],
  ].map(([name = '', value = '']) => [name, printableText(value)] as const);
}
