import { createFindKnown, scanCostText } from '../board/scan/judge-rows.ts';
import { counted } from '../lib/text.ts';
import { identityKey } from '../parcels/identity.ts';
import type { Parcel, ParcelExtras } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { hasNoRecord } from '../parcels/parcel-stage.ts';
import { type CallCost, confirmThreshold, noticeThreshold, registrationCost } from '../polling/gate/call-rules.ts';
import { type CourierNeed, missingNeed, nameOfCourier, requirementLabels } from '../service/couriers.ts';
import type { Configuration } from '../settings/configuration.ts';
import { type Asking, askYesNo, canAsk } from '../settings/session/context.ts';
import { openGate } from '../settings/session/open-stores.ts';
import { printNote, type Session } from '../settings/session/session.ts';

/** For example `150 registrations and 4 calls`. */
export function costText({ calls, numbers, registrations }: CallCost): string {
  if (registrations === numbers) return `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  const among = registrations === 0 ? '' : `, ${registrations} of them to be registered`;
  return `${counted(calls, 'call')} for ${counted(numbers, 'number')}${among}`;
}

/** A number that occurs several times counts once. */
export function costOfAdding(session: Session, parcels: readonly NewParcel[], watched: readonly Parcel[]): CallCost {
  const find = createFindKnown(watched);
  const unknown = parcels.filter(
    (parcel) => parcel.archivedAt === undefined && find(parcel)?.registration !== 'registered',
  );
  return registrationCost(new Set(unknown.map(identityKey)).size, batchLimitsOf(session));
}

export function batchLimitsOf({ configuration }: Session): { readonly register: number; readonly query: number } {
  const { operations, queryVersion, registerVersion } = configuration;
  const register = registerVersion === 'v2.1' ? operations.registerV21 : operations.register;
  const query = queryVersion === 'v2' ? operations.queryV2 : operations.query;
  return { register: register.batchLimit, query: query.batchLimit };
}

/** Returns null if no lookup is needed. */
export async function lookUpSentence(
  session: Session,
  { calls, registrations }: CallCost,
  parcels: readonly NewParcel[],
  watched: readonly Parcel[],
): Promise<string | null> {
  const find = createFindKnown(watched);
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
  { context }: { readonly context: Asking },
  cost: CallCost,
  isSure: boolean,
  lookUps: string | null = null,
): Promise<boolean> {
  if (cost.registrations <= noticeThreshold && lookUps === null) return true;
  const sentence = lookUps ?? `This takes ${costText(cost)}.`;
  const isExpensive = cost.registrations > confirmThreshold.commandLine || lookUps !== null;
  if (isExpensive && !isSure && canAsk(context)) return await askYesNo(context, `${sentence} Continue?`);
  printNote(context, sentence);
  return true;
}

/** Returns an empty string if there is no cost. */
export async function priceText(session: Session, cost: CallCost, before = ''): Promise<string> {
  if (cost.registrations === 0) return '';
  const hasBudget = session.configuration.budget.registrationsPerMonth !== null;
  return ` (${before}${scanCostText(cost, hasBudget ? await registrationsLeft(session) : null)})`;
}

async function registrationsLeft(session: Session): Promise<number | null> {
  const gate = await openGate(session);
  await gate.load();
  return gate.budget.registrationsLeft();
}

type Extras = Pick<Configuration, 'courierExtras'>;

export const lacksExtra = (configuration: Extras, courierCode: string): boolean =>
  missingExtras(configuration, courierCode, { postalCode: null, phoneSuffix: null }) !== null;

export function warnOfNeeds({ context, configuration }: Session, parcels: readonly Parcel[]): void {
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
