import { nearestWord } from '../../service/text/nearest-word.ts';
import { UsageError } from '../session/errors.ts';

/**
 * What a row can say about a parcel, named as in an export, and how else columns and keys are headed, likeliest first: in
 * the languages of shops and spreadsheets, and in the files of AfterShip (tracking_number, slug, title, order_id,
 * tracking_postal_code), parcelLab (tracking_number, courier, order_number, zip_code), Shipup (tracker.tracking_number,
 * tracker.carrier_code), 17TRACK (number, remark, order_no), Parcel (tracking_number, carrier_code, description), ShipStation (Tracking #,
 * Order #) and Shippo (Tracking Number, Carrier).
 */
const otherNames = {
  trackNo: [
    'trackingno',
    'trackingnumber',
    'trackingnumbers',
    'trackingnum',
    'tracking',
    'trackingid',
    'trackingcode',
    'tracknumber',
    'tracknum',
    'parcelnumber',
    'packagenumber',
    'consignmentnumber',
    'waybill',
    'waybillnumber',
    'awb',
    'awbnumber',
    'shipmentnumber',
    'sendungsnummer',
    'sendungsnr',
    'paketnummer',
    'paketscheinnummer',
    'trackingnummer',
    'numerodesuivi',
    'numerodecolis',
    'numerosuivi',
    'ndesuivi',
    'numerodeseguimiento',
    'numerodeenvio',
    'seguimiento',
    'codigodeseguimiento',
    'numerodirastreamento',
    'codigoderastreio',
    'codigoderastreamento',
    'rastreio',
    'numeroditracking',
    'numerotracking',
    'numerodispedizione',
    'codicespedizione',
    'zendingnummer',
    'trackentracecode',
    'trackandtrace',
    'tracktrace',
    'barcode',
    'kollinummer',
    'kollinr',
    'sandningsnummer',
    'sporingsnummer',
    'sporingsnr',
    'forsendelsesnummer',
    'seurantakoodi',
    'seurantanumero',
    'lahetystunnus',
    'numerprzesyłki',
    'numerprzesylki',
    'numersledzenia',
    'cislozasilky',
    'trackingoveciislo',
    'csomagszam',
    'nyomkovetesiszam',
    'takipno',
    'takipnumarasi',
    'kargotakipno',
    'трекномер',
    'треккод',
    'номеротслеживания',
    'номеротправления',
    '运单号',
    '快递单号',
    '物流单号',
    '单号',
    '追跡番号',
    '伝票番号',
    '送り状番号',
    'お問い合わせ番号',
    '운송장번호',
    '송장번호',
    'number',
    'parcel',
    'nummer',
    'numero',
  ],
  courierCode: [
    'courier',
    'carriercode',
    'couriercode',
    'carrier',
    'slug',
    'carriername',
    'couriername',
    'shippingcarrier',
    'shippingprovider',
    'provider',
    'versanddienstleister',
    'versender',
    'zusteller',
    'paketdienst',
    'dienstleister',
    'transporteur',
    'transportista',
    'transportadora',
    'empresadetransporte',
    'mensajeria',
    'corriere',
    'vettore',
    'vervoerder',
    'transportor',
    'transportør',
    'transportor',
    'kuljetusliike',
    'kurier',
    'przewoznik',
    'dopravce',
    'futarszolgalat',
    'kargofirmasi',
    'перевозчик',
    '承运商',
    '快递公司',
    '物流公司',
    '運送会社',
    '配送業者',
    '택배사',
  ],
  label: [
    'title',
    'label',
    'name',
    'description',
    'item',
    'itemname',
    'product',
    'productname',
    'alias',
    'nickname',
    'contents',
    'bezeichnung',
    'beschreibung',
    'titel',
    'artikel',
    'inhalt',
    'titre',
    'libelle',
    'article',
    'contenu',
    'titulo',
    'descripcion',
    'articulo',
    'producto',
    'descricao',
    'produto',
    'titolo',
    'descrizione',
    'articolo',
    'omschrijving',
    'naam',
    'beskrivelse',
    'beskrivning',
    'nimi',
    'kuvaus',
    'nazwa',
    'opis',
    'nazev',
    'popis',
    'megnevezes',
    'aciklama',
    'название',
    'описание',
    '名称',
    '备注名',
    '商品',
    '品名',
    '상품명',
  ],
  tags: ['tag', 'labels', 'schlagworte', 'etiquettes', 'etiquetas'],
  postalCode: [
    'postcode',
    'zip',
    'zipcode',
    'trackingpostalcode',
    'destinationpostalcode',
    'plz',
    'postleitzahl',
    'codepostal',
    'codigopostal',
    'cap',
    'codiceavviamentopostale',
    'postnummer',
    'postinumero',
    'kodpocztowy',
    'psc',
    '邮编',
    '郵便番号',
    '우편번호',
  ],
  phoneSuffix: ['phone'],
  orderNo: [
    'ordernumber',
    'orderid',
    'order',
    'bestellnummer',
    'bestellnr',
    'auftragsnummer',
    'numerodecommande',
    'commande',
    'numerodepedido',
    'pedido',
    'numeroordine',
    'ordine',
    'bestelnummer',
    'ordernummer',
    'numerzamowienia',
    'номерзаказа',
    '订单号',
    '注文番号',
    '주문번호',
  ],
  country: [],
  shipTime: ['shipdate'],
  email: ['customeremail'],
  remark: [
    'note',
    'notes',
    'comment',
    'comments',
    'memo',
    'notiz',
    'bemerkung',
    'kommentar',
    'remarque',
    'commentaire',
    'nota',
    'comentario',
    'opmerking',
    'uwagi',
    'примечание',
    '备注',
  ],
  custom1: [],
  custom2: [],
  state: [],
  archivedAt: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A field of a row. */
export type ImportColumn = keyof typeof otherNames;

const fields = Object.keys(otherNames) as ImportColumn[];

const byName: ReadonlyMap<string, readonly [field: ImportColumn, rank: number]> = new Map(
  fields.flatMap((field) => {
    const names: readonly string[] = [field, ...otherNames[field]];
    return names.map((name, rank) => [headingForm(name), [field, rank]] as const);
  }),
);

/** A heading as headings are compared: small letters and digits without accents. What stands before a point is a group of keys. */
function headingForm(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/^.*[a-z]\.(?=[a-z])/, '')
    .replaceAll('#', 'number')
    .replaceAll('ł', 'l')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The field of a column heading or a JSON key; null for one that is not known. */
export function columnOf(heading: string): ImportColumn | null {
  return byName.get(headingForm(heading))?.[0] ?? null;
}

/** Which column holds what. */
export interface ColumnPlan {
  /** The field of each column, in their order; null for a column that is not used. */
  readonly columns: readonly (ImportColumn | null)[];
  /** Headings that are not used; empty for a table of ours, which says what the service knows, too. */
  readonly unused: readonly string[];
}

/** Columns that somebody names: the heading of each field. */
export type ColumnMap = ReadonlyMap<ImportColumn, string>;

/**
 * What the columns of a table hold. Of several that could hold the same, the one with the likeliest heading does.
 * Throws a {@link UsageError} when the map names a heading that is not there.
 */
export function planColumns(headings: readonly string[], map: ColumnMap): ColumnPlan {
  const columns = headings.map((): ImportColumn | null => null);
  for (const [field, heading] of map) columns[mappedColumn(headings, heading)] = field;
  const ranked = headings
    .map((heading, index) => ({ index, known: byName.get(headingForm(heading)) }))
    .sort((a, b) => (a.known?.[1] ?? 0) - (b.known?.[1] ?? 0));
  for (const { index, known } of ranked) {
    const field = known?.[0] ?? null;
    if (columns[index] === null && field !== null && !columns.includes(field)) columns[index] = field;
  }
  const isOurs = headings.includes('trackNo');
  const unused = headings.filter((heading, index) => !isOurs && columns[index] === null && heading.trim() !== '');
  return { columns, unused };
}

function mappedColumn(headings: readonly string[], heading: string): number {
  const exact = headings.indexOf(heading);
  const index = exact === -1 ? headings.findIndex((each) => headingForm(each) === headingForm(heading)) : exact;
  if (index !== -1) return index;
  throw new UsageError(
    `There is no column "${heading}"; there are: ${headings.map((each) => `"${each}"`).join(', ')}.`,
  );
}

/**
 * Reads `number=Tracking,label=Item`: which field stands under which heading. A comma in a heading is written in quotes: `label="Item, long"`.
 * Throws a {@link UsageError} for what cannot be read, and for a field that there is none of.
 */
export function readColumnMap(text: string): ColumnMap {
  const map = new Map<ImportColumn, string>();
  for (const part of text.match(/(?:"[^"]*"|[^,"])+/g) ?? []) {
    const [, name = '', heading = ''] = /^\s*([^=]*?)\s*=\s*"?([^"]*)"?\s*$/.exec(part) ?? [];
    if (name === '' || heading.trim() === '') {
      throw new UsageError(
        `--map takes FIELD=HEADING pairs, such as number=Tracking,label=Item; "${part.trim()}" is none.`,
      );
    }
    const field = columnOf(name);
    if (field === null) throw new UsageError(unknownField(name));
    map.set(field, heading.trim());
  }
  return map;
}

function unknownField(name: string): string {
  const known = [
    'number',
    'courier',
    'label',
    'tags',
    'postalCode',
    'phoneSuffix',
    'orderNo',
    'country',
    'shipTime',
    'email',
    'remark',
    'state',
  ];
  const nearest = nearestWord(name, known);
  const hint = nearest === null ? `There are: ${known.join(', ')}.` : `Did you mean ${nearest}?`;
  return `--map knows no field "${name}". ${hint}`;
}
