import { registrationCost } from '../polling/cost.ts';
import type { AddOutcome, NewParcel } from '../polling/state.ts';
import { foldTrackNo, identityKey, sameCourier } from '../watchlist/identity.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { openCore } from './core.ts';
import { agreeToCost } from './cost.ts';
import { openCourierCheck } from './courier-check.ts';
import { warnOfNeeds } from './courier-needs.ts';
import { UsageError } from './errors.ts';
import { type ExitCode, exitCode, worseExit } from './exit-code.ts';
import { readCourierCode, readLabel, readPhoneSuffix, readPostalCode } from './extras.ts';
import { readParcelName } from './find-parcel.ts';
import { type MerchantOptions, readMerchant } from './merchant.ts';
import { registerExit, registerPending } from './register.ts';
import { type Session, say } from './session.ts';

/** Options of `add`. */
export interface AddOptions extends MerchantOptions {
  readonly courier?: string;
  readonly label?: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  /** Whatever it costs. */
  readonly yes?: boolean;
}

/** Numbers that go on the watchlist at once: the core then writes them together instead of one by one. */
const writtenTogether = 50;

/**
 * Watches numbers: first they go on the watchlist, so that none is lost, then they are registered with the service.
 * Prints a line a number; what the service rejects goes to standard error in its own words.
 */
export async function runAdd(session: Session, words: readonly string[], options: AddOptions): Promise<ExitCode> {
  const common = readOptions(session, options);
  const numbers = await expandWords(session, words);
  if (common.label !== null && numbers.length > 1) {
    throw new UsageError('A label names one parcel; add the numbers one by one, or without --label.');
  }
  const { parcels, complaints } = await readNumbers(session, numbers, common);
  return await addParcels(session, parcels, complaints, options.yes === true);
}

/**
 * Puts parcels on the watchlist and registers them; prints a line each.
 * @param complaints what is wrong with others that were named along with them
 * @param isSure whether it may cost whatever it costs
 */
export async function addParcels(
  session: Session,
  parcels: readonly NewParcel[],
  complaints: readonly string[],
  isSure: boolean,
): Promise<ExitCode> {
  const { context } = session;
  for (const complaint of complaints) say(context, complaint);
  const outcomes = await addToWatchlist(session, parcels, isSure);
  if (outcomes === null) {
    say(context, 'Nothing was added.');
    return exitCode.failed;
  }
  const registration = await registerPending(
    session,
    outcomes.flatMap(({ parcel }) => (parcel.archivedAt === null ? parcel.id : [])),
  );
  const newest = new Map(registration.parcels.map((parcel) => [parcel.id, parcel]));
  for (const outcome of outcomes) report(session, outcome, newest.get(outcome.parcel.id) ?? outcome.parcel);
  warnOfNeeds(
    session,
    registration.parcels.filter((parcel) => parcel.registration !== 'rejected' && parcel.archivedAt === null),
  );
  const complaintExit = complaints.length > 0 ? exitCode.rejected : exitCode.done;
  return worseExit(registerExit(session, registration), complaintExit);
}

type CommonFields = Omit<NewParcel, 'trackNo'>;

function readOptions({ configuration }: Session, options: AddOptions): CommonFields {
  return {
    merchant: readMerchant(options, configuration.zone),
    courierCode: readCourierCode(options.courier ?? ''),
    label: readLabel(options.label ?? ''),
    postalCode: readPostalCode(options.postalCode ?? ''),
    phoneSuffix: readPhoneSuffix(options.phoneSuffix ?? ''),
  };
}

/** A number as it was given. */
interface GivenNumber {
  readonly text: string;
  /** Where it stands in standard input, such as `line 3`; null for an argument. */
  readonly place: string | null;
}

/** Puts the lines of standard input in place of `-`; empty lines and those that begin with `#` are left out. */
async function expandWords({ context }: Session, words: readonly string[]): Promise<readonly GivenNumber[]> {
  const given = (text: string): GivenNumber => ({ text, place: null });
  if (!words.includes('-')) return words.map(given);
  if (context.stdinIsTerminal) say(context, 'Type or paste one number a line; end with Ctrl-D.');
  const lines = (await context.readStdin())
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ text: line.replace(/(?:^|\s)#.*$/, '').trim(), place: `line ${index + 1}` }))
    .filter(({ text }) => text !== '');
  return words.flatMap((word) => (word === '-' ? lines : [given(word)]));
}

interface ReadNumbers {
  readonly parcels: readonly NewParcel[];
  readonly complaints: readonly string[];
}

/** What is wrong with a line costs only that line; a courier that is wrong in an argument is a `UsageError`. */
async function readNumbers(
  session: Session,
  numbers: readonly GivenNumber[],
  common: CommonFields,
): Promise<ReadNumbers> {
  const readings = numbers.map((number) => ({ number, reading: readNumber(number, common) }));
  const check = await openCourierCheck(
    session,
    readings.map(({ reading }) => (typeof reading === 'string' ? null : reading.courierCode)),
  );
  const parcels: NewParcel[] = [];
  const complaints: string[] = [];
  const complain = (problem: string, place: string | null): void =>
    void complaints.push(place === null ? problem : `${place}: ${problem}`);
  for (const { number, reading } of readings) {
    if (typeof reading === 'string') {
      complain(reading, number.place);
      continue;
    }
    const problem = reading.courierCode === null ? null : check(reading.courierCode);
    if (problem === null) parcels.push(reading);
    else if (number.place === null || reading.courierCode === common.courierCode) throw new UsageError(problem);
    else complain(problem, number.place);
  }
  return { parcels, complaints };
}

/** The parcel of a number, or why there is none. */
function readNumber({ text, place }: GivenNumber, common: CommonFields): NewParcel | string {
  const reading = readParcelName(text, common.courierCode);
  if (!reading.ok) return reading.message;
  try {
    return { ...common, ...reading.name, courierCode: readCourierCode(reading.name.courierCode ?? '') };
  } catch (error) {
    if (place === null || !(error instanceof UsageError)) throw error;
    return error.message;
  }
}

/** Null when the user does not agree to what it costs. */
async function addToWatchlist(
  session: Session,
  parcels: readonly NewParcel[],
  isSure: boolean,
): Promise<readonly AddOutcome[] | null> {
  const core = await openCore(session, null);
  try {
    const unknown = registrationsFor(parcels, core.monitor.getState().parcels);
    const cost = registrationCost(unknown, batchLimitsOf(session));
    if (!(await agreeToCost(session, cost, isSure))) return null;
    const outcomes: AddOutcome[] = [];
    for (let from = 0; from < parcels.length; from += writtenTogether) {
      const batch = parcels.slice(from, from + writtenTogether);
      outcomes.push(...(await Promise.all(batch.map((parcel) => core.monitor.add(parcel)))));
    }
    return outcomes;
  } finally {
    await core.close();
  }
}

/** How many of the numbers the service has not been told of, each counted once. */
function registrationsFor(wanted: readonly NewParcel[], watched: readonly Parcel[]): number {
  const registered = new Map<string, readonly Parcel[]>(
    Map.groupBy(
      watched.filter(({ registration }) => registration === 'registered'),
      ({ trackNo }) => foldTrackNo(trackNo),
    ),
  );
  const unknown = wanted.filter(({ trackNo, courierCode, archivedAt }) => {
    if (archivedAt !== undefined) return false;
    const same = registered.get(foldTrackNo(trackNo)) ?? [];
    return !same.some((parcel) => courierCode === null || sameCourier(parcel.courierCode, courierCode));
  });
  return new Set(unknown.map(identityKey)).size;
}

function batchLimitsOf({ configuration }: Session): { readonly register: number; readonly query: number } {
  const { operations, queryVersion, registerVersion } = configuration;
  const register = registerVersion === 'v2.1' ? operations.registerV21 : operations.register;
  const query = queryVersion === 'v2' ? operations.queryV2 : operations.query;
  return { register: register.batchLimit, query: query.batchLimit };
}

function report({ context }: Session, outcome: AddOutcome, parcel: Parcel): void {
  if (parcel.registration === 'rejected') return;
  const courier = parcel.courierCode === null ? '' : `@${parcel.courierCode}`;
  context.stdout.write(`${parcel.trackNo}${courier}  ${outcomeWord(outcome, parcel)}\n`);
}

function outcomeWord(outcome: AddOutcome, parcel: Parcel): string {
  if (parcel.archivedAt !== null) return outcome.kind === 'duplicate' ? 'archived already' : 'archived';
  if (parcel.registration === 'pending')
    return outcome.kind === 'duplicate' ? 'watched already, still pending' : 'pending';
  if (outcome.kind === 'duplicate') return 'watched already';
  return outcome.kind === 'restored' ? 'restored' : 'registered';
}
