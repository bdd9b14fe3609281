import { isDeepStrictEqual } from 'node:util';
import { courierName } from '../board/parcel-facts.ts';
import { cleanTextOrNull } from '../lib/clean-text.ts';
import { sameCourier } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { MerchantChange, ParcelEdit } from '../parcels/parcel-factory.ts';
import { type ChangePath, createAccountActions } from '../polling/account.ts';
import type { ExtrasChange } from '../polling/no-record.ts';
import { merchantFields } from '../polling/schedule/poller.ts';
import { nameOfCourier } from '../service/couriers.ts';
import { ServiceError } from '../service/port.ts';
import { describeFailure, MissingArgumentError, withTraceId } from '../settings/errors.ts';
import {
  type MerchantOptions,
  readCourierCode,
  readMerchantChange,
  readPhoneSuffix,
  readPostalCode,
  readTags,
} from '../settings/parcel-fields.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { openCore } from '../settings/session/core.ts';
import { printError, printNote } from '../settings/session/output.ts';
import { type Connection, connect } from '../settings/session/service.ts';
import type { Session } from '../settings/session/session.ts';
import { type ExitCode, exitCode, worseExit } from '../system/exit.ts';
import { type CourierLookup, openCouriers, requireCourier } from './couriers.ts';
import {
  type EditTarget,
  isPending,
  registerParcel,
  reportRejected,
  warnOfMissingExtras,
  warnOfSkew,
} from './register.ts';
import { type JsonOption, Results } from './results.ts';
import {
  chooseParcels,
  type FilterOptions,
  findOneParcel,
  parseParcelNames,
  requireTargets,
} from './select-parcels.ts';

interface EditOptions extends MerchantOptions, FilterOptions, JsonOption {
  readonly label?: string;
  readonly note?: string;
  readonly courier?: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  readonly tag?: readonly string[];
  readonly untag?: readonly string[];
  readonly archive?: boolean;
  readonly restore?: boolean;
}

/** Absent fields are not changed. */
interface EditRequest {
  readonly courierCode?: string | null;
  readonly extras: ExtrasChange;
  /** Never sent to the service. */
  readonly localFields: Pick<ParcelEdit, 'label' | 'note' | 'addTags' | 'removeTags'>;
  readonly merchant: MerchantChange;
  /** Whether the edit changes fields that the service needs to find the parcel. */
  readonly affectsTracking: boolean;
  readonly archive: boolean;
  readonly restore: boolean;
}

interface ReportedEditTarget extends EditTarget {
  readonly results: Results;
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/**
 * Saves merchant fields before it sends them, so that they are not lost. Fields that the service needs to find the
 * parcel are sent first and saved only if the service accepts them.
 */
export async function runEdit(session: Session, options: EditOptions, numbers: readonly string[]): Promise<ExitCode> {
  const { filter } = options;
  requireTargets(numbers, options);
  const merchant = readMerchantChange(options, session.configuration.zone);
  const couriers = await openCouriers(session, [options.courier]);
  const edit = readEdit(options, couriers, merchant);
  const { archive, affectsTracking, courierCode, localFields, restore } = edit;
  if (!(affectsTracking || archive || restore) && isEmpty(merchant) && isEmpty(localFields)) {
    throw new MissingArgumentError(
      'Nothing to change. Use --label, --note, --tag, --untag, --courier, --postal-code, --phone-suffix, --order-no, --remark, --email, --ship-time, --country, --custom1, --custom2, --archive or --restore.',
    );
  }
  requireCourier(couriers, courierCode ?? null);
  const connection: Connection =
    affectsTracking || !isEmpty(merchant)
      ? await connect(session)
      : { service: null, reason: '', exitCode: exitCode.done };
  await using core = await openCore(session, connection.service, {
    named: filter === undefined ? parseParcelNames(numbers, null) : null,
  });
  const { monitor } = core;
  const results = new Results(session, options);
  const chosen = await chooseParcels(session, core, results, {
    numbers,
    options,
    action: archive ? 'Archive' : restore ? 'Restore' : 'Change',
    find: (parcels, number) => [findOneParcel(parcels, number, null)],
    matching: { all: restore, passes: ({ archivedAt }) => !restore || archivedAt !== null },
  });
  let worst: ExitCode = chosen?.areAllFound === false ? exitCode.rejected : exitCode.done;
  for (const parcel of chosen?.parcels ?? [])
    worst = worseExit(worst, await editParcel(session, { monitor, connection, results }, parcel, edit));
  results.end(core);
  return worst;
}

async function editParcel(
  session: Session,
  { monitor, connection, results }: Omit<ReportedEditTarget, 'getParcel'>,
  chosenParcel: Parcel,
  edit: EditRequest,
): Promise<ExitCode> {
  const { affectsTracking, extras, merchant } = edit;
  const getParcel = (): Parcel => monitor.getState().parcels.find(({ id }) => id === chosenParcel.id) ?? chosenParcel;
  const target: ReportedEditTarget = { monitor, connection, results, getParcel };
  const code = await applyAndReport(session, target, edit);
  const before = getParcel();
  if (code !== exitCode.done || !(affectsTracking || (!isEmpty(merchant) && isPending(before)))) return code;
  const needsRegistration = before.archivedAt === null && before.registration !== 'registered';
  const registrationExit = needsRegistration ? await registerParcel(session, target) : exitCode.done;
  const parcel = getParcel();
  if (needsRegistration && !isEmpty(extras)) warnOfIgnoredChange(session, parcel);
  warnOfMissingExtras(session, [parcel]);
  return needsRegistration ? worseExit(registrationExit, reportRejected(session, parcel)) : exitCode.done;
}

function readEdit(options: EditOptions, { resolve }: CourierLookup, merchant: MerchantChange): EditRequest {
  const { archive = false, courier, label, note, phoneSuffix, postalCode, restore = false, tag, untag } = options;
  const localFields = {
    ...(label === undefined ? {} : { label: cleanTextOrNull(label) }),
    ...(note === undefined ? {} : { note: cleanTextOrNull(note) }),
    ...(tag === undefined ? {} : { addTags: readTags(tag) }),
    ...(untag === undefined ? {} : { removeTags: readTags(untag) }),
  };
  const extras = {
    ...(postalCode === undefined ? {} : { postalCode: readPostalCode(postalCode) }),
    ...(phoneSuffix === undefined ? {} : { phoneSuffix: readPhoneSuffix(phoneSuffix) }),
  };
  const code = courier === undefined ? {} : { courierCode: readCourierCode(resolve(courier)) };
  const affectsTracking = courier !== undefined || !isEmpty(extras);
  return { ...code, localFields, extras, merchant, affectsTracking, archive, restore };
}

/** Reports the result before the parcel is registered, because that may fail. */
async function applyAndReport(session: Session, target: ReportedEditTarget, edit: EditRequest): Promise<ExitCode> {
  const { context } = session;
  const { connection, getParcel, monitor, results } = target;
  const { archive, affectsTracking, merchant, localFields, restore } = edit;
  const before = getParcel();
  const { id, trackNo } = before;
  let merchantExit: ExitCode = exitCode.done;
  try {
    // Saved first, because the requests below can fail.
    if (!isEmpty(merchant)) await monitor.edit(id, { merchant });
    if (restore) await monitor.restoreAll([id]);
    const messages = await applyEdit(context, target, edit);
    const merchantResult = await sendMerchantEdit(context, target, merchant);
    merchantExit = merchantResult.exitCode;
    if (archive) await monitor.archiveAll([id]);
    const all = [...messages, merchantResult.message].filter((message) => message !== null);
    const isSame = all.length === 0 && isDeepStrictEqual(before, getParcel());
    const outcome = archive ? 'archived' : restore ? 'restored' : isSame ? 'unchanged' : 'changed';
    for (const tag of localFields.removeTags ?? [])
      if (!before.tags.includes(tag)) printNote(context, `${trackNo} has no tag "${tag}".`);
    results.add(before, outcome, [...new Set([outcome === 'unchanged' ? 'not changed' : outcome, ...all])].join(', '));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const failure = describeFailure(error);
    const state = isEmpty(merchant)
      ? `${trackNo} is unchanged.`
      : `${trackNo}: the merchant data is saved here; nothing else was changed.`;
    results.reportError(before, 'failed', `${state} ${failure.message}`);
    return failure.exitCode;
  }
  // Parcels that are not registered yet are checked after their registration.
  if (connection.service !== null && affectsTracking && getParcel().registration === 'registered') {
    const { failure } = await monitor.refresh([id]);
    if (failure !== null) throw failure;
    warnOfSkew(session, connection.service);
  }
  return worseExit(merchantExit, affectsTracking ? reportRejected(session, getParcel()) : exitCode.done);
}

/** Changes the service first. Throws a `ServiceError` if that fails, before anything else is changed. */
async function applyEdit(
  context: Pick<CommandContext, 'stderr'>,
  { monitor, connection, getParcel }: EditTarget,
  { courierCode, extras, localFields }: Pick<EditRequest, 'courierCode' | 'extras' | 'localFields'>,
): Promise<readonly (string | null)[]> {
  const parcel = getParcel();
  const reportRefusal = ({ message, traceId }: ServiceError): void => {
    printNote(context, withTraceId(`${parcel.trackNo} will be registered again instead. ${message}`, traceId));
  };
  const actions = createAccountActions(monitor, connection.service, reportRefusal);
  const messages: (string | null)[] = [];
  if (courierCode != null && !sameCourier(courierCode, parcel.courierCode))
    messages.push(moveText(await actions.changeCourier(parcel.id, courierCode), parcel, courierCode));
  else if (courierCode !== undefined) await monitor.edit(parcel.id, { courierCode });
  if (!isEmpty(extras)) messages.push(extrasText[await actions.setExtras(parcel.id, extras)]);
  if (!isEmpty(localFields)) await monitor.edit(parcel.id, localFields);
  return messages;
}

function moveText(path: ChangePath, parcel: Parcel, courierCode: string): string | null {
  const name = nameOfCourier(courierCode);
  if (path === 'changed') return `moved to ${name} at the service`;
  const courier = courierName(parcel);
  const oldRegistration = `the service also keeps it ${courier === null ? 'without a courier' : `under ${courier}`}`;
  return path === 'local' ? null : `to be registered again under ${name} (${oldRegistration})`;
}

const extrasText: Readonly<Record<ChangePath, string | null>> = {
  changed: 'saved at the service',
  'registered-again': 'sent to the service with a new registration',
  local: null,
};

interface MerchantEditResult {
  readonly message: string | null;
  readonly exitCode: ExitCode;
}

async function sendMerchantEdit(
  context: Pick<CommandContext, 'stderr' | 'signal'>,
  { monitor, connection, getParcel }: EditTarget,
  change: MerchantChange,
): Promise<MerchantEditResult> {
  const { archivedAt, courierCode, registration, trackNo } = getParcel();
  const success = (message: string | null): MerchantEditResult => ({ message, exitCode: exitCode.done });
  const reportUnsent = (reason: string, code: ExitCode): MerchantEditResult => {
    const sentence = `${trackNo}: the change is saved here but not at the service. ${reason}`;
    printError(context, `${sentence} Run the command again to send it.`);
    return { message: null, exitCode: code };
  };
  if (isEmpty(change)) return success(null);
  if (registration !== 'registered')
    return success(archivedAt === null ? 'sent to the service with the registration' : null);
  if (courierCode === null) return reportUnsent('Its courier is not known yet.', exitCode.done);
  if (connection.service === null) {
    const isNotSetUp = connection.exitCode === exitCode.done;
    return reportUnsent(isNotSetUp ? 'There is no API key or base URL.' : connection.reason, connection.exitCode);
  }
  try {
    const { serviceClock } = monitor.getState();
    await connection.service.edit({ trackNo, courierCode, ...merchantFields(change, serviceClock) }, context.signal);
    return success('saved at the service');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const failure = describeFailure(error);
    return reportUnsent(failure.message, failure.exitCode);
  }
}

/** If a parcel has no registration time, the service already had the number and may have ignored the new data. */
function warnOfIgnoredChange({ context }: Session, { trackNo, registration, registeredAt }: Parcel): void {
  if (registration !== 'registered' || registeredAt !== null) return;
  const sentence = `The service already had ${trackNo} and may have ignored the change.`;
  printNote(context, `${sentence} To be safe, remove it with --remote and add it again.`);
}
