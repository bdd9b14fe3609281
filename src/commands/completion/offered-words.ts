import { join } from 'node:path';
import { completeFilter } from '../../board/filter-typing.ts';
import { termNames } from '../../board/filter-vocabulary.ts';
import { knownViews } from '../../board/views.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { isWord } from '../../lib/track-number.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { defaultOperations, ServiceError } from '../../service/port.ts';
import { type ProgramPaths, readConfigFile } from '../../settings/config-file.ts';
import { UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { peek } from '../../settings/session/open-session.ts';
import { courierDirectory } from '../../settings/session/open-stores.ts';
import { settingTable } from '../../settings/table.ts';
import { createBackups } from '../../store/recovery.ts';
import { mappableFields } from '../import/columns.ts';

export interface OfferedWord {
  readonly word: string;
  readonly about: string;
}

export const bareWord = (word: string): OfferedWord => ({ word, about: '' });

function filterWords(typed: string, parcels: readonly Parcel[]): readonly OfferedWord[] {
  if (typed === '' || /\s$/.test(typed)) return termNames.map((name) => bareWord(`${typed}${name}:`));
  const completion = completeFilter(typed, typed.length, parcels);
  return (completion?.candidates ?? []).map((candidate) => bareWord(typed.slice(0, completion?.from) + candidate));
}

/** Completes only the fields, because the headings are in a file that is not read. */
function columnMapWords(typed: string): readonly OfferedWord[] {
  const head = /^.*,/s.exec(typed)?.[0] ?? '';
  if (typed.slice(head.length).includes('=')) return [];
  const usedFields = head.split(',').map((pair) => pair.split('=', 1)[0]?.trim());
  return mappableFields.filter((field) => !usedFields.includes(field)).map((field) => bareWord(`${head}${field}=`));
}

function faultWords(typed: string, faults: Readonly<Record<string, string>>): readonly OfferedWord[] {
  const head = /^.*:/s.exec(typed)?.[0];
  if (head === undefined) return Object.entries(faults).map(([word, about]) => ({ word, about }));
  return ['p=', 'count=', 'number=', 'delay=', ...Object.keys(defaultOperations)].map((part) => bareWord(head + part));
}

const defaultGlobals = { ascii: false };

function numberWords(
  parcels: readonly Pick<Parcel, 'courierCode' | 'label' | 'trackNo'>[],
  typed = '',
): readonly OfferedWord[] {
  const known = parcels.filter(({ trackNo }) => isWord(trackNo) && !trackNo.startsWith('-'));
  const byNumber = Map.groupBy(known, ({ trackNo }) => trackNo.toUpperCase());
  return known.map(({ courierCode, label, trackNo }) => {
    const isAmbiguous = (byNumber.get(trackNo.toUpperCase())?.length ?? 0) > 1 || typed.includes('@');
    return { word: isAmbiguous && courierCode !== null ? `${trackNo}@${courierCode}` : trackNo, about: label ?? '' };
  });
}

/** Newest first. The backups are not opened. */
async function backupWords({ clock, random }: CommandContext, { data }: ProgramPaths): Promise<readonly OfferedWord[]> {
  const backups = createBackups({ folder: join(data, 'backups'), clock, random });
  return (await backups.list()).map(({ name }) => bareWord(name));
}

interface CompletionInput {
  readonly typed: string;
  readonly context: CommandContext;
  readonly paths: ProgramPaths;
}

const readWatchedParcels = ({ context }: CompletionInput): Promise<readonly Parcel[]> =>
  orEmpty(peek(context, defaultGlobals, async (_, parcels) => parcels));

async function courierSuffixWords(input: CompletionInput): Promise<readonly OfferedWord[]> {
  const head = /^.*@/s.exec(input.typed)?.[0];
  if (head === undefined || !isTypable(head)) return [];
  return (await courierWords(input)).map(({ about, word }) => ({ word: head + word, about }));
}

const offers = {
  parcels: async (input) => parcelWords(await readWatchedParcels(input), input.typed),
  'any-parcels': async (input) => {
    const known = parcelWords(await readWatchedParcels(input), input.typed);
    const isKnown = !input.typed.includes('@') || known.some(({ word }) => word.startsWith(input.typed));
    return isKnown ? known : await courierSuffixWords(input);
  },
  'new-parcels': courierSuffixWords,
  'removed-parcels': async ({ context }) => {
    const removed = peek(context, defaultGlobals, async ({ recovery }) => await recovery.trashed());
    return numberWords((await orEmpty(removed)).map(({ parcel }) => parcel));
  },
  backups: ({ context, paths }) => orEmpty(backupWords(context, paths)),
  filter: async (input) =>
    filterWords(input.typed, await readWatchedParcels(input)).filter(({ word }) => isTypable(word)),
  views: async ({ context, paths }) => {
    const ownViews = readConfigFile(paths.config, false, context.userId).then(({ settings }) => settings.views ?? []);
    return knownViews(await orEmpty(ownViews)).map(({ name }) => bareWord(name));
  },
  'column-map': async ({ typed }) => columnMapWords(typed),
  faults: async ({ context, typed }) => faultWords(typed, (await context.loadSandbox()).faults),
  tags: async (input) =>
    [...new Set((await readWatchedParcels(input)).flatMap(({ tags }) => tags))].filter(isTypable).map(bareWord),
  couriers: courierWords,
  zones: async () => ['event', 'local', 'utc', ...Intl.supportedValuesOf('timeZone')].map(bareWord),
  settings: async (input) => settingWords(await courierWords(input)),
} as const satisfies Readonly<Record<string, (input: CompletionInput) => Promise<readonly OfferedWord[]>>>;

export type OfferKind = keyof typeof offers;

/**
 * Only reads: a completion neither repairs files nor calls the service. Control characters are removed, because labels
 * and tags are not trusted.
 */
export async function offeredWords(kind: OfferKind, input: CompletionInput): Promise<readonly OfferedWord[]> {
  return (await offers[kind](input)).map(({ about, word }) => ({ word, about: cleanText(about) }));
}

/** Returns no words on failure, because a completion shows no errors. */
async function orEmpty<Item>(items: Promise<readonly Item[]>): Promise<readonly Item[]> {
  return await items.catch((error: unknown) => {
    if (error instanceof StoreError || error instanceof ServiceError || error instanceof UsageError) return [];
    throw error;
  });
}

function settingWords(couriers: readonly OfferedWord[]): readonly OfferedWord[] {
  return Object.entries(settingTable).flatMap(([name, { about }]) => {
    if (name.startsWith('$')) return [];
    const names = name.includes('*') ? couriers.map(({ word }) => name.replace('*', word)) : [name];
    return names.map((word) => ({ word, about }));
  });
}

function parcelWords(parcels: readonly Parcel[], typed: string): readonly OfferedWord[] {
  const byLabel = Map.groupBy(parcels, ({ label }) => label ?? '');
  const labels = [...byLabel].flatMap(([label, [first, ...others]]) =>
    first === undefined || others.length > 0 || !isTypable(label) ? [] : [{ word: label, about: first.trackNo }],
  );
  return [...new Map([...numberWords(parcels, typed), ...labels].map((offer) => [offer.word, offer])).values()];
}

function isTypable(text: string): boolean {
  return text !== '' && text === cleanText(text) && !text.startsWith('-');
}

async function courierWords({ context, paths }: CompletionInput): Promise<readonly OfferedWord[]> {
  const directory = courierDirectory({ context, paths }).list();
  return (await orEmpty(directory.then(({ couriers }) => couriers)))
    .filter(({ code }) => isWord(code) && !code.startsWith('-'))
    .map(({ code, nameCN, nameEN }) => ({ word: code, about: nameEN ?? nameCN ?? '' }));
}
