import { defaultKeyHeader } from '../../service/operations.ts';
import { printableText } from '../../service/text/clean-text.ts';
import { isSameService, outranked } from './key-choices.ts';
import { serviceWords } from './service-choices.ts';
import type { KeySource, KnownService, ServiceChoice, SetupNow } from './setup-effects.ts';
import type { SetupStep } from './steps.ts';

/** What the texts of the steps depend on. */
export interface StepFacts {
  readonly known: readonly KnownService[];
  /** Null until it is known. */
  readonly now: SetupNow | null;
  /** The service that is chosen or set. */
  readonly service: ServiceChoice | null;
  /** Where the key comes from; null where there is none. */
  readonly key: KeySource | null;
}

/** What a step asks, and beside it what one needs for the answer: sentences, each for lines of its own. */
export interface StepText {
  readonly question: string;
  readonly hints?: readonly string[];
  /** What stands in the way of the answer; absent or null when nothing does. */
  readonly warning?: string | null;
}

/** What is asked: in a step, or in a line within one: of another address, of the command for changes. */
export type SetupQuestion = SetupStep | 'url' | 'header' | 'hook';

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
