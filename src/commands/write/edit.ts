import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import { ServiceError } from '../../service/failures/errors.ts';
import type { MerchantChange } from '../../watchlist/model/merchant-change.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { sameJson } from '../../watchlist/model/same-json.ts';
import { type CourierNames, openCourierNames, requireCourier } from '../input/courier-lookup.ts';
import { namedParcels, oneParcelNamed } from '../input/find-parcel.ts';
import { type MerchantOptions, readMerchantChange } from '../input/merchant-fields.ts';
import { warnOfNeeds } from '../input/missing-extras.ts';
import { readCourierCode, readLabel, readPhoneSuffix, readPostalCode, readTags } from '../input/parcel-fields.ts';
import { openCore } from '../session/core.ts';
import { UsageError } from '../session/errors.ts';
import { describeFailure } from '../session/failure.ts';
import { type Connection, connect } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';
import { applyEdit, type GivenEdit, sendMerchantEdit } from './edit-at-service.ts';
import { type EditPlaces, isPending, registerParcel, reportRejected, warnOfSkew } from './register.ts';

/** Options of `edit`. */
interface EditOptions extends MerchantOptions {
  readonly label?: string;
  readonly courier?: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  readonly tag?: readonly string[];
  readonly untag?: readonly string[];
  readonly archive?: boolean;
  readonly restore?: boolean;
}

/**
 * Changes what is kept about a parcel. What decides whether the service finds it goes there first (change courier, edit,
 * else registering again); while the service fails, nothing of that is changed. What a merchant knows of it is kept here
 * first and sent to the service then, so that it is not lost.
 */
export async function runEdit(
  session: Session,
  options: EditOptions,
  [number = '']: readonly string[],
): Promise<ExitCode> {
  const merchant = readMerchantChange(options, session.configuration.zone);
  const names = await openCourierNames(session, [options.courier]);
  const edit = readEdit(options, names, merchant);
  const { archive, concernsService, isMerchantEdited, own, restore } = edit;
  if (!(concernsService || isMerchantEdited || archive || restore) && Object.keys(own).length === 0) {
    throw new UsageError(
      'Say what to change: --label, --tag, --untag, --courier, --postal-code, --phone-suffix, --order-no, --remark, --email, --ship-time, --country, --custom1, --custom2, --archive or --restore.',
    );
  }
  await requireCourier(session, edit.courierCode ?? null, names);
  return await makeEdit(session, number, edit);
}

function readEdit(options: EditOptions, names: CourierNames, merchant: MerchantChange): GivenEdit {
  const { archive = false, courier, label, phoneSuffix, postalCode, restore = false, tag, untag } = options;
  const code = courier === undefined ? {} : { courierCode: readCourierCode(names.meant(courier)) };
  const own = {
    ...(label === undefined ? {} : { label: readLabel(label) }),
    ...(tag === undefined ? {} : { addTags: readTags(tag) }),
    ...(untag === undefined ? {} : { removeTags: readTags(untag) }),
  };
  const extras = {
    ...(postalCode === undefined ? {} : { postalCode: readPostalCode(postalCode) }),
    ...(phoneSuffix === undefined ? {} : { phoneSuffix: readPhoneSuffix(phoneSuffix) }),
  };
  const concernsService = courier !== undefined || Object.keys(extras).length > 0;
  const isMerchantEdited = Object.keys(merchant).length > 0;
  return { ...code, own, extras, merchant, concernsService, isMerchantEdited, archive, restore };
}

/** Makes the edit, and registers the parcel where that is due or may help now. */
async function makeEdit(session: Session, number: string, edit: GivenEdit): Promise<ExitCode> {
  const { concernsService, extras, isMerchantEdited } = edit;
  const connection: Connection =
    concernsService || isMerchantEdited
      ? await connect(session)
      : { service: null, reason: '', exitCode: exitCode.done };
  await using core = await openCore(session, connection.service, { named: namedParcels([number], null) });
  const { monitor } = core;
  const named = oneParcelNamed(monitor.getState().parcels, number, null);
  const places: EditPlaces = {
    monitor,
    connection,
    parcel: () => monitor.getState().parcels.find(({ id }) => id === named.id) ?? named,
  };
  const ended = await change(session, places, edit);
  const before = places.parcel();
  if (ended !== exitCode.done || !(concernsService || (isMerchantEdited && isPending(before)))) return ended;
  // What the service rejected is tried again only where that may help.
  const isRegistered = before.archivedAt === null && before.registration !== 'registered';
  const registered = isRegistered ? await registerParcel(session, places) : exitCode.done;
  const parcel = places.parcel();
  if (isRegistered && Object.keys(extras).length > 0) warnOfDoubt(session, parcel);
  warnOfNeeds(session, [parcel]);
  return isRegistered ? worseExit(registered, reportRejected(session, parcel)) : exitCode.done;
}

/** Applies the edit at the service and to the watchlist, and prints what was done, before anything has to be registered. */
async function change(session: Session, places: EditPlaces, edit: GivenEdit): Promise<ExitCode> {
  const { context } = session;
  const { connection, monitor, parcel } = places;
  const { archive, concernsService, isMerchantEdited, merchant, own, restore } = edit;
  const before = parcel();
  const { id, trackNo } = before;
  let merchantExit: ExitCode = exitCode.done;
  try {
    // Before anything that may fail.
    if (isMerchantEdited) await monitor.edit(id, { merchant });
    if (restore) await monitor.restore(id);
    const done = await applyEdit(context, places, edit);
    const sent = await sendMerchantEdit(context, places, merchant);
    merchantExit = sent.exitCode;
    if (archive) await monitor.archive(id);
    const isSame = done.length === 0 && sent.words.length === 0 && sameJson(before, parcel());
    const first = archive ? 'archived' : restore ? 'restored' : isSame ? 'not changed' : 'changed';
    const words = new Set([first, ...done, ...sent.words]);
    for (const tag of own.removeTags ?? [])
      if (!before.tags.includes(tag)) say(context, `${trackNo} has no tag "${tag}".`);
    context.stdout.write(`${trackNo}  ${[...words].join(', ')}\n`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const failure = describeFailure(error);
    const kept = isMerchantEdited ? `${trackNo} keeps what was given here; the rest` : trackNo;
    say(context, `${kept} stays as it was. ${failure.message}`);
    return failure.exitCode;
  }
  // What was registered all along is checked here, the rest when it has been registered.
  if (connection.service !== null && concernsService && parcel().registration === 'registered') {
    const { failure } = await monitor.refresh([id]);
    if (failure !== null) throw failure;
    warnOfSkew(session, connection.service);
  }
  return worseExit(merchantExit, concernsService ? reportRejected(session, parcel()) : exitCode.done);
}

/** A number that the service held already has no time of registration; whether it took what is new is not known. */
function warnOfDoubt({ context }: Session, { trackNo, registration, registeredAt }: Parcel): void {
  if (registration !== 'registered' || registeredAt !== null) return;
  say(
    context,
    `${trackNo}: the service held the number already and may not have taken the change; to be sure, remove it with --remote and add it again.`,
  );
}
