import { checkDigitDoubt } from '../../board/input/check-digit-words.ts';
import { readEnteredText, type TextEntry, withoutComment } from '../../board/input/entered-text.ts';
import { type LeftEntry, partialAddCounts } from '../../board/input/partial-add.ts';
import type { AddOutcome } from '../../polling/core/state.ts';
import { registrationCost } from '../../polling/gate/call-cost.ts';
import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import { cleanText } from '../../service/text/clean-text.ts';
import { foldNumber } from '../../service/text/same-number.ts';
import { identityKey, sameCourier } from '../../watchlist/model/identity.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { NewParcel } from '../../watchlist/model/parcel-factory.ts';
import { type CourierNames, openCourierCheck, openCourierNames } from '../input/courier-lookup.ts';
import { type MerchantOptions, readMerchant } from '../input/merchant-fields.ts';
import { warnOfNeeds } from '../input/missing-extras.ts';
import { readCourierCode, readLabel, readPhoneSuffix, readPostalCode, readTags } from '../input/parcel-fields.ts';
import { readEntered } from '../input/read-text.ts';
import { openCore } from '../session/core.ts';
import { UsageError } from '../session/errors.ts';
import { connect } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';
import { agreeToCost } from './cost.ts';
import { type RegisterReport, registerExit, registerPending } from './register.ts';

/** Options of `add`. */
interface AddOptions extends MerchantOptions {
  readonly courier?: string;
  readonly label?: string;
  readonly tag?: readonly string[];
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
  const names = await openCourierNames(session, [options.courier]);
  const courier = options.courier === undefined ? {} : { courier: names.meant(options.courier) };
  const common = readOptions(session, { ...options, ...courier });
  const entries = await readEntries(session, words);
  if (common.label !== null && entries.length > 1) {
    throw new UsageError('A label names one parcel; add the numbers one by one, or without --label.');
  }
  const given = entries.map((entry) => readParcel(entry, common));
  const additions = await checkCouriers(session, given, names);
  return await addParcels(session, additions, options.yes === true);
}

/** What is to be added. */
interface Additions {
  readonly parcels: readonly NewParcel[];
  /** What is wrong with others that were named along with them. */
  readonly left: readonly Complaint[];
}

/** Puts parcels on the watchlist and registers them, whatever it costs where the user `isSure`; prints a line each. */
export async function addParcels(session: Session, { parcels, left }: Additions, isSure: boolean): Promise<ExitCode> {
  const { context } = session;
  reportComplaints(session, left);
  warnOfCheckDigits(session, parcels);
  const added = await addAndRegister(session, parcels, isSure);
  if (added === null) {
    say(context, 'Nothing was added.');
    return exitCode.failed;
  }
  const { outcomes, registration } = added;
  const newest = new Map(registration.parcels.map((parcel) => [parcel.id, parcel]));
  for (const outcome of outcomes) report(session, outcome, newest.get(outcome.parcel.id) ?? outcome.parcel);
  warnOfNeeds(
    session,
    registration.parcels.filter((parcel) => parcel.registration !== 'rejected' && parcel.archivedAt === null),
  );
  const known = outcomes.filter(({ kind }) => kind === 'duplicate').length;
  if (left.length > 0 && parcels.length + left.length > 1) {
    say(context, partialAddCounts({ added: outcomes.length - known, known }, left));
  }
  const complaintExit = left.length > 0 ? exitCode.rejected : exitCode.done;
  return worseExit(registerExit(session, registration), complaintExit);
}

type CommonFields = Omit<NewParcel, 'trackNo'>;

function readOptions({ configuration }: Session, options: AddOptions): CommonFields {
  return {
    ...(options.tag === undefined ? {} : { tags: readTags(options.tag) }),
    merchant: readMerchant(options, configuration.zone),
    courierCode: readCourierCode(options.courier ?? ''),
    label: readLabel(options.label ?? ''),
    postalCode: readPostalCode(options.postalCode ?? ''),
    phoneSuffix: readPhoneSuffix(options.phoneSuffix ?? ''),
  };
}

/** An entry that was not added, and where it stands: `line 3`, or the argument itself. */
export interface Complaint extends LeftEntry {
  readonly place: string;
}

/** Reports on standard error what is wrong with each entry that is not added. */
export function reportComplaints({ context }: Session, complaints: readonly Complaint[]): void {
  for (const { message, place } of complaints) say(context, `${place}: ${message}`);
}

/** More warnings than this are counted, not printed one by one. */
const mostWarnings = 5;

/** Points out on standard error numbers that are mistyped more often than not, before they cost; none is refused. */
export function warnOfCheckDigits({ context }: Session, parcels: readonly NewParcel[]): void {
  const doubts = parcels.flatMap(({ archivedAt, courierCode, trackNo }) =>
    archivedAt === undefined ? (checkDigitDoubt(trackNo, courierCode) ?? []) : [],
  );
  for (const doubt of doubts.slice(0, mostWarnings)) say(context, doubt);
  const more = doubts.length - mostWarnings;
  if (more > 0)
    say(context, `${more} more ${more === 1 ? 'number has a wrong check digit' : 'numbers have wrong check digits'}.`);
}

/** An entry as it was given. */
interface GivenEntry extends TextEntry {
  /** Where it stands in standard input, such as `line 3`; null for an argument. */
  readonly place: string | null;
}

/**
 * Reads the arguments as the input bar reads an entry; an `@courier` that is an argument of its own belongs to the number
 * before it. In place of `-` come the lines of standard input, without comments.
 */
async function readEntries({ context }: Session, words: readonly string[]): Promise<readonly GivenEntry[]> {
  const given = (text: string): readonly GivenEntry[] =>
    readEnteredText(text).map((entry) => ({ ...entry, place: null }));
  const texts = withCouriers(words);
  if (!texts.includes('-')) return texts.flatMap(given);
  if (context.stdinIsTerminal) say(context, 'Type or paste one number a line; end with Ctrl-D.');
  const lines = readEnteredText(
    (await readEntered(context, '-'))
      .split(/\r\n|\r|\n/)
      .map(withoutComment)
      .join('\n'),
  ).map((entry): GivenEntry => ({ ...entry, place: `line ${entry.line}` }));
  return texts.flatMap((text) => (text === '-' ? lines : given(text)));
}

function withCouriers(words: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const word of words) {
    const number = texts.at(-1);
    const belongs = word.startsWith('@') && number !== undefined && number !== '-';
    if (belongs) texts[texts.length - 1] = `${number} ${word}`;
    else texts.push(word);
  }
  return texts;
}

/** A parcel that was read, or what is wrong with what was given for it. */
export interface GivenParcel {
  /** Where it stands: `line 3`, or the argument itself. */
  readonly place: string;
  readonly reading: NewParcel | LeftEntry;
  /** Whether a courier that there is not ends the command; otherwise it costs only this parcel. */
  readonly isStrict?: boolean;
}

/** Looks up the couriers of what is to be registered, before any of it costs a call. Rejects with a {@link UsageError}. */
export async function checkCouriers(
  session: Session,
  given: readonly GivenParcel[],
  names: CourierNames,
): Promise<Additions> {
  const codeOf = (reading: GivenParcel['reading']): string | null =>
    'reason' in reading || reading.archivedAt !== undefined ? null : reading.courierCode;
  const codes = given.map(({ reading }) => codeOf(reading));
  const check = await openCourierCheck(session, codes, names);
  const parcels: NewParcel[] = [];
  const left: Complaint[] = [];
  for (const { place, reading, isStrict = false } of given) {
    const code = codeOf(reading);
    const problem = code === null ? null : check(code);
    if (problem !== null && isStrict) throw new UsageError(problem);
    if (problem !== null) left.push({ reason: 'unknown-courier', message: problem, place });
    else if ('reason' in reading) left.push({ ...reading, place });
    else parcels.push(reading);
  }
  return { parcels, left };
}

/** The parcel of an entry, or why there is none. What is wrong with a courier in an argument is a `UsageError`. */
function readParcel({ input, place, text }: GivenEntry, common: CommonFields): GivenParcel {
  const named = place ?? `"${cleanText(text)}"`;
  if (input.kind === 'problem') return { place: named, reading: { reason: input.flaw, message: input.message } };
  const { label, trackNo } = input;
  try {
    const courierCode = input.courierCode === null ? common.courierCode : readCourierCode(input.courierCode);
    const reading = { ...common, trackNo, courierCode, label: label ?? common.label };
    return { place: named, reading, isStrict: place === null || courierCode === common.courierCode };
  } catch (error) {
    if (place === null || !(error instanceof UsageError)) throw error;
    return { place, reading: { reason: 'courier', message: error.message } };
  }
}

/** What came of adding, number by number, and of registering. */
interface Added {
  readonly outcomes: readonly AddOutcome[];
  readonly registration: RegisterReport;
}

/** Null when the user does not agree to what it costs. */
async function addAndRegister(session: Session, parcels: readonly NewParcel[], isSure: boolean): Promise<Added | null> {
  const connection = await connect(session);
  const core = await openCore(session, connection.service);
  try {
    const { monitor } = core;
    const unknown = registrationsFor(parcels, monitor.getState().parcels);
    const cost = registrationCost(unknown, batchLimitsOf(session));
    if (!(await agreeToCost(session, cost, isSure))) return null;
    const outcomes: AddOutcome[] = [];
    for (let from = 0; from < parcels.length; from += writtenTogether) {
      const batch = parcels.slice(from, from + writtenTogether);
      outcomes.push(...(await Promise.all(batch.map((parcel) => monitor.add(parcel)))));
    }
    const ids = outcomes.flatMap(({ parcel }) => (parcel.archivedAt === null ? parcel.id : []));
    return { outcomes, registration: await registerPending(session, { monitor, connection }, ids) };
  } finally {
    await core.close();
  }
}

/** How many of the numbers are not registered with the service, each counted once. */
function registrationsFor(wanted: readonly NewParcel[], watched: readonly Parcel[]): number {
  const registered = new Map<string, readonly Parcel[]>(
    Map.groupBy(
      watched.filter(({ registration }) => registration === 'registered'),
      ({ trackNo }) => foldNumber(trackNo),
    ),
  );
  const unknown = wanted.filter(({ trackNo, courierCode, archivedAt }) => {
    if (archivedAt !== undefined) return false;
    const same = registered.get(foldNumber(trackNo)) ?? [];
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
