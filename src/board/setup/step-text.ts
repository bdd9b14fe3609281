import { printableText } from '../../service/text/clean-text.ts';
import { outranked } from './key-choices.ts';
import { serviceWords } from './service-choices.ts';
import type { KeySource, KnownService, ServiceChoice, SetupNow } from './setup-effects.ts';

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
  readonly hints: readonly string[];
  /** What stands in the way of the answer; null when nothing does. */
  readonly warning: string | null;
}

/** The service: which one. */
export const serviceText = ({ now }: StepFacts): StepText => ({
  question: 'Which service tracks your parcels?',
  hints: ['Seven short questions to a working board. Tab skips one, Esc goes back to the one before.'],
  warning: outranked(now?.service ?? null, 'another service'),
});

/** The address of a service that is not known by name. */
export const addressText: StepText = {
  question: 'At which address is the service?',
  hints: [
    'As https://host/path, without the part that begins with /tk. Plain http only to this machine.',
    'Running "parcel-monitor sandbox" elsewhere prints one, with a key.',
  ],
  warning: null,
};

/** The header that carries the key. */
export const headerText = (usual: string): StepText => ({
  question: 'Which header carries the key?',
  hints: [`Enter alone takes the usual one, ${usual}.`],
  warning: null,
});

/** The key, and how one gets it. */
export function keyText({ known, now, service }: StepFacts): StepText {
  const profile = service?.kind === 'profile' ? known.find((one) => one.profile === service.profile) : undefined;
  const [page] = profile?.pages ?? [];
  return {
    question: service === null ? 'The key' : `The key of ${serviceWords(service, known)}`,
    hints: [
      ...(profile === undefined ? [] : [profile.wayToKey]),
      ...(page === undefined ? [] : [`Ctrl+O opens ${page.address}.`]),
    ],
    warning: outranked(now?.key ?? null, 'another key'),
  };
}

/** The proof. */
export const checkText = ({ known, service }: StepFacts): StepText => ({
  question: service === null ? 'Does it work?' : `Does it work with ${serviceWords(service, known)}?`,
  hints: [],
  warning: null,
});

/** Where the key is kept. */
export function saveText({ key, known, now, service }: StepFacts): StepText {
  const file = now?.configFile ?? 'config.json';
  const chosen = service === null ? 'the service' : serviceWords(service, known);
  const warning = outranked(now?.key ?? null, 'the key') ?? outranked(now?.service ?? null, 'the service');
  switch (key?.kind) {
    case 'entered':
      return { question: 'Where shall the key be kept?', hints: [`The address goes to ${file}.`], warning };
    case 'command':
      return {
        question: 'Save service and command?',
        hints: [`Enter writes ${chosen} and the command to ${file}. The key itself stays where the command finds it.`],
        warning,
      };
    case 'present':
      return {
        question: 'Save the service?',
        hints: [`Enter writes ${chosen} to ${file}. The key stays where it is: ${now?.key?.place ?? 'as set'}.`],
        warning,
      };
    case undefined:
      return {
        question: 'Save the service without a key?',
        hints: [`Enter writes ${chosen} to ${file}. Numbers are kept until there is a key.`],
        warning,
      };
  }
}

/** The viewer's zone. */
export const zoneText = ({ now }: StepFacts): StepText => ({
  question: 'In which zone do you read times?',
  hints: ['Type a large city, a region or a country; Tab completes it, Enter takes what is selected.'],
  warning: outranked(now?.zoneSet ?? null, 'another zone'),
});

/** How changes are told. */
export const notifyText: StepText = {
  question: 'How do you want to be told of changes?',
  hints: ['The board marks what is new in any case. Space chooses, t tries, Enter goes on.'],
  warning: null,
};

/** The first numbers. */
export const numbersText: StepText = {
  question: 'Your first numbers',
  hints: [
    'Type or paste them below: one number, a list, or a mail. Enter adds. Enter on an empty line opens the board.',
  ],
  warning: null,
};

/** What is set up by now, for the end: names with values. */
export function setupSummary({ known, now }: StepFacts): readonly (readonly [name: string, value: string])[] {
  if (now === null) return [];
  return [
    ['Service', now.service === null ? 'none: nothing is checked' : serviceWords(now.service, known)],
    ['Key', now.key === null ? 'none: nothing is checked' : now.key.place],
    ['Zone', now.zone],
    ['Notify', now.channels.length === 0 ? 'marks on the board only' : now.channels.join(', ')],
  ].map(([name = '', value = '']) => [name, printableText(value)] as const);
}
