import { cleanText } from '../lib/clean-text.ts';
import type { otherHeadings } from './data/column-headings.ts';

type ImportColumn = keyof typeof otherHeadings;

/**
 * Reduces a heading to lower-case letters without accents and digits. Drops what is before a dot, as in nested keys.
 */
export function headingForm(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/^.*[a-z]\.(?=[a-z])/, '')
    .replaceAll('#', 'number')
    .replaceAll('ł', 'l')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The export format of a shop or courier. */
interface ExportProfile {
  readonly name: string;
  /** Sets of headings. A table matches if it has all headings of one set. */
  readonly headings: readonly (readonly string[])[];
  /** The courier of all parcels in it. Absent if there may be several. */
  readonly courier?: string;
}

/** The first match wins. */
const profiles: readonly ExportProfile[] = [
  { name: 'Matrixify for Shopify', headings: [['Fulfillment: Tracking Number'], ['Line: Title', 'Command']] },
  { name: 'Shopify', headings: [['Lineitem name'], ['Financial Status', 'Fulfillment Status']] },
  {
    name: 'WooCommerce',
    headings: [
      ['order_id', 'tracking_provider'],
      ['Order Number', 'Tracking Provider'],
      ['Order Status', 'Item Name', 'Tracking Number'],
    ],
  },
  { name: 'Amazon', headings: [['amazon-order-id'], ['order-id', 'order-item-id']] },
  { name: 'Etsy', headings: [['Sale Date', 'Order ID', 'Ship Zipcode']] },
  {
    name: 'eBay',
    headings: [
      ['Sales Record Number', 'Item Title'],
      ['Order Number', 'Item Title', 'Buyer Username'],
    ],
  },
  { name: 'DHL', headings: [['Sendungsnummer', 'Empfänger Name 1']], courier: 'DHL Paket' },
  {
    name: 'UPS WorldShip',
    headings: [
      ['Package_TrackingNumber', 'ShipTo_CompanyOrName'],
      ['Tracking Number', 'Ship To Company or Name'],
      ['PackageTrackingNumber', 'ShipToCompanyOrName'],
    ],
    courier: 'UPS',
  },
  {
    name: 'Royal Mail Click & Drop',
    headings: [
      ['Order reference', 'Despatch date', 'Tracking number'],
      ['Channel reference', 'Shipping service', 'Tracking number'],
      ['Order reference', 'Channel', 'Service', 'Tracking number'],
    ],
    courier: 'Royal Mail',
  },
];

export function profileOf(headings: readonly string[]): ExportProfile | null {
  const forms = new Set(headings.map(wholeForm));
  return (
    profiles.find((profile) => profile.headings.some((set) => set.every((heading) => forms.has(wholeForm(heading))))) ??
    null
  );
}

/** Normalises a heading without dropping what is before a dot. */
const wholeForm = (heading: string): string => headingForm(heading.replaceAll('.', ' '));

const fieldWords: Readonly<Partial<Record<ImportColumn, string>>> = {
  trackNo: 'number',
  courierCode: 'courier',
  label: 'label',
  orderNo: 'order number',
  postalCode: 'postal code',
  tags: 'tags',
};

interface Interpretation {
  readonly headings: readonly string[];
  readonly columns: readonly (ImportColumn | null)[];
  readonly profile: ExportProfile | null;
  /** Headings of the cells that make up the label. */
  readonly labels: readonly string[];
}

/** Says how a table was interpreted, without a full stop. */
export function describeColumns({ columns, headings, labels, profile }: Interpretation): string {
  const parts = (Object.keys(fieldWords) as ImportColumn[]).flatMap((field) => {
    const index = columns.indexOf(field);
    const own = field === 'label' && labels.length > 0 ? labels : index === -1 ? [] : [headings[index] ?? ''];
    const named = own.map((heading) => `"${cleanText(heading).slice(0, 40)}"`).join(' and ');
    return named === '' ? [] : [`${fieldWords[field]} = ${named}`];
  });
  return `Read as ${profile === null ? 'a table' : `an export from ${profile.name}`}: ${parts.join(', ')}`;
}
