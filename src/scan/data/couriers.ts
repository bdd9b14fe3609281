/**
 * One courier per line: key | English name | codes under which the service may list it, most likely first | names that
 * occur in texts | sites | ISO 3166-1 country if it is a national post. Number formats use the same keys. The service's
 * list takes precedence over the codes.
 */
export const courierTable = `
amazon | Amazon Logistics | amazon, amazon-logistics, amazon-us | amazon | amazon.com, amazon.de, amazon.co.uk, amazon.fr, amazon.it, amazon.es, amazon.ca, amazon.co.jp, track.amazon.com
canada_post | Canada Post | canada-post | canada post, postes canada | canadapost.ca, canadapost-postescanada.ca | CA
canpar | Canpar | canpar, canpar-courier | canpar | canpar.com, canpar.ca
dhl | DHL Express | dhl, dhl-express | dhl, dhl express | dhl.com, mydhl.express.dhl
dhl_paket | DHL Paket | dhl-germany, dhl-de, deutsche-post-dhl, dhl-paket | dhl paket, deutsche post dhl, dhl germany | dhl.de
dhl_ecommerce | DHL eCommerce | dhl-ecommerce, dhl-global-mail, dhlglobalmail | dhl ecommerce, dhl global mail | webtrack.dhlecs.com, webtrack.dhlglobalmail.com, ecommerceportal.dhl.com
dhl_parcel_nl | DHL Parcel NL | dhl-netherlands, dhl-parcel-nl, dhl-nl | dhl parcel nl, dhl netherlands | dhlparcel.nl, my.dhlecommerce.nl
dhl_parcel_uk | DHL Parcel UK | dhl-uk, dhl-parcel-uk | dhl parcel uk, uk mail | dhlparcel.co.uk, track.dhlparcel.co.uk
dpd | DPD | dpd, dpd-de | dpd | dpd.com, dpd.de, dpdgroup.com, my.dpd.de, tracking.dpd.de
dpd_uk | DPD UK | dpd-uk, dpduk | dpd uk, dpd local | dpd.co.uk, dpdlocal.co.uk
dpd_fr | DPD France | dpd-france, dpd-fr, exapaq | dpd france, exapaq | dpd.fr, trace.dpd.fr
fedex | FedEx | fedex | fedex, federal express, fed ex | fedex.com
gofo | GOFO Express | gofo, gofo-express, cirro | gofo | gofoexpress.com, gofo.com
landmark | Landmark Global | landmark-global, landmarkglobal | landmark global | landmarkglobal.com
lasership | LaserShip | lasership, ontrac | lasership | lasership.com
old_dominion | Old Dominion Freight Line | old-dominion, odfl, old-dominion-freight-line | old dominion | odfl.com
ontrac | OnTrac | ontrac | ontrac | ontrac.com
purolator | Purolator | purolator | purolator | purolator.com
speedee | Spee-Dee Delivery | speedee, spee-dee, speedee-delivery | spee-dee, speedee | speedeedelivery.com
ups | UPS | ups | ups, united parcel service | ups.com
usps | USPS | usps | usps, united states postal service, us postal service | usps.com | US
yodel | Yodel | yodel | yodel | yodel.co.uk
yunexpress | YunExpress | yunexpress, yun-express | yunexpress, yuntrack, yun express | yuntrack.com, yunexpress.com
china_post | China Post | china-post | china post, 中国邮政 | chinapost.com.cn | CN
china_ems | China EMS | china-ems, ems | china ems, ems | ems.com.cn
hongkong_post | Hongkong Post | hong-kong-post, hongkong-post | hongkong post, hong kong post | hongkongpost.hk, hongkongpost.com | HK
taiwan_post | Chunghwa Post | taiwan-post, chunghwa-post | chunghwa post, taiwan post | post.gov.tw | TW
japan_post | Japan Post | japan-post | japan post, 日本郵便, ゆうパック | japanpost.jp | JP
korea_post | Korea Post | korea-post | korea post, 우체국 | epost.go.kr, epost.kr | KR
thailand_post | Thailand Post | thailand-post | thailand post | thailandpost.co.th, thailandpost.com | TH
vietnam_post | Vietnam Post | vietnam-post, vnpost | vietnam post, vnpost | vnpost.vn | VN
singapore_post | Singapore Post | singapore-post, singpost | singapore post, singpost | singpost.com | SG
malaysia_post | Pos Malaysia | malaysia-post, pos-malaysia | pos malaysia, pos laju | pos.com.my | MY
indonesia_post | Pos Indonesia | pos-indonesia, indonesia-post | pos indonesia | posindonesia.co.id | ID
phlpost | PHLPost | phlpost, philippines-post | phlpost | phlpost.gov.ph | PH
india_post | India Post | india-post | india post | indiapost.gov.in | IN
emirates_post | Emirates Post | emirates-post | emirates post | emiratespost.ae | AE
saudi_post | Saudi Post | saudi-post | saudi post, spl | splonline.com.sa | SA
israel_post | Israel Post | israel-post | israel post | israelpost.co.il | IL
turkey_post | PTT | turkey-post, ptt-posta, ptt | ptt kargo, ptt | ptt.gov.tr | TR
russian_post | Russian Post | russian-post | russian post, почта россии | pochta.ru | RU
ukrposhta | Ukrposhta | ukrposhta, ukraine-post | ukrposhta, укрпошта | ukrposhta.ua | UA
belpost | Belpost | belpost, belarus-post | belpost | belpost.by | BY
kazpost | Kazpost | kazakhstan-post, kazpost | kazpost | post.kz, qazpost.kz | KZ
deutsche_post | Deutsche Post | deutsche-post | deutsche post | deutschepost.de, deutschepost.com | DE
austria_post | Österreichische Post | austria-post, austrian-post | österreichische post, post.at, austrian post | post.at | AT
swiss_post | Swiss Post | swiss-post | swiss post, schweizerische post, la poste suisse | post.ch | CH
la_poste | La Poste | la-poste, laposte, colissimo | la poste, colissimo | laposte.fr, colissimo.fr, laposte.net | FR
bpost | bpost | bpost | bpost | bpost.be, track.bpost.cloud, bpost.cloud | BE
postnl | PostNL | postnl | postnl, post nl | postnl.nl, postnl.post, postnl.be, internationalparceltracking.com | NL
luxembourg_post | Post Luxembourg | luxembourg-post, post-luxembourg | post luxembourg | post.lu | LU
royal_mail | Royal Mail | royal-mail | royal mail | royalmail.com | GB
parcelforce | Parcelforce | parcelforce, parcel-force | parcelforce | parcelforce.com
an_post | An Post | an-post | an post | anpost.com, anpost.ie | IE
correos | Correos | correos, correos-spain | correos | correos.es | ES
ctt | CTT | ctt, portugal-ctt | ctt | ctt.pt | PT
poste_italiane | Poste Italiane | poste-italiane | poste italiane | poste.it | IT
poczta_polska | Poczta Polska | poczta-polska | poczta polska, pocztex | poczta-polska.pl, pocztex.pl | PL
czech_post | Czech Post | czech-post | česká pošta, ceska posta, czech post | ceskaposta.cz, postaonline.cz | CZ
slovakia_post | Slovenská pošta | slovakia-post | slovenská pošta | posta.sk | SK
slovenia_post | Pošta Slovenije | slovenia-post | pošta slovenije | posta.si | SI
croatia_post | Hrvatska pošta | croatia-post, hrvatska-posta | hrvatska pošta | posta.hr | HR
serbia_post | Pošta Srbije | serbia-post | pošta srbije | posta.rs | RS
magyar_posta | Magyar Posta | magyar-posta, hungary-post | magyar posta | posta.hu | HU
romania_post | Poșta Română | romania-post, posta-romana | poșta română, posta romana | posta-romana.ro | RO
bulgaria_post | Bulgarian Posts | bulgaria-post, bulgarian-post | bulgarian posts | bgpost.bg | BG
elta | ELTA Hellenic Post | elta, greece-elta | elta | elta.gr, elta-courier.gr | GR
estonia_post | Omniva | omniva, estonia-post | omniva | omniva.ee, omniva.lv, omniva.lt | EE
latvia_post | Latvijas Pasts | latvia-post | latvijas pasts | pasts.lv | LV
lithuania_post | Lietuvos paštas | lithuania-post | lietuvos paštas, lp express | post.lt, lpexpress.lt | LT
sweden_posten | PostNord Sweden | sweden-posten, postnord-sweden, postnord | postnord | postnord.se, postnord.com | SE
denmark_post | PostNord Denmark | denmark-post, postnord-denmark | postnord danmark | postnord.dk | DK
norway_post | Posten Norge | norway-post, posten-norge, bring | posten norge, posten, bring | posten.no, bring.no, bring.com | NO
finland_posti | Posti | finland-posti, posti | posti | posti.fi | FI
iceland_post | Íslandspóstur | iceland-post | íslandspóstur | posturinn.is | IS
malta_post | MaltaPost | malta-post | maltapost | maltapost.com | MT
cyprus_post | Cyprus Post | cyprus-post | cyprus post | cypruspost.post | CY
asendia | Asendia | asendia | asendia | asendia.com, tracking.asendia.com
correos_mexico | Correos de México | correos-mexico | correos de méxico | correosdemexico.gob.mx | MX
correios | Correios | correios, brazil-correios | correios | correios.com.br | BR
correo_argentino | Correo Argentino | correo-argentino | correo argentino | correoargentino.com.ar | AR
correos_chile | Correos Chile | correos-chile | correos chile, correoschile | correos.cl | CL
colombia_post | 4-72 | 4-72, colombia-post | 4-72 | 4-72.com.co | CO
australia_post | Australia Post | australia-post | australia post, auspost | auspost.com.au, startrack.com.au | AU
new_zealand_post | NZ Post | new-zealand-post, nz-post | nz post, new zealand post | nzpost.co.nz | NZ
south_africa_post | South African Post Office | south-africa-post | south african post office | postoffice.co.za | ZA
nigeria_post | NIPOST | nigeria-post | nipost | nipost.gov.ng | NG
egypt_post | Egypt Post | egypt-post | egypt post | egyptpost.org, egyptpost.gov.eg | EG
morocco_post | Poste Maroc | morocco-post, poste-maroc | poste maroc, barid al maghrib | poste.ma | MA
kenya_post | Posta Kenya | kenya-post | posta kenya | posta.co.ke | KE
pakistan_post | Pakistan Post | pakistan-post | pakistan post | pakpost.gov.pk | PK
sri_lanka_post | Sri Lanka Post | sri-lanka-post | sri lanka post | slpost.gov.lk | LK
bangladesh_post | Bangladesh Post | bangladesh-post | bangladesh post | bdpost.gov.bd | BD
macau_post | Macau Post | macau-post | macau post, ctt macau | ctt.gov.mo, macaupost.gov.mo | MO
tnt | TNT | tnt | tnt | tnt.com
aramex | Aramex | aramex | aramex | aramex.com
gls | GLS | gls | gls | gls-group.eu, gls-group.com, gls-pakete.de, gls-us.com
gls_it | GLS Italy | gls-italy, gls-it | gls italy | gls-italy.com
gls_spain | GLS Spain | gls-spain | gls spain | gls-spain.es, gls-spain.com
hermes_de | Hermes Germany | hermes-germany, hermes-de, hermes, myhermes-de | hermes | myhermes.de, hermesworld.com
evri | Evri | evri, hermes-uk, myhermes-uk | evri, myhermes | evri.com, myhermes.co.uk
inpost_pl | InPost | inpost, inpost-pl, inpost-paczkomaty | inpost, paczkomat | inpost.pl
inpost_uk | InPost UK | inpost-uk | inpost uk | inpost.co.uk
inpost_it | InPost Italy | inpost-italy, inpost-it | inpost italia | inpost.it
mondial_relay | Mondial Relay | mondialrelay, mondial-relay | mondial relay | mondialrelay.fr, mondialrelay.com, mondialrelay.be, mondialrelay.es, inpost.fr
colis_prive | Colis Privé | colis-prive | colis privé, colis prive | colisprive.fr, colisprive.com
chronopost | Chronopost | chronopost, chronopost-france | chronopost | chronopost.fr
relais_colis | Relais Colis | relais-colis | relais colis | relaiscolis.com
seur | SEUR | seur, spanish-seur | seur | seur.com
mrw | MRW | mrw-spain, mrw | mrw | mrw.es
correos_express | Correos Express | correos-express | correos express | correosexpress.com
nacex | NACEX | nacex, nacex-spain | nacex | nacex.es, nacex.com
brt | BRT | brt, brt-bartolini, bartolini | brt, bartolini | brt.it
sda | SDA | italy-sda, sda | sda | sda.it
packeta | Packeta | packeta, zasilkovna | packeta, zásilkovna, zasilkovna | packeta.com, zasilkovna.cz, tracking.packeta.com
ppl_cz | PPL CZ | ppl-cz, ppl | ppl | ppl.cz
nova_poshta | Nova Poshta | nova-poshta | nova poshta, нова пошта | novaposhta.ua, novapost.com
cdek | CDEK | cdek, cdek-express | cdek, сдэк | cdek.ru
sagawa | Sagawa | sagawa, sagawa-express | sagawa, 佐川 | sagawa-exp.co.jp
yamato | Yamato | taqbin-jp, yamato, yamato-transport, kuronekoyamato | yamato, kuroneko, ヤマト, クロネコ | kuronekoyamato.co.jp
cj_logistics | CJ Logistics | cj-logistics, cj-korea-express, cjlogistics | cj logistics, cj대한통운 | cjlogistics.com, nplus.doortodoor.co.kr
lotte | Lotte Global Logistics | lotte-global-logistics, lotte, hanjin-lotte | lotte | lotteglogis.com
hanjin | Hanjin | hanjin | hanjin, 한진택배 | hanjin.com, hanjin.co.kr
ninja_van | Ninja Van | ninjavan, ninjavan-sg | ninja van, ninjavan | ninjavan.co
jt_express | J&T Express | jtexpress, jt-express, j-t-express | j&t express, j&t | jtexpress.com, jtexpress.my, jtexpress.id, jtexpress.sg, jet.co.id, jtexpress.ph
flash_express | Flash Express | flashexpress, flash-express | flash express | flashexpress.com, flashexpress.co.th
kerry | Kerry Express | kerry-express, kerryexpress | kerry express, kex | kerryexpress.com, kex-express.com
delhivery | Delhivery | delhivery | delhivery | delhivery.com
blue_dart | Blue Dart | bluedart, blue-dart | blue dart, bluedart | bluedart.com
dtdc | DTDC | dtdc | dtdc | dtdc.in, dtdc.com
ekart | Ekart | ekart | ekart | ekartlogistics.com, ekartlogistics.in
yanwen | Yanwen | yanwen | yanwen | yw56.com.cn, yanwentrack.com
four_px | 4PX | 4px | 4px | 4px.com
cainiao | Cainiao | cainiao | cainiao, 菜鸟 | cainiao.com
sf_express | SF Express | sfb2c, sf-express, sf | sf express, sf international, 顺丰 | sf-express.com, sf-international.com, sf-iuop.com
sunyou | SunYou | sunyou | sunyou | sypost.com, sypost.net
wanb | Wanb Express | wanb-express, wanbexpress | wanb | wanbexpress.com
jd_logistics | JD Logistics | jd-logistics, jd | jd logistics, 京东 | jdl.com, jdlogistics.com
yto | YTO Express | yto | yto express, 圆通 | yto.net.cn
zto | ZTO Express | zto | zto, 中通 | zto.com, zto.cn
sto | STO Express | sto | sto express, 申通 | sto.cn
yunda | Yunda Express | yunda | yunda, 韵达 | yundaex.com, yunda56.com
toyou | toyou | toyou | toyou | toyou.co.uk
uniuni | UniUni | uniuni | uniuni | uniuni.com
intelcom | Intelcom | intelcom, dragonfly | intelcom, dragonfly | intelcom.ca, dragonflyshipping.ca
veho | Veho | veho | veho | shipveho.com
estafeta | Estafeta | estafeta | estafeta | estafeta.com
servientrega | Servientrega | servientrega | servientrega | servientrega.com
couriers_please | CouriersPlease | couriers-please, couriersplease | couriersplease, couriers please | couriersplease.com.au
sendle | Sendle | sendle | sendle | sendle.com
aramex_au | Aramex Australia | aramex-au, fastway-au | fastway | aramex.com.au
toll | Team Global Express | toll-ipec, toll, team-global-express | toll ipec, team global express | teamge.com, mytoll.com
dao | dao | dao, dao365 | dao | dao.as
instabox | Instabee | instabox, budbee | instabox, budbee, instabee | instabox.io, budbee.com, instabee.com
airmee | Airmee | airmee | airmee | airmee.com
early_bird | Early Bird | early-bird, earlybird | early bird | earlybird.se
matkahuolto | Matkahuolto | matkahuolto | matkahuolto | matkahuolto.fi
`;
