import type { WireCourier } from '../service/wire.ts';
import { isLanguage, type Language } from './wording.ts';

/**
 * Reach: `world` couriers deliver between any two countries, `post` is the national postal service, `export` couriers
 * ship abroad from their country, and `domestic` couriers deliver within it.
 */
export const courierTable = `
code              | nameEN                  | nameCN            | country | reach | language | homePage                  | linkTemplate
ups               | UPS                     | UPS联合包裹       | US | world    | en | https://www.ups.com              | https://www.ups.com/track?tracknum={trackNo}
fedex             | FedEx                   | 联邦快递          | US | world    | en | https://www.fedex.com            | https://www.fedex.com/fedextrack/?trknbr={trackNo}
dhl               | DHL Express             | DHL国际快递       | DE | world    | en | https://www.dhl.com              | https://www.dhl.com/en/express/tracking.html?AWB={trackNo}
tnt               | TNT                     | TNT快递           | NL | world    | en | https://www.tnt.com              | https://www.tnt.com/express/en_us/site/tracking.html?searchType=con&cons={trackNo}
aramex            | Aramex                  | 阿拉迈克斯        | AE | world    | en | https://www.aramex.com           | https://www.aramex.com/track/results?ShipmentNumber={trackNo}
usps              | USPS                    | 美国邮政          | US | post     | en | https://www.usps.com             | https://tools.usps.com/go/TrackConfirmAction?tLabels={trackNo}
china-post        | China Post              | 中国邮政          | CN | post     | zh | https://www.chinapost.com.cn     | https://yjcx.chinapost.com.cn/qps/yjcx?mailNo={trackNo}
china-ems         | China EMS               | 中国EMS           | CN | export   | zh | https://www.ems.com.cn           | https://www.ems.com.cn/queryList?mailNum={trackNo}
hong-kong-post    | Hongkong Post           | 香港邮政          | HK | post     | en | https://www.hongkongpost.hk      | https://webapp.hongkongpost.hk/en/mail_tracking/index.html?trackcode={trackNo}
taiwan-post       | Chunghwa Post           | 中华邮政          | TW | post     | zh | https://www.post.gov.tw          | https://postserv.post.gov.tw/pstmail/main_mail.html?id={trackNo}
japan-post        | Japan Post              | 日本邮政          | JP | post     | ja | https://www.post.japanpost.jp    | https://trackings.post.japanpost.jp/services/srv/search/direct?reqCodeNo1={trackNo}
korea-post        | Korea Post              | 韩国邮政          | KR | post     | ko | https://www.epost.go.kr          | https://service.epost.go.kr/trace.RetrieveEmsRigiTraceList.comm?POST_CODE={trackNo}
thailand-post     | Thailand Post           | 泰国邮政          | TH | post     | th | https://www.thailandpost.co.th   | https://track.thailandpost.co.th/?trackNumber={trackNo}
vietnam-post      | Vietnam Post            | 越南邮政          | VN | post     | en | https://www.vnpost.vn            | https://www.vnpost.vn/en-us/dinh-vi/buu-pham?key={trackNo}
singapore-post    | Singapore Post          | 新加坡邮政        | SG | post     | en | https://www.singpost.com         | https://www.singpost.com/track-items?trackNums={trackNo}
malaysia-post     | Pos Malaysia            | 马来西亚邮政      | MY | post     | en | https://www.pos.com.my           | https://tracking.pos.com.my/tracking/{trackNo}
phlpost           | PHLPost                 | 菲律宾邮政        | PH | post     | en | https://phlpost.gov.ph           | https://tracking.phlpost.gov.ph/?trackno={trackNo}
india-post        | India Post              | 印度邮政          | IN | post     | en | https://www.indiapost.gov.in     | https://www.indiapost.gov.in/track?id={trackNo}
emirates-post     | Emirates Post           | 阿联酋邮政        | AE | post     | en | https://www.emiratespost.ae      | https://www.emiratespost.ae/all-services/track-a-package?q={trackNo}
saudi-post        | Saudi Post              | 沙特邮政          | SA | post     | en | https://splonline.com.sa         | https://splonline.com.sa/en/shipmentdetailsstatic/?tid={trackNo}
egypt-post        | Egypt Post              | 埃及邮政          | EG | post     | en | https://www.egyptpost.org        | https://egyptpost.gov.eg/en-us/home/eservices/track-and-trace/?barcode={trackNo}
israel-post       | Israel Post             | 以色列邮政        | IL | post     | en | https://www.israelpost.co.il     | https://mypost.israelpost.co.il/itemtrace?itemcode={trackNo}
turkey-post       | PTT                     | 土耳其邮政        | TR | post     | en | https://www.ptt.gov.tr           | https://gonderitakip.ptt.gov.tr/Track/Verify?q={trackNo}
russian-post      | Russian Post            | 俄罗斯邮政        | RU | post     | en | https://www.pochta.ru            | https://www.pochta.ru/tracking?barcode={trackNo}
ukrposhta         | Ukrposhta               | 乌克兰邮政        | UA | post     | en | https://www.ukrposhta.ua         | https://track.ukrposhta.ua/tracking_EN.html?barcode={trackNo}
deutsche-post     | Deutsche Post           | 德国邮政          | DE | post     | de | https://www.deutschepost.de      | https://www.deutschepost.de/sendung/simpleQuery.html?form.sendungsnummer={trackNo}
austria-post      | Österreichische Post    | 奥地利邮政        | AT | post     | de | https://www.post.at              | https://www.post.at/sv/sendungsdetails?snr={trackNo}
swiss-post        | Swiss Post              | 瑞士邮政          | CH | post     | de | https://www.post.ch              | https://service.post.ch/ekp-web/ui/entry/search/{trackNo}
la-poste          | La Poste                | 法国邮政          | FR | post     | fr | https://www.laposte.fr           | https://www.laposte.fr/outils/suivre-vos-envois?code={trackNo}
bpost             | bpost                   | 比利时邮政        | BE | post     | fr | https://www.bpost.be             | https://track.bpost.cloud/btr/web/#/search?itemCode={trackNo}
postnl            | PostNL                  | 荷兰邮政          | NL | post     | en | https://www.postnl.nl            | https://jouw.postnl.nl/track-and-trace/{trackNo}
royal-mail        | Royal Mail              | 英国皇家邮政      | GB | post     | en | https://www.royalmail.com        | https://www.royalmail.com/track-your-item#/tracking-results/{trackNo}
an-post           | An Post                 | 爱尔兰邮政        | IE | post     | en | https://www.anpost.com           | https://www.anpost.com/Post-Parcels/Track/History?item={trackNo}
correos           | Correos                 | 西班牙邮政        | ES | post     | es | https://www.correos.es           | https://www.correos.es/es/es/herramientas/localizador/envios/detalle?tracking-number={trackNo}
ctt               | CTT                     | 葡萄牙邮政        | PT | post     | en | https://www.ctt.pt               | https://appserver.ctt.pt/CustomerArea/PublicArea_Detail?ObjectCodeInput={trackNo}
poste-italiane    | Poste Italiane          | 意大利邮政        | IT | post     | en | https://www.poste.it             | https://www.poste.it/cerca/index.html#/risultati-spedizioni/{trackNo}
poczta-polska     | Poczta Polska           | 波兰邮政          | PL | post     | en | https://www.poczta-polska.pl     | https://emonitoring.poczta-polska.pl/?numer={trackNo}
czech-post        | Czech Post              | 捷克邮政          | CZ | post     | en | https://www.ceskaposta.cz        | https://www.postaonline.cz/en/trackandtrace/-/zasilka/cislo?parcelNumbers={trackNo}
romania-post      | Poșta Română            | 罗马尼亚邮政      | RO | post     | en | https://www.posta-romana.ro      | https://www.posta-romana.ro/track-trace.html?track={trackNo}
elta              | ELTA Hellenic Post      | 希腊邮政          | GR | post     | en | https://www.elta.gr              | https://itemsearch.elta.gr/en-GB/Query/Direct/{trackNo}
sweden-posten     | PostNord Sweden         | 瑞典邮政          | SE | post     | en | https://www.postnord.se          | https://tracking.postnord.com/en/tracking?id={trackNo}
denmark-post      | PostNord Denmark        | 丹麦邮政          | DK | post     | en | https://www.postnord.dk          | https://tracking.postnord.com/dk/tracking?id={trackNo}
norway-post       | Posten Norge            | 挪威邮政          | NO | post     | en | https://www.posten.no            | https://sporing.posten.no/sporing/{trackNo}
finland-posti     | Posti                   | 芬兰邮政          | FI | post     | en | https://www.posti.fi             | https://www.posti.fi/en/tracking#/lahetys/{trackNo}
canada-post       | Canada Post             | 加拿大邮政        | CA | post     | en | https://www.canadapost-postescanada.ca | https://www.canadapost-postescanada.ca/track-reperage/en#/details/{trackNo}
correos-mexico    | Correos de México       | 墨西哥邮政        | MX | post     | es | https://www.correosdemexico.gob.mx | https://www.correosdemexico.gob.mx/SSLServicios/SeguimientoEnvio/Seguimiento.aspx?guia={trackNo}
correios          | Correios                | 巴西邮政          | BR | post     | en | https://www.correios.com.br      | https://rastreamento.correios.com.br/app/index.php?objeto={trackNo}
correo-argentino  | Correo Argentino        | 阿根廷邮政        | AR | post     | es | https://www.correoargentino.com.ar | https://www.correoargentino.com.ar/formularios/e-commerce?id={trackNo}
correos-chile     | Correos Chile           | 智利邮政          | CL | post     | es | https://www.correos.cl           | https://www.correos.cl/web/guest/seguimiento-en-linea?codigos={trackNo}
australia-post    | Australia Post          | 澳大利亚邮政      | AU | post     | en | https://auspost.com.au           | https://auspost.com.au/mypost/track/#/details/{trackNo}
new-zealand-post  | NZ Post                 | 新西兰邮政        | NZ | post     | en | https://www.nzpost.co.nz         | https://www.nzpost.co.nz/tools/tracking/item/{trackNo}
south-africa-post | South African Post Office | 南非邮政        | ZA | post     | en | https://www.postoffice.co.za     | https://tracking.postoffice.co.za/TrackNTrace/TrackNTrace.aspx?id={trackNo}
nigeria-post      | NIPOST                  | 尼日利亚邮政      | NG | post     | en | https://www.nipost.gov.ng        | https://www.nipost.gov.ng/track/{trackNo}
yanwen            | Yanwen                  | 燕文物流          | CN | export   | en | https://www.yw56.com.cn          | https://track.yw56.com.cn/en/querydel?nums={trackNo}
yunexpress        | YunExpress              | 云途物流          | CN | export   | en | https://www.yunexpress.com       | https://www.yuntrack.com/parcelTracking?id={trackNo}
4px               | 4PX                     | 递四方            | CN | export   | en | https://www.4px.com              | https://track.4px.com/#/result/0/{trackNo}
cainiao           | Cainiao                 | 菜鸟              | CN | export   | en | https://global.cainiao.com       | https://global.cainiao.com/newDetail.htm?mailNoList={trackNo}
sunyou            | SunYou                  | 顺友物流          | CN | export   | en | https://www.sypost.com           | https://www.sypost.net/search?orderNo={trackNo}
wanb-express      | Wanb Express            | 万邦速达          | CN | export   | en | https://www.wanbexpress.com      | https://tracking.wanbexpress.com/?trackingNumbers={trackNo}
anjun             | Anjun Logistics         | 安骏物流          | CN | export   | zh | https://www.szanjun.com          | https://www.szanjuntrack.com/?number={trackNo}
jcex              | JCEX                    | 佳成国际          | CN | export   | zh | https://www.jcex.com             | https://www.jcex.com/track?no={trackNo}
sfb2c             | SF International        | 顺丰国际          | CN | export   | zh | https://www.sf-international.com | https://www.sf-international.com/us/en/dynamic_function/waybill/#search/bill-number/{trackNo}
sto               | STO Express             | 申通快递          | CN | domestic | zh | https://www.sto.cn               | https://www.sto.cn/pc/service-page/iframe?index=0&billcode={trackNo}
zto               | ZTO Express             | 中通快递          | CN | domestic | zh | https://www.zto.com              | https://www.zto.com/express/expressCheck.html?txtBill={trackNo}
yto               | YTO Express             | 圆通速递          | CN | domestic | zh | https://www.yto.net.cn           | https://www.yto.net.cn/tracesimple.html?no={trackNo}
yunda             | Yunda Express           | 韵达快递          | CN | domestic | zh | https://www.yundaex.com          | https://www.yundaex.com/cn/track.php?number={trackNo}
jd-logistics      | JD Logistics            | 京东物流          | CN | domestic | zh | https://www.jdl.com              | https://www.jdl.com/orderSearch/?waybillCodes={trackNo}
debang            | Deppon                  | 德邦快递          | CN | domestic | zh | https://www.deppon.com           | https://www.deppon.com/newwebsite/track/ordertrack?no={trackNo}
dhl-germany       | DHL Germany             | 德国DHL           | DE | domestic | de | https://www.dhl.de               | https://www.dhl.de/de/privatkunden/dhl-sendungsverfolgung.html?piececode={trackNo}
hermes            | Hermes Germany          | 德国Hermes        | DE | domestic | de | https://www.myhermes.de          | https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation/#{trackNo}
gls               | GLS                     | GLS               | DE | domestic | de | https://gls-group.com            | https://gls-group.com/GROUP/en/parcel-tracking?match={trackNo}
dpd               | DPD                     | DPD               | DE | domestic | de | https://www.dpd.com              | https://tracking.dpd.de/status/en_US/parcel/{trackNo}
evri              | Evri                    | Evri              | GB | domestic | en | https://www.evri.com             | https://www.evri.com/track/parcel/{trackNo}
yodel             | Yodel                   | Yodel             | GB | domestic | en | https://www.yodel.co.uk          | https://www.yodel.co.uk/tracking/{trackNo}
dpd-uk            | DPD UK                  | 英国DPD           | GB | domestic | en | https://www.dpd.co.uk            | https://track.dpd.co.uk/search?reference={trackNo}
chronopost        | Chronopost              | Chronopost        | FR | domestic | fr | https://www.chronopost.fr        | https://www.chronopost.fr/tracking-no-cms/suivi-page?listeNumerosLT={trackNo}
mondialrelay      | Mondial Relay           | Mondial Relay     | FR | domestic | fr | https://www.mondialrelay.fr      | https://www.mondialrelay.fr/suivi-de-colis?numeroExpedition={trackNo}
colis-prive       | Colis Privé             | Colis Privé       | FR | domestic | fr | https://www.colisprive.com       | https://www.colisprive.com/moncolis/pages/detailColis.aspx?numColis={trackNo}
seur              | SEUR                    | SEUR              | ES | domestic | es | https://www.seur.com             | https://www.seur.com/livetracking/?segOnlineIdentificador={trackNo}
gls-spain         | GLS Spain               | 西班牙GLS         | ES | domestic | es | https://www.gls-spain.es         | https://www.gls-spain.es/en/receive-parcels/shipping-tracking/?match={trackNo}
inpost-poland     | InPost                  | InPost            | PL | domestic | en | https://inpost.pl                | https://inpost.pl/en/find-parcel?number={trackNo}
brt               | BRT                     | BRT               | IT | domestic | en | https://www.brt.it               | https://vas.brt.it/vas/sped_det_show.hsm?referer=sped_numspe_par.htm&Nspediz={trackNo}
nova-poshta       | Nova Post               | Nova Poshta       | UA | domestic | en | https://novaposhta.ua            | https://tracking.novaposhta.ua/#/uk/{trackNo}
amazon-logistics  | Amazon Logistics        | 亚马逊物流        | US | domestic | en | https://www.amazon.com           | https://track.amazon.com/tracking/{trackNo}
ontrac            | OnTrac                  | OnTrac            | US | domestic | en | https://www.ontrac.com           | https://www.ontrac.com/tracking/?number={trackNo}
lasership         | LaserShip               | LaserShip         | US | domestic | en | https://www.lasership.com        | https://www.lasership.com/track/{trackNo}
purolator         | Purolator               | Purolator         | CA | domestic | en | https://www.purolator.com        | https://www.purolator.com/en/shipping/tracker?pin={trackNo}
estafeta          | Estafeta                | Estafeta          | MX | domestic | es | https://www.estafeta.com         | https://www.estafeta.com/rastrear-envio?guia={trackNo}
jtexpress-mx      | J&T Express Mexico      | 墨西哥极兔速递    | MX | domestic | es | https://www.jtexpress.mx         | https://www.jtexpress.mx/trajectoryQuery?waybillNo={trackNo}
yamato            | Yamato Transport        | 黑猫宅急便        | JP | domestic | ja | https://www.kuronekoyamato.co.jp | https://jizen.kuronekoyamato.co.jp/jizen/servlet/crjz.b.NQ0010?id={trackNo}
sagawa            | Sagawa Express          | 佐川急便          | JP | domestic | ja | https://www.sagawa-exp.co.jp     | https://k2k.sagawa-exp.co.jp/p/web/okurijosearch.do?okurijoNo={trackNo}
cj-logistics      | CJ Logistics            | CJ大韩通运        | KR | domestic | ko | https://www.cjlogistics.com      | https://trace.cjlogistics.com/next/tracking.html?wblNo={trackNo}
flash-express     | Flash Express           | 闪电快递          | TH | domestic | th | https://www.flashexpress.co.th   | https://www.flashexpress.co.th/fle/tracking?se={trackNo}
kerry-express     | Kerry Express Thailand  | 泰国嘉里快递      | TH | domestic | th | https://th.kerryexpress.com      | https://th.kerryexpress.com/en/track/?track={trackNo}
ninja-van         | Ninja Van               | 能者物流          | SG | domestic | en | https://www.ninjavan.co          | https://www.ninjavan.co/en-sg/tracking?id={trackNo}
jt-express        | J&T Express             | 极兔速递          | MY | domestic | en | https://www.jtexpress.my         | https://www.jtexpress.my/tracking/{trackNo}
delhivery         | Delhivery               | Delhivery         | IN | domestic | en | https://www.delhivery.com        | https://www.delhivery.com/track/package/{trackNo}
smsa-express      | SMSA Express            | SMSA Express      | SA | domestic | en | https://www.smsaexpress.com      | https://www.smsaexpress.com/trackingdetails?tracknumbers={trackNo}
startrack         | StarTrack               | StarTrack         | AU | domestic | en | https://startrack.com.au         | https://startrack.com.au/track/details/{trackNo}
`;

/** Parses a text table: rows are lines, `|` separates cells, and the first line names the columns. */
export function parseTable<Column extends string>(text: string): readonly Readonly<Record<Column, string>>[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [columns = [], ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map(
    (cells) =>
      Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Record<Column, string>,
  );
}

type Reach = 'world' | 'post' | 'export' | 'domestic';

export interface Courier {
  readonly code: string;
  readonly nameEN: string;
  readonly nameCN: string;
  /** Two-letter country code. */
  readonly country: string;
  readonly reach: Reach;
  readonly language: Language;
  readonly homePage: string;
  /** `{trackNo}` stands for the number. */
  readonly linkTemplate: string;
}

const isReach = (text: string): text is Reach => ['world', 'post', 'export', 'domestic'].includes(text);

export const couriers: readonly Courier[] = parseTable<keyof Courier>(courierTable).map((row) => ({
  ...row,
  reach: isReach(row.reach) ? row.reach : 'domestic',
  language: isLanguage(row.language) ? row.language : 'en',
}));

export const couriersByCode: ReadonlyMap<string, Courier> = new Map(couriers.map((courier) => [courier.code, courier]));

export const postsByCountry: ReadonlyMap<string, Courier> = new Map(
  couriers.filter((courier) => courier.reach === 'post').map((courier) => [courier.country, courier]),
);

export const toWireFields = ({ code, nameCN, nameEN, homePage }: Courier) => ({
  courierCode: code,
  courierNameCN: nameCN,
  courierNameEN: nameEN,
  courierHomePage: homePage,
});

export function trackingLink(courier: Courier, trackNo: string): string {
  return courier.linkTemplate.replace('{trackNo}', encodeURIComponent(trackNo));
}

/**
 * Most specific first. Numbers with only ten, eleven, twelve or fourteen digits get the most likely courier, as in the
 * public service. Formats for Cainiao (LP), JJD and Evri are missing because the public service does not detect them.
 */
const numberFormats: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/^1Z[0-9A-Z]{16}$/, 'ups'],
  [/^E[A-Z]\d{9}CN$/, 'china-ems'],
  [/^4PX\d{13}CN$/, '4px'],
  [/^SF\d{12,15}$/, 'sfb2c'],
  [/^YT\d{16}$/, 'yunexpress'],
  [/^YT\d{13}$/, 'yto'],
  [/^U[A-Z]\d{9}YP$/, 'yanwen'],
  [/^SY[A-Z]{2}\d{9,12}$/, 'sunyou'],
  [/^JD[A-Z]?\d{12,13}$/, 'jd-logistics'],
  [/^DPK\d{12}$/, 'debang'],
  [/^TBA\d{12}$/, 'amazon-logistics'],
  [/^1LS\d{12}$/, 'lasership'],
  [/^[CD]\d{14}$/, 'ontrac'],
  [/^9[2-5]\d{20}$/, 'usps'],
  [/^00340434\d{12}$/, 'dhl-germany'],
  [/^JVGL\d{10,20}$/, 'dhl-germany'],
  [/^3S[A-Z]{4}\d{7,9}$/, 'postnl'],
  [/^6[A-Z]\d{11}$/, 'la-poste'],
  [/^TH[0-9A-Z]{11,14}$/, 'flash-express'],
  [/^KE[RX]\d{9,13}$/, 'kerry-express'],
  [/^NV[A-Z]{2}\d{9,13}$/, 'ninja-van'],
  [/^H\d{19}$/, 'hermes'],
  [/^78\d{13}$/, 'sto'],
  [/^7\d{13}$/, 'zto'],
  [/^\d{10}$/, 'dhl'],
  [/^\d{11}$/, 'aramex'],
  [/^\d{12}$/, 'fedex'],
  [/^\d{14}$/, 'dpd'],
  [/^\d{24}$/, 'inpost-poland'],
];

/** Universal Postal Union S10: the last two letters are the country code of the issuing post. */
const s10 = /^[A-Z]{2}\d{9}([A-Z]{2})$/;

/** Ignores case. Returns null if no format matches. */
export function detectCourier(trackNo: string): Courier | null {
  const number = trackNo.toUpperCase();
  const format = numberFormats.find(([pattern]) => pattern.test(number));
  if (format !== undefined) return couriersByCode.get(format[1]) ?? null;
  const country = s10.exec(number)?.[1];
  return country === undefined ? null : (postsByCountry.get(country) ?? null);
}

/** The public service's list also contains rows without a code or without names. */
const incompleteRows: readonly WireCourier[] = [
  { courierCode: null, courierNameCN: '未命名承运商', courierNameEN: null, courierHomePage: null },
  { courierCode: '', courierNameCN: null, courierNameEN: '', courierHomePage: '' },
];

function regionalCourier(index: number): Courier {
  const number = String(index + 1).padStart(4, '0');
  const template = couriers[index % couriers.length];
  return {
    code: `regional-courier-${number}`,
    nameEN: `Regional Courier ${number}`,
    nameCN: `区域快递 ${number}`,
    country: template?.country ?? 'CN',
    reach: 'domestic',
    language: template?.language ?? 'en',
    homePage: `https://regional-courier-${number}.example`,
    linkTemplate: `https://regional-courier-${number}.example/track?number={trackNo}`,
  };
}

/** Leaves out some names and codes, as the public service's list does. */
function regionalRow(courier: Courier, index: number): WireCourier {
  const row = toWireFields(courier);
  if (index % 97 === 5) return { ...row, courierCode: index % 2 === 0 ? null : '' };
  if (index % 13 === 3) return { ...row, courierNameEN: index % 2 === 0 ? null : '' };
  if (index % 17 === 4) return { ...row, courierNameCN: null };
  return index % 29 === 6 ? { ...row, courierHomePage: null } : row;
}

/**
 * Adds fictional regional couriers until the list has `minRows` rows. Numbers can be registered under all listed codes.
 */
export function courierCatalogue(minRows: number) {
  const baseRows = [...couriers.map(toWireFields), ...incompleteRows];
  const regional = Array.from({ length: Math.max(0, minRows - baseRows.length) }, (_, index) => regionalCourier(index));
  return {
    byCode: new Map([...couriersByCode, ...regional.map((courier) => [courier.code, courier] as const)]),
    rows: [...baseRows, ...regional.map(regionalRow)],
  };
}
