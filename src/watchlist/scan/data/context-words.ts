/**
 * Beginnings of words for tracking numbers, in small letters without accents, in the languages in which shops and couriers
 * write.
 */
export const parcelNumberWords = `
track, trace, tracing, parcel, package, shipment, shipped, shipping, consignment, waybill, way bill, air waybill, awb, dispatch, courier, carrier, delivery number, delivery no
sendung, paket, versand, sendenummer, sendungsverfolgung, colis, suivi, expedi, envoi, seguimiento, rastre, envio, paquete, localizador, guia, codigo de objeto, encomenda
tracciamento, spedizione, pacco, lettera di vettura, codice spedizione, zending, pakket, barcode, verzendcode, pakke, forsendelse, sporing, sparing, kolli, sandning, forsandelse
paketti, lahetys, lahetystunnus, seuranta, saadetis, przesyl, paczk, list przewozowy, numer listu, zasilk, zasielk, balik, sledov, csomag, kuldemeny, kovetesi, colet, expedi, awb, livrare
kargo, gonderi, takip, siunt, sutij, posiljk, paket, broj posiljke, pratka, dostav, αποστολ, αριθμος αποστολ, трек, отслежив, посылк, отправлен, накладн, відправлен, посилк, ттн, пратка
快递, 快遞, 运单, 運單, 单号, 單號, 物流, 追跡, 追蹤, 伝票, 送り状, 問い合わせ番号, 荷物, 宅配, 운송장, 송장, 등기, 배송, تتبع, شحن, بوليصة, מעקב, משלוח, พัสดุ, van don, resi, nomor resi
`;

/** Beginnings of words for what else is numbered. */
export const otherNumberWords = `
order, invoice, receipt, phone, mobile, tel., tel:, tel , telephone, fax, call , whatsapp, customer, account, iban, bic, vat, tax, isbn, ean, sku, upc, asin, gtin, zip, postcode, postal code, price, total, amount, reference, ref, quantity
ticket, case , case:, case #, article, item no, item num, item #, product, registration, company, member, pin , pin:, payment, transaction, card, serial, model, imei, batch, quote, contract, policy
bestell, rechnung, kunden, telefon, plz, artikel, auftrag, ust, hrb, steuer, konto, beleg, vertrag, kundennummer, commande, facture, client, siret, siren, tva, code postal, pedido, factura, nif, cif, ordine, fattura, partita iva, numero d'ordine
factuur, klant, kvk, btw, ordre, faktura, kunde, tilaus, zamowien, faktur, klient, nip, objednavk, rendeles, szamla, comanda, siparis, fatura, bestellung
заказ, счет, телефон, инн, замовлен, 订单, 訂單, 电话, 電話, 注文, 発注, 주문, 전화, طلب, הזמנה
`;
