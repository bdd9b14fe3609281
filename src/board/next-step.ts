import type { Line, Segment } from '../lib/paint.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isUnreportedDelivery, shownStage } from '../parcels/parcel-state.ts';
import { isProblem } from '../service/status.ts';
import { courierPage } from './parcel-facts.ts';
import { loudness, type Viewing } from './status/status-now.ts';

/** What the user can do about a problem. */
export interface NextStep {
  /** An instruction without a full stop, such as `send the invoice`. */
  readonly text: string;
  /** The http(s) page where the user can do it. Null if the courier has none, or if the sender must be asked. */
  readonly page: string | null;
}

type Step = readonly [text: string, contact: 'courier' | 'sender'];

const steps: Readonly<Record<string, Step>> = {
  DELIVERY_FAILED_01: ['correct the address', 'courier'],
  DELIVERY_FAILED_02: ['choose another day or a pick-up point', 'courier'],
  DELIVERY_FAILED_03: ['correct the phone number', 'courier'],
  DELIVERY_FAILED_04: ['choose another day', 'courier'],
  ABNORMAL_01: ['collect it, or ask for another delivery', 'courier'],
  ABNORMAL_02: ['send the invoice', 'courier'],
  ABNORMAL_03: ['claim compensation', 'courier'],
  ABNORMAL_04: ['ask the sender why', 'sender'],
  ABNORMAL_05: ['ask the sender for another delivery', 'sender'],
  ABNORMAL_06: ['ask the sender for a refund or a new parcel', 'sender'],
  ABNORMAL_07: ['ask the sender to send it again', 'sender'],
  ABNORMAL_08: ['ask the courier what happened', 'courier'],
};

/** The steps to take if there is no sub-status. */
const defaultSteps: Readonly<Record<string, string>> = {
  DELIVERY_FAILED: 'DELIVERY_FAILED_04',
  ABNORMAL: 'ABNORMAL_08',
};

const collectStep: Step = ['collect it before it goes back', 'courier'];
const inquiryStep: Step = ['ask the courier where it is', 'courier'];

/** Returns what the user can do about a parcel, or null if there is no problem or nothing helps. */
export function nextStep(parcel: Parcel, viewing: Viewing): NextStep | null {
  if (parcel.archivedAt !== null) return null;
  if (parcel.registration === 'rejected') return { text: 'change the courier, or refresh to try again', page: null };
  const step = stepFor(parcel, viewing);
  if (step === null) return null;
  const [text, contact] = step;
  return { text, page: contact === 'courier' ? courierPage(parcel) : null };
}

function stepFor(parcel: Parcel, viewing: Viewing): Step | null {
  const stage = shownStage(parcel);
  if (stage === 'closed' || stage === 'delivered' || isUnreportedDelivery(parcel)) return null;
  const { lastEvent, record } = parcel;
  const subStatus = record?.transitSubStatus ?? (record?.transitStatus === null ? lastEvent?.subStatus : null) ?? null;
  const problem = isProblem(subStatus) ? subStatus : defaultSteps[record?.transitStatus ?? ''];
  if (problem != null) return steps[problem] ?? steps['ABNORMAL_08'] ?? null;
  if (loudness(parcel, viewing) === 'usual') return null;
  return stage === 'pickup' ? collectStep : inquiryStep;
}

/** `→ send the invoice: ups.com/…`, with a link to the page. */
export function nextStepLine({ page, text }: NextStep): Line {
  const arrow: Segment = { text: '→ ', tone: 'attention', bold: true };
  if (page === null) return [arrow, { text }];
  return [arrow, { text: `${text}: ` }, { text: shortAddress(page), link: page }];
}

/** `ups.com/…` */
function shortAddress(page: string): string {
  const { host, pathname, search } = new URL(page);
  return `${host.replace(/^www\./, '')}${pathname === '/' && search === '' ? '' : '/…'}`;
}
