/** Names of parameters, in small letters without signs, in which couriers' and shops' links hold a tracking number and nothing else. */
export const numberParameters = `
tracknum tracknums tracknumber tracknumbers trackno tracknos trackingno trackingnos trackingnum trackingnums trackingnumber trackingnumbers trackingid trackingids trackingcode
trackid trackcode trknbr trknbrs tracknbr tracking trackids numtracking tlabels strorigtracknum inquirynumber inquirynumber1 awb awbs awbno awbnumber waybill waybillno waybillnumber waybillcodes
parcelnumber parcelnumbers parcelno parcelid parcel pacelnumber packageid shipmentnumber shipmentid shipmentno shipment consignment consignmentnumber consignmentno connote con cons conno
barcode barcodes barcodenumber piececode idc objeto objetos mailno mailnolist mailnum itemcode itemid sendungsnummer paketnummer snr formsendungsnummer zendingnummer kolli kollinummer
numerodeenvio numeroenvio numenvio numeroexpedition expedition exp chronono chrononumbers listechrononumero colis codecolis numerocolis suivi numero numer numerprzesylki zasilka cislozasilky
billcode txtbill nums trackingnr sendungsnr lstrackno reqcodeno1 postcode1no okurijono number01 trackingnumberinput searchvalue searchfor parcelcode codigo codigos guia guias referencia
`;

/** Names that hold other things, too: a number in them is believed at a courier's own site only. */
export const looseParameters = `
id q s n no nr num number numbers code codes search searchid key ref reference refnumber tid match query value item items track t p pid nummer kod details waybillid shipmentreference
`;

/** Words in the path of a tracking page. */
export const trackingPathWords = `
track trace suivi suivre seguimiento rastre localizador localiza tracking sendung verfolg paket tracc cerca sporing sporen spor zending volg sledovani zasilk przesyl parcel shipment colis lahetys
`;

/** Sites that follow parcels of any courier. A courier may be named beside the number. */
export const trackerSites = `
17track.net track123.com aftership.com aftership.io parcelsapp.com trackingmore.com ship24.com parcelmonitor.com parcelperform.com parcellab.com narvar.com narvar.eu pkge.net ordertracker.com
postal.ninja trackglobal.com packageradar.com parcelradar.com packagetrackr.com route.com shippo.com goshippo.com easypost.com shipstation.com sendcloud.sc sendcloud.com shipup.co wonderment.com
malomo.com gotrackier.com parcelpanel.com 24track.com parceltrack.de paketda.de parcello.org trackcourier.io
`;

/** Parameters that name a courier. */
export const courierParameters = `courier carrier couriercode carriercode slug provider fc carriername couriername logistics`;
