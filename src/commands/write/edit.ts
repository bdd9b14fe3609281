import type { ParcelEdit } from '../../polling/core/state.ts';
import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import { ServiceError } from '../../service/failures/errors.ts';
import type { MerchantChange } from '../../watchlist/model/merchant-change.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { openCourierNames, requireCourier } from '../input/courier-lookup.ts';
import { oneParcelNamed } from '../input/find-parcel.ts';
import { type MerchantOptions, readMerchantChange } from '../input/merchant-fields.ts';
import { warnOfNeeds } from '../input/missing-extras.ts';
import { readCourierCode, readLabel, readPhoneSuffix, readPostalCode, readTags } from '../input/parcel-fields.ts';
import { openCore } from '../session/core.ts';
import { UsageError } from '../session/errors.ts';
import { describeFailure } from '../session/failure.ts';
import { type Session, say } from '../session/session.ts';
import { applyEdit } from './edit-at-service.ts';
import { tellMerchantEdit } from './edit-merchant.ts';
import { type Connection, connect, registerExit, registerPending, reportRejected, warnOfSkew } from './register.ts';

/** Options of `edit`. */
export interface EditOptions extends MerchantOptions {
  readonly label?: string;
  readonly courier?: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  readonly tag?: readonly string[];
  readonly untag?: readonly string[];
  readonly archive?: boolean;
  readonly restore?: boolean;
}

/** What came of the edit before anything had to be registered. */
interface Edited {
  readonly parcel: Parcel;
  readonly exitCode: ExitCode;
}

/**
 * Changes what is kept about a parcel. What decides whether the service finds it goes there first (change courier, edit,
 * else registering anew); while the service fails, nothing of that is changed. What a merchant knows of it is kept here
 * first and told to the service then, so that it is not lost.
 */
export async function runEdit(session: Session, number: string, options: EditOptions): Promise<ExitCode> {
  const merchant = readMerchantChange(options, session.configuration.zone);
  const isMerchantEdited = Object.keys(merchant).length > 0;
  const names = await openCourierNames(session, [options.courier]);
  const courier = options.courier === undefined ? {} : { courier: names.meant(options.courier) };
  const edit = readEdit({ ...options, ...courier });
  if (Object.keys(edit).length === 0 && !isMerchantEdited && options.archive !== true && options.restore !== true) {
    throw new UsageError(
      'Say what to change: --label, --tag, --untag, --courier, --postal-code, --phone-suffix, --order-no, --remark, --email, --ship-time, --country, --custom1, --custom2, --archive or --restore.',
    );
  }
  await requireCourier(session, edit.courierCode ?? null, names);
  const concernsService = 'courierCode' in edit || 'postalCode' in edit || 'phoneSuffix' in edit;
  const edited = await change(session, number, { edit, merchant }, { ...options, concernsService });
  const { parcel } = edited;
  const isPending = parcel.archivedAt === null && parcel.registration === 'pending';
  if (edited.exitCode !== exitCode.done || !(concernsService || (isMerchantEdited && isPending)))
    return edited.exitCode;
  // What the service rejected is tried again only where that may help.
  const isToRegister = parcel.archivedAt === null && parcel.registration !== 'registered';
  const registration = await registerPending(session, isToRegister ? [parcel.id] : []);
  const parcels = registration.parcels.length > 0 ? registration.parcels : [parcel];
  if (isToRegister && ('postalCode' in edit || 'phoneSuffix' in edit)) tellDoubt(session, parcels);
  warnOfNeeds(session, parcels);
  return worseExit(edited.exitCode, registerExit(session, registration));
}

/** Applies the edit at the service and to the watchlist, and prints what was done. */
async function change(
  session: Session,
  number: string,
  { edit, merchant }: { readonly edit: ParcelEdit; readonly merchant: MerchantChange },
  { concernsService, ...options }: EditOptions & { readonly concernsService: boolean },
): Promise<Edited> {
  const { context } = session;
  const isMerchantEdited = Object.keys(merchant).length > 0;
  const connection: Connection =
    concernsService || isMerchantEdited
      ? await connect(session)
      : { service: null, reason: '', exitCode: exitCode.done };
  const { service } = connection;
  const core = await openCore(session, service);
  try {
    const { monitor } = core;
    const parcel = oneParcelNamed(monitor.getState().parcels, number, null);
    const now = (): Parcel => monitor.getState().parcels.find((one) => one.id === parcel.id) ?? parcel;
    let merchantExit: ExitCode = exitCode.done;
    try {
      // Before anything that may fail.
      if (isMerchantEdited) await monitor.edit(parcel.id, { merchant });
      if (options.restore === true) await monitor.restore(parcel.id);
      const done = await applyEdit(context, { monitor, service }, now(), edit);
      const told = await tellMerchantEdit(context, { monitor, connection }, now(), merchant);
      merchantExit = told.exitCode;
      if (options.archive === true) await monitor.archive(parcel.id);
      const words = new Set([doneWord(options), ...done, ...told.words]);
      context.stdout.write(`${parcel.trackNo}  ${[...words].join(', ')}\n`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const failure = describeFailure(error);
      const kept = isMerchantEdited ? `${parcel.trackNo} keeps what was given here; the rest` : parcel.trackNo;
      say(context, `${kept} stays as it was. ${failure.message}`);
      return { parcel, exitCode: failure.exitCode };
    }
    // What was registered all along is asked about here, the rest when it has been registered.
    if (service !== null && concernsService && now().registration === 'registered') {
      await monitor.refresh([parcel.id]);
      warnOfSkew(session, service);
    }
    const rejectedExit = concernsService ? reportRejected(session, [now()]) : exitCode.done;
    return { parcel: now(), exitCode: worseExit(merchantExit, rejectedExit) };
  } finally {
    await core.close();
  }
}

/** A number that the service held already tells no time of registration; whether it took what is new, nobody knows. */
function tellDoubt({ context }: Session, parcels: readonly Parcel[]): void {
  for (const { trackNo, registration, registeredAt } of parcels) {
    if (registration !== 'registered' || registeredAt !== null) continue;
    say(
      context,
      `${trackNo}: the service held the number already and may not have taken the change; to be sure, remove it with --remote and add it again.`,
    );
  }
}

/** Only the fields that were given: an absent one stays as it is. */
function readEdit(options: EditOptions): ParcelEdit {
  return {
    ...(options.label === undefined ? {} : { label: readLabel(options.label) }),
    ...(options.courier === undefined ? {} : { courierCode: readCourierCode(options.courier) }),
    ...(options.tag === undefined ? {} : { addTags: readTags(options.tag) }),
    ...(options.untag === undefined ? {} : { removeTags: readTags(options.untag) }),
    ...(options.postalCode === undefined ? {} : { postalCode: readPostalCode(options.postalCode) }),
    ...(options.phoneSuffix === undefined ? {} : { phoneSuffix: readPhoneSuffix(options.phoneSuffix) }),
  };
}

function doneWord(options: EditOptions): string {
  if (options.archive === true) return 'archived';
  return options.restore === true ? 'restored' : 'changed';
}
