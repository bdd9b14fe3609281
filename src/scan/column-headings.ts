import { cleanText } from '../lib/clean-text.ts';

type ImportColumn = keyof typeof otherHeadings;

/**
 * Reduces a heading to lower-case letters without accents, and digits. Drops the part before a dot, as in nested keys.
 */
export function normaliseHeading(heading: string): string {
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
  /** The courier of every parcel in the export. Absent if there may be several. */
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

export function findProfile(headings: readonly string[]): ExportProfile | null {
  const forms = new Set(headings.map(normaliseWholeHeading));
  return (
    profiles.find((profile) =>
      profile.headings.some((set) => set.every((heading) => forms.has(normaliseWholeHeading(heading)))),
    ) ?? null
  );
}

/** Normalises a heading, including the part before a dot. */
const normaliseWholeHeading = (heading: string): string => normaliseHeading(heading.replaceAll('.', ' '));

const fieldNames: Readonly<Partial<Record<ImportColumn, string>>> = {
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
  const parts = (Object.keys(fieldNames) as ImportColumn[]).flatMap((field) => {
    const index = columns.indexOf(field);
    const fieldHeadings = field === 'label' && labels.length > 0 ? labels : index === -1 ? [] : [headings[index] ?? ''];
    const quotedHeadings = fieldHeadings.map((heading) => `"${cleanText(heading).slice(0, 40)}"`).join(' and ');
    return quotedHeadings === '' ? [] : [`${fieldNames[field]} = ${quotedHeadings}`];
  });
  return `Read as ${profile === null ? 'a table' : `an export from ${profile.name}`}: ${parts.join(', ')}`;
}

/**
 * The fields of a row, named as in an export, with other column headings and keys for them, most likely first. They
 * come from several languages and from the files of AfterShip, parcelLab, Shipup, 17TRACK, Parcel, ShipStation, Shippo,
 * Shopify with Matrixify, WooCommerce with its tracking plugins, Amazon, eBay, Etsy, DHL for business customers,
 * Billbee and JTL.
 */
export const otherHeadings = {
  trackNo: `
    trackingno trackingnumber trackingnumbers trackingnum tracking trackingid trackingcode tracknumber tracknum
    parcelnumber packagenumber consignmentnumber waybill waybillnumber awb awbnumber shipmentnumber sendungsnummer
    sendungsnr paketnummer paketscheinnummer trackingnummer numerodesuivi numerodecolis numerosuivi ndesuivi
    numerodeseguimiento numerodeenvio seguimiento codigodeseguimiento numerodirastreamento codigoderastreio
    codigoderastreamento rastreio numeroditracking numerotracking numerodispedizione codicespedizione zendingnummer
    trackentracecode trackandtrace tracktrace barcode kollinummer kollinr sandningsnummer sporingsnummer sporingsnr
    forsendelsesnummer seurantakoodi seurantanumero lahetystunnus numerprzesylki numersledzenia cislozasilky
    trackingoveciislo csomagszam nyomkovetesiszam takipno takipnumarasi kargotakipno трекномер треккод
    номеротслеживания номеротправления 运单号 快递单号 物流单号 单号 追跡番号 伝票番号 送り状番号 お問い合わせ番号 운송장번호 송장번호 number parcel nummer
    numero trackingnr trackingnumberid sendungscode sendungsid sendungskennung sendung sendungsverfolgung
    sendungsverfolgungsnummer paketnr paketid paketnummern kennung sendungsnummern shipmenttrackingnumber
    shipmenttrackingid shipmenttracking carriertrackingnumber packagetrackingnumber trackingids identcode
  `,
  courierCode: `
    courier carriercode carrier slug carriername couriername shippingcarrier shippingprovider provider
    versanddienstleister versender zusteller paketdienst dienstleister transporteur transportista transportadora
    empresadetransporte mensajeria corriere vettore vervoerder transportor transportør kuljetusliike kurier
    przewoznik dopravce futarszolgalat kargofirmasi перевозчик 承运商 快递公司 物流公司 運送会社 配送業者 택배사 versanddienst
    versandunternehmen versandfirma lieferdienst kurierdienst paketdienstleister logistiker spediteur
    shippingcompany shippingservice deliverycompany deliveryservice wer trackingcompany trackingprovider
    trackingcarrier shipmentcarrier shippingcarriername logistikdienstleister versandanbieter versandart
  `,
  label: `
    title label name description item itemname lineitemname itemtitle linetitle lineitemtitle listingtitle
    producttitle angebotstitel artikeltitel empfangername1 empfangername product productname alias nickname contents
    bezeichnung beschreibung titel artikel inhalt titre libelle article contenu titulo descripcion articulo producto
    descricao produto titolo descrizione articolo omschrijving naam beskrivelse beskrivning nimi kuvaus nazwa opis
    nazev popis megnevezes aciklama название описание 名称 备注名 商品 品名 상품명 was produkt produktname produktbezeichnung
    artikelname artikelbezeichnung artikelbeschreibung ware gegenstand sache content what produit designation
    contenido contenuto inhoud innehall sisalto zawartosc obsah recipientname recipient empfanger shiptoname
    shippingname shipname kundenname customername buyername fullname shiptocompanyorname shipmenttoname
  `,
  tags: `
    tag labels schlagworte etiquettes etiquetas schlagwort stichwort stichworte kategorie kategorien category
    categories etiketten
  `,
  postalCode: `
    postcode zip zipcode trackingpostalcode destinationpostalcode plz postleitzahl codepostal codigopostal cap
    codiceavviamentopostale postnummer postinumero kodpocztowy psc empfangerplz lieferplz versandplz
    lieferadresseplz shippingzip shippingpostcode postcodeshipping zipshipping shippingpostalcode shippostalcode shipzipcode shipzip shiptozip
    shiptopostalcode shiptopostcode recipientzip recipientpostcode recipientpostalcode deliverypostcode 邮编 郵便番号 우편번호
  `,
  phoneSuffix: 'phone',
  orderNo: `
    ordernumber orderid order bestellnummer bestellnr auftragsnummer numerodecommande commande numerodepedido pedido
    numeroordine ordine bestelnummer ordernummer numerzamowienia номерзаказа 订单号 注文番号 주문번호 bestellung auftrag
    bestellungsnummer amazonorderid merchantorderid externalorderid externeauftragsnummer auftragsnr ordernr
    orderreference sendungsreferenz salesrecordnumber packagereference1 referencenumber1 channelreference
  `,
  country: '',
  shipTime: 'shipdate',
  email: 'customeremail',
  note: '',
  remark: `
    notes comment comments memo notiz bemerkung kommentar remarque commentaire nota comentario opmerking uwagi
    примечание 备注 anmerkung anmerkungen hinweis notizen bemerkungen
  `,
  custom1: '',
  custom2: '',
  state: '',
  archivedAt: 'archived isarchived archiviert archive archivado archiviato gearchiveerd',
} as const satisfies Readonly<Record<string, string>>;
