/**
 * The fields of a row, named as in an export, with other column headings and keys for them, most likely first. They come
 * from several languages and from the files of AfterShip, parcelLab, Shipup, 17TRACK, Parcel, ShipStation,
 * Shippo, Shopify with Matrixify, WooCommerce with its tracking plugins, Amazon, eBay, Etsy, DHL for business
 * customers, Billbee and JTL.
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
