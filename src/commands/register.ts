import { createParcelFinder, scanCostText } from '../board/scan/judge-rows.ts';
import { skewSentence } from '../lib/clock-skew.ts';
import { counted } from '../lib/text.ts';
import { identityKey } from '../parcels/identity.ts';
import type { Parcel, ParcelExtras } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { hasNoRecord } from '../parcels/parcel-state.ts';
import type { GatedService } from '../polling/account.ts';
import { type CallCost, confirmThreshold, noticeThreshold, registrationCost } from '../polling/gate/call-rules.ts';
import type { Monitor } from '../polling/monitor.ts';
import { type CourierNeed, missingNeed, nameOfCourier, requirementLabels } from '../service/couriers.ts';
import type { Configuration } from '../settings/configuration.ts';
import { describeFailure, withTraceId } from '../settings/errors.ts';
import { askYesNo, canAsk, type PromptContext } from '../settings/session/context.ts';
import { openGate } from '../settings/session/open-stores.ts';
import { printError, printNote } from '../settings/session/output.ts';
import type { Connection } from '../settings/session/service.ts';
import type { Session } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

/** For example `150 registrations and 4 calls`. */
export function costText({ calls, numbers, registrations }: CallCost): string {
  if (registrations === numbers) return `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  const registrationText = registrations === 0 ? '' : `, ${registrations} of them to be registered`;
  return `${counted(calls, 'call')} for ${counted(numbers, 'number')}${registrationText}`;
}

/** A number that occurs several times counts once. */
export function additionCost(session: Session, parcels: readonly NewParcel[], watched: readonly Parcel[]): CallCost {
  const find = createParcelFinder(watched);
  const unknown = parcels.filter(
    (parcel) => parcel.archivedAt === undefined && find(parcel)?.registration !== 'registered',
  );
  return registrationCost(new Set(unknown.map(identityKey)).size, batchLimits(session));
}

export function batchLimits({ configuration }: Session): { readonly register: number; readonly query: number } {
  const { operations, queryVersion, registerVersion } = configuration;
  const register = registerVersion === 'v2.1' ? operations.registerV21 : operations.register;
  const query = queryVersion === 'v2' ? operations.queryV2 : operations.query;
  return { register: register.batchLimit, query: query.batchLimit };
}

/** Returns null if no lookup is needed. */
export async function lookupNotice(
  session: Session,
  { calls, registrations }: CallCost,
  parcels: readonly NewParcel[],
  watched: readonly Parcel[],
): Promise<string | null> {
  const find = createParcelFinder(watched);
  const withoutRecord = parcels.filter((parcel) => {
    const known = find(parcel);
    return parcel.archivedAt === undefined && (known === null || hasNoRecord(known));
  });
  const count = new Set(withoutRecord.map(identityKey)).size;
  if (count === 0) return null;
  const all = { calls: calls + count, registrations: registrations + count, numbers: count };
  const condition =
    count === 1
      ? 'If the first check finds no record, the number is looked up live'
      : 'Each number whose first check finds no record is looked up live';
  return `${condition}, which costs one registration${await priceText(session, all, 'at most ')}.`;
}

/** Returns whether to continue. Always asks before live lookups, because each costs a registration. */
export async function confirmCost(
  { context }: { readonly context: PromptContext },
  cost: CallCost,
  isConfirmed: boolean,
  notice: string | null = null,
): Promise<boolean> {
  if (cost.registrations <= noticeThreshold && notice === null) return true;
  const sentence = notice ?? `This takes ${costText(cost)}.`;
  const isExpensive = cost.registrations > confirmThreshold.commandLine || notice !== null;
  if (isExpensive && !isConfirmed && canAsk(context)) return await askYesNo(context, `${sentence} Continue?`);
  printNote(context, sentence);
  return true;
}

/** Returns an empty string if there is no cost. */
export async function priceText(session: Session, cost: CallCost, prefix = ''): Promise<string> {
  if (cost.registrations === 0) return '';
  const hasBudget = session.configuration.budget.registrationsPerMonth !== null;
  return ` (${prefix}${scanCostText(cost, hasBudget ? await registrationsLeft(session) : null)})`;
}

async function registrationsLeft(session: Session): Promise<number | null> {
  const gate = await openGate(session);
  await gate.load();
  return gate.budget.registrationsLeft();
}

type Extras = Pick<Configuration, 'courierExtras'>;

export const lacksExtra = (configuration: Extras, courierCode: string): boolean =>
  missingExtras(configuration, courierCode, { postalCode: null, phoneSuffix: null }) !== null;

export function warnOfMissingExtras({ context, configuration }: Session, parcels: readonly Parcel[]): void {
  for (const { trackNo, courierCode, extras, registration } of parcels) {
    // The defaults in the configuration are sent only with a registration.
    const need =
      registration === 'registered'
        ? missingNeed(courierCode, extras)
        : missingExtras(configuration, courierCode, extras);
    if (need === null) continue;
    const name = need === 'postal-code' ? 'postalCode' : 'phoneSuffix';
    printNote(
      context,
      `${trackNo}: ${courierCode === null ? 'the courier' : nameOfCourier(courierCode)} finds a parcel only with ${requirementLabels[need]}. Set it with "parcel-monitor edit ${trackNo} --${need} …", or for all its parcels as "couriers.${courierCode}.${name}" in config.json.`,
    );
  }
}

function missingExtras(configuration: Extras, courierCode: string | null, extras: ParcelExtras): CourierNeed | null {
  if (courierCode === null) return null;
  const known = configuration.courierExtras(courierCode);
  return missingNeed(courierCode, {
    postalCode: extras.postalCode ?? known.postalCode ?? null,
    phoneSuffix: extras.phoneSuffix ?? known.phoneSuffix ?? null,
  });
}

export interface EditTarget {
  readonly monitor: Monitor;
  readonly connection: Connection;
  readonly getParcel: () => Parcel;
}

/** Failures are only reported, because the parcel stays on the watchlist and its registration is retried later. */
export async function registerParcel(
  session: Session,
  { monitor, connection, getParcel }: EditTarget,
): Promise<ExitCode> {
  if (connection.service === null) {
    printError(session.context, connection.reason);
    return connection.exitCode;
  }
  try {
    const { failure } = await monitor.refresh([getParcel().id]);
    if (failure !== null) throw failure;
    warnOfSkew(session, connection.service);
    return exitCode.done;
  } catch (error) {
    return reportFailure(session, error, isPending(getParcel()));
  }
}

export const isPending = ({ archivedAt, registration }: Parcel): boolean =>
  registration === 'pending' && archivedAt === null;

export function reportFailure({ context }: Session, error: unknown, hasPending: boolean): ExitCode {
  const failure = describeFailure(error);
  const isSaved = failure.exitCode === exitCode.unreachable && hasPending;
  printError(
    context,
    isSaved
      ? `${failure.message} Your numbers are saved. Run "parcel-monitor refresh" to register them.`
      : failure.message,
  );
  return failure.exitCode;
}

export function reportRejected({ context }: Session, parcel: Parcel): ExitCode {
  if (parcel.registration !== 'rejected') return exitCode.done;
  printError(context, rejectionText(parcel, parcel.trackNo));
  printNote(context, rejectedAdvice([parcel]));
  return exitCode.rejected;
}

export function rejectedAdvice(rejected: readonly Parcel[]): string {
  const findCode = 'To find a courier\'s code, run "parcel-monitor couriers NAME".';
  const withoutAdvice = rejected.find(({ error }) => !(error?.message.includes(' --courier ') ?? false));
  return withoutAdvice === undefined
    ? findCode
    : `To try a different courier, run "parcel-monitor edit ${withoutAdvice.trackNo} --courier CODE". ${findCode}`;
}

export function rejectionText({ error, registration }: Parcel, name: string): string {
  const reason = error?.message ?? 'the service gave no reason';
  const what = registration === 'rejected' ? `${name} was rejected` : name;
  return withTraceId(`${what}: ${reason}`, error?.traceId ?? null);
}

/** Warns if the clocks differ by more than two minutes. */
export function warnOfSkew({ context }: Session, service: Pick<GatedService, 'clockSkew'>): void {
  const sentence = skewSentence(service.clockSkew());
  if (sentence !== null) printNote(context, sentence);
}
