import { everydayFurther } from "./everyday-further.ts";
import { everydayWorldwide } from "./everyday-worldwide.ts";

// What people type most in the languages that questions are not read in. The tagging schema has a kind once, in the
// singular, and seldom as people say it; of some languages it has next to nothing. One line to a language and kind; the first of several kinds is meant most.
// prettier-ignore
const lines = `
am amenity/cafe: ካፌ,ቡና,ቡና ቤት
am amenity/restaurant: ምግብ ቤት,ምግብ ቤቶች,ሬስቶራንት
am tourism/hotel: ሆቴል,ሆቴሎች
am amenity/pharmacy: ፋርማሲ,መድኃኒት ቤት,መድሃኒት ቤት
am amenity/hospital: ሆስፒታል,ሆስፒታሎች
am amenity/bank: ባንክ,ባንኮች
ar amenity/cafe: مقهى,مقاهي,كافيه,كافيهات,قهوة,كوفي شوب
ar amenity/restaurant: مطعم,مطاعم
ar tourism/hotel: فندق,فنادق,اوتيل
ar amenity/pharmacy: صيدلية,صيدليات
ar amenity/hospital: مستشفى,مستشفيات
ar shop/supermarket: سوبرماركت,سوبر ماركت,بقالة
ar shop/bakery: مخبز,مخابز,فرن
ar amenity/bank: بنك,بنوك,مصرف,مصارف
ar shop/hairdresser: حلاق,حلاقين,صالون حلاقة,كوافير
ar amenity/fuel: محطة بنزين,محطات بنزين,محطة وقود
ar amenity/dentist: طبيب اسنان,اطباء اسنان,عيادة اسنان
bg amenity/cafe: кафе,кафене,кафенета,кафенета
bg amenity/restaurant: ресторант,ресторанти,заведения
bg tourism/hotel: хотел,хотели
bg amenity/pharmacy: аптека,аптеки
bg amenity/hospital: болница,болници
bg shop/supermarket: супермаркет,супермаркети
bg shop/bakery: пекарна,пекарни,хлебарница
bg amenity/bank: банка,банки
bg shop/hairdresser: фризьор,фризьори,фризьорски салон
bg amenity/fuel: бензиностанция,бензиностанции
bg amenity/dentist: зъболекар,зъболекари,стоматолог
bn amenity/cafe: ক্যাফে,কফি শপ,কফি
bn amenity/restaurant: রেস্টুরেন্ট,রেস্তোরাঁ,রেস্তোরা
bn tourism/hotel: হোটেল
bn amenity/pharmacy: ফার্মেসি,ফার্মেসী,ঔষধের দোকান
bn amenity/hospital: হাসপাতাল
bn amenity/bank: ব্যাংক
cs amenity/cafe: kavárna,kavárny,káva
cs amenity/restaurant: restaurace,hospoda,hospody
cs tourism/hotel: hotel,hotely,ubytování
cs amenity/pharmacy: lékárna,lékárny
cs amenity/hospital: nemocnice
cs shop/supermarket: supermarket,supermarkety,potraviny
cs shop/bakery: pekárna,pekárny,pekařství
cs amenity/bank: banka,banky
cs shop/hairdresser: kadeřnictví,kadeřník,holičství
cs amenity/fuel: benzínka,benzínky,čerpací stanice,benzinka
cs amenity/dentist: zubař,zubaři,zubní lékař
da amenity/cafe: café,caféer,cafe,kaffebar
da amenity/restaurant: restaurant,restauranter
da tourism/hotel: hotel,hoteller
da amenity/pharmacy: apotek,apoteker
da amenity/hospital: hospital,sygehus,hospitaler
da shop/hairdresser: frisør,frisører
da amenity/fuel: tankstation,tankstationer
da amenity/dentist: tandlæge,tandlæger
el amenity/cafe: καφέ,καφετέρια,καφετέριες,καφενείο
el amenity/restaurant: εστιατόριο,εστιατόρια,ταβέρνα,ταβέρνες
el tourism/hotel: ξενοδοχείο,ξενοδοχεία
el amenity/pharmacy: φαρμακείο,φαρμακεία
el amenity/hospital: νοσοκομείο,νοσοκομεία
el shop/supermarket: σούπερ μάρκετ,σουπερμάρκετ
el shop/bakery: φούρνος,φούρνοι,αρτοποιείο,αρτοποιεία
el amenity/bank: τράπεζα,τράπεζες
el shop/hairdresser: κομμωτήριο,κομμωτήρια,κουρείο
el amenity/fuel: βενζινάδικο,βενζινάδικα,πρατήριο
el amenity/dentist: οδοντίατρος,οδοντίατροι
et amenity/cafe: kohvik,kohvikud
et amenity/restaurant: restoran,restoranid,söögikoht
et tourism/hotel: hotell,hotellid
et amenity/pharmacy: apteek,apteegid
et amenity/hospital: haigla,haiglad
fa amenity/cafe: کافه,کافی شاپ,قهوه
fa amenity/restaurant: رستوران,رستوران ها
fa tourism/hotel: هتل,هتل ها
fa amenity/pharmacy: داروخانه,داروخانه ها
fa amenity/hospital: بیمارستان,بیمارستان ها
fa amenity/bank: بانک,بانک ها
fa shop/bakery: نانوایی,نان
fa amenity/fuel: پمپ بنزین
fa amenity/dentist: دندانپزشک,دندانپزشکی
fi amenity/cafe: kahvila,kahvilat
fi amenity/restaurant: ravintola,ravintolat
fi tourism/hotel: hotelli,hotellit
fi amenity/pharmacy: apteekki,apteekit
fi amenity/hospital: sairaala,sairaalat
fi shop/supermarket: supermarket,ruokakauppa,ruokakaupat
fi shop/bakery: leipomo,leipomot
fi shop/hairdresser: kampaamo,kampaamot,parturi,parturit
fi amenity/fuel: huoltoasema,huoltoasemat,bensa-asema
fi amenity/dentist: hammaslääkäri,hammaslääkärit
he amenity/cafe: בית קפה,בתי קפה,קפה
he amenity/restaurant: מסעדה,מסעדות
he tourism/hotel: מלון,מלונות,בית מלון,בתי מלון
he amenity/pharmacy: בית מרקחת,בתי מרקחת
he amenity/hospital: בית חולים,בתי חולים
he shop/supermarket: סופרמרקט,סופר,סופרמרקטים
he shop/bakery: מאפייה,מאפיות
he amenity/bank: בנק,בנקים
he shop/hairdresser: מספרה,מספרות,ספר
he amenity/fuel: תחנת דלק,תחנות דלק
he amenity/dentist: רופא שיניים,רופאי שיניים,מרפאת שיניים
hi amenity/cafe: कैफे,कैफ़े,कॉफ़ी,कॉफी शॉप
hi amenity/restaurant: रेस्टोरेंट,रेस्टॉरेंट,रेस्तरां,भोजनालय,ढाबा
hi tourism/hotel: होटल
hi amenity/pharmacy: फार्मेसी,दवा की दुकान,मेडिकल स्टोर,केमिस्ट
hi amenity/hospital: अस्पताल,हॉस्पिटल
hi shop/supermarket: सुपरमार्केट,किराना
hi amenity/bank: बैंक
hi amenity/fuel: पेट्रोल पंप
hi amenity/dentist: दंत चिकित्सक,डेंटिस्ट
hr amenity/cafe: kafić,kafići,kafe,kavana
hr amenity/restaurant: restoran,restorani
hr tourism/hotel: hotel,hoteli,smještaj
hr amenity/pharmacy: ljekarna,ljekarne,apoteka,apoteke
hr amenity/hospital: bolnica,bolnice
hr shop/bakery: pekara,pekare,pekarnica
hr amenity/bank: banka,banke
hr shop/hairdresser: frizer,frizeri,frizerski salon
hr amenity/fuel: benzinska,benzinska pumpa,benzinska postaja
hr amenity/dentist: zubar,stomatolog
hu amenity/cafe: kávézó,kávézók,kávéház,kávé
hu amenity/restaurant: étterem,éttermek,vendéglő
hu tourism/hotel: szálloda,szállodák,hotel,hotelek,szállás
hu amenity/pharmacy: gyógyszertár,gyógyszertárak,patika,patikák
hu amenity/hospital: kórház,kórházak
hu shop/supermarket: szupermarket,élelmiszerbolt
hu shop/bakery: pékség,pékségek
hu amenity/bank: bank,bankok
hu shop/hairdresser: fodrász,fodrászat
hu amenity/fuel: benzinkút,benzinkutak
hu amenity/dentist: fogorvos,fogászat
hy amenity/cafe: սրճարան,սրճարաններ
hy amenity/restaurant: ռեստորան,ռեստորաններ
hy tourism/hotel: հյուրանոց,հյուրանոցներ
hy amenity/pharmacy: դեղատուն,դեղատներ
hy amenity/hospital: հիվանդանոց,հիվանդանոցներ
hy amenity/bank: բանկ,բանկեր
id amenity/cafe: kafe,kedai kopi,warung kopi,kopi
id amenity/restaurant: restoran,rumah makan,tempat makan
id tourism/hotel: hotel,penginapan
id amenity/pharmacy: apotek
id amenity/hospital: rumah sakit
id amenity/fuel: spbu,pom bensin
id amenity/dentist: dokter gigi
is amenity/cafe: kaffihús,kaffi
is amenity/restaurant: veitingastaður,veitingastaðir,veitingahús
is tourism/hotel: hótel
is amenity/pharmacy: apótek
is amenity/hospital: sjúkrahús,spítali
is shop/bakery: bakarí
ja amenity/cafe: カフェ,喫茶店,コーヒー,珈琲
ja amenity/restaurant: レストラン,飲食店,食堂,グルメ
ja tourism/hotel: ホテル,旅館,宿
ja amenity/pharmacy: 薬局,ドラッグストア
ja amenity/hospital amenity/clinic: 病院
ja shop/supermarket: スーパー,スーパーマーケット
ja shop/convenience: コンビニ,コンビニエンスストア
ja shop/bakery: パン屋,ベーカリー
ja shop/hairdresser: 美容院,美容室,床屋,理髪店
ja amenity/fuel: ガソリンスタンド
ja amenity/dentist: 歯医者,歯科
ka amenity/cafe: კაფე,კაფეები,ყავა,ყავახანა
ka amenity/restaurant: რესტორანი,რესტორნები
ka tourism/hotel: სასტუმრო,სასტუმროები
ka amenity/pharmacy: აფთიაქი,აფთიაქები
ka amenity/hospital: საავადმყოფო,ჰოსპიტალი
ka shop/supermarket: სუპერმარკეტი,მარკეტი
ka shop/bakery: საცხობი,თონე
ka amenity/bank: ბანკი,ბანკები
ka amenity/dentist: სტომატოლოგი,სტომატოლოგია
ko amenity/cafe: 카페,커피,커피숍,커피전문점
ko amenity/restaurant: 음식점,식당,맛집,레스토랑
ko tourism/hotel: 호텔,숙소
ko amenity/pharmacy: 약국
ko amenity/hospital amenity/clinic amenity/doctors: 병원
ko shop/supermarket: 마트,슈퍼마켓,슈퍼
ko shop/convenience: 편의점
ko shop/bakery: 빵집,베이커리,제과점
ko shop/hairdresser: 미용실,헤어샵
ko amenity/fuel: 주유소
ko amenity/dentist: 치과
lt amenity/cafe: kavinė,kavinės
lt amenity/restaurant: restoranas,restoranai
lt tourism/hotel: viešbutis,viešbučiai
lt amenity/pharmacy: vaistinė,vaistinės
lt amenity/hospital: ligoninė,ligoninės
lv amenity/cafe: kafejnīca,kafejnīcas
lv amenity/restaurant: restorāns,restorāni
lv tourism/hotel: viesnīca,viesnīcas
lv amenity/pharmacy: aptieka,aptiekas
lv amenity/hospital: slimnīca,slimnīcas
no amenity/cafe: kafé,kafe,kaffebar,kafeer
no amenity/restaurant: restaurant,restauranter,spisested
no tourism/hotel: hotell,hoteller
no amenity/pharmacy: apotek
no amenity/hospital: sykehus
no shop/hairdresser: frisør,frisører
no amenity/fuel: bensinstasjon,bensinstasjoner
no amenity/dentist: tannlege,tannleger
pl amenity/cafe: kawiarnia,kawiarnie,kawa
pl amenity/restaurant: restauracja,restauracje
pl tourism/hotel: hotel,hotele,nocleg,noclegi
pl amenity/pharmacy: apteka,apteki
pl amenity/hospital: szpital,szpitale
pl shop/supermarket: supermarket,supermarkety,sklep spożywczy
pl shop/bakery: piekarnia,piekarnie
pl amenity/bank: bank,banki
pl shop/hairdresser: fryzjer,fryzjerzy
pl amenity/fuel: stacja benzynowa,stacje benzynowe,stacja paliw
pl amenity/dentist: dentysta,dentyści,stomatolog
ro amenity/cafe: cafenea,cafenele,cafea
ro amenity/restaurant: restaurant,restaurante
ro tourism/hotel: hotel,hoteluri,cazare
ro amenity/pharmacy: farmacie,farmacii
ro amenity/hospital: spital,spitale
ro shop/bakery: brutărie,brutării
ro amenity/bank: bancă,bănci
ro shop/hairdresser: frizerie,coafor,frizer
ro amenity/fuel: benzinărie,benzinării
ro amenity/dentist: dentist,stomatolog
ru amenity/cafe: кафе,кофейня,кофейни,кофе
ru amenity/restaurant: ресторан,рестораны,поесть
ru tourism/hotel: гостиница,гостиницы,отель,отели
ru amenity/pharmacy: аптека,аптеки
ru amenity/hospital: больница,больницы
ru shop/supermarket: супермаркет,супермаркеты,продукты
ru shop/bakery: пекарня,пекарни,булочная,булочные
ru amenity/bank: банк,банки
ru shop/hairdresser: парикмахерская,парикмахерские,барбершоп
ru amenity/fuel: азс,заправка,заправки
ru amenity/dentist: стоматолог,стоматология,зубной врач
sk amenity/cafe: kaviareň,kaviarne
sk amenity/restaurant: reštaurácia,reštaurácie
sk tourism/hotel: hotel,hotely,ubytovanie
sk amenity/pharmacy: lekáreň,lekárne
sk amenity/hospital: nemocnica,nemocnice
sl amenity/cafe: kavarna,kavarne
sl amenity/restaurant: restavracija,restavracije,gostilna
sl tourism/hotel: hotel,hoteli
sl amenity/pharmacy: lekarna,lekarne
sl amenity/hospital: bolnišnica,bolnica,bolnišnice
sr amenity/cafe: кафе,кафић,кафићи,kafe,kafić,kafići
sr amenity/restaurant: ресторан,ресторани,restoran,restorani
sr tourism/hotel: хотел,хотели,hotel,hoteli
sr amenity/pharmacy: апотека,апотеке,apoteka,apoteke
sr amenity/hospital: болница,болнице,bolnica,bolnice
sr shop/bakery: пекара,пекаре,pekara,pekare
sr amenity/bank: банка,банке,banka,banke
sr amenity/dentist: зубар,zubar,stomatolog
sv amenity/cafe: kafé,kaféer,kafe,fik,café
sv amenity/restaurant: restaurang,restauranger
sv tourism/hotel: hotell
sv amenity/pharmacy: apotek
sv amenity/hospital: sjukhus
sv shop/supermarket: mataffär,mataffärer,livsmedelsbutik
sv shop/bakery: bageri,bagerier
sv shop/hairdresser: frisör,frisörer
sv amenity/fuel: bensinstation,bensinmack,bensinstationer
sv amenity/dentist: tandläkare
sw amenity/cafe: mkahawa,kahawa,mgahawa wa kahawa
sw amenity/restaurant: mgahawa,migahawa,mkahawa
sw tourism/hotel: hoteli
sw amenity/pharmacy: duka la dawa,maduka ya dawa,famasia
sw amenity/hospital: hospitali
sw amenity/bank: benki
th amenity/cafe: ร้านกาแฟ,คาเฟ่,กาแฟ
th amenity/restaurant: ร้านอาหาร,ภัตตาคาร
th tourism/hotel: โรงแรม,ที่พัก
th amenity/pharmacy: ร้านขายยา,ร้านยา
th amenity/hospital: โรงพยาบาล
th shop/convenience: ร้านสะดวกซื้อ
th amenity/bank: ธนาคาร
th amenity/fuel: ปั๊มน้ำมัน
th amenity/dentist: หมอฟัน,คลินิกทันตกรรม
tr amenity/cafe: kafe,kafeler,kahve,kahveci
tr amenity/restaurant: restoran,restoranlar,lokanta,lokantalar
tr tourism/hotel: otel,oteller
tr amenity/pharmacy: eczane,eczaneler,nöbetçi eczane
tr amenity/hospital: hastane,hastaneler
tr shop/supermarket: market,marketler,süpermarket
tr shop/bakery: fırın,fırınlar,pastane
tr amenity/bank: banka,bankalar
tr shop/hairdresser: kuaför,kuaförler,berber,berberler
tr amenity/fuel: benzinlik,akaryakıt istasyonu,benzin istasyonu
tr amenity/dentist: diş hekimi,dişçi,diş kliniği
uk amenity/cafe: кафе,кав'ярня,кав'ярні,кава
uk amenity/restaurant: ресторан,ресторани
uk tourism/hotel: готель,готелі
uk amenity/pharmacy: аптека,аптеки
uk amenity/hospital: лікарня,лікарні
uk shop/supermarket: супермаркет,супермаркети,продукти
uk shop/bakery: пекарня,пекарні
uk amenity/bank: банк,банки
uk shop/hairdresser: перукарня,перукарні,барбершоп
uk amenity/fuel: азс,заправка,заправки
uk amenity/dentist: стоматолог,стоматологія
ur amenity/cafe: کیفے,کافی شاپ
ur amenity/restaurant: ریستوران,ریسٹورنٹ
ur tourism/hotel: ہوٹل
ur amenity/pharmacy: فارمیسی,میڈیکل سٹور
ur amenity/hospital: ہسپتال
ur amenity/bank: بینک
vi amenity/cafe: quán cà phê,cà phê,cafe,quán cafe
vi amenity/restaurant: nhà hàng,quán ăn
vi tourism/hotel: khách sạn
vi amenity/pharmacy: nhà thuốc,hiệu thuốc,tiệm thuốc
vi amenity/hospital: bệnh viện
vi shop/supermarket: siêu thị
vi amenity/bank: ngân hàng
vi amenity/fuel: trạm xăng,cây xăng
vi amenity/dentist: nha khoa,nha sĩ
zh-cn amenity/cafe: 咖啡,咖啡馆,咖啡厅,咖啡店
zh-cn amenity/restaurant: 餐厅,饭店,餐馆,美食
zh-cn tourism/hotel: 酒店,宾馆,旅馆,旅店
zh-cn amenity/pharmacy: 药店,药房
zh-cn amenity/hospital: 医院
zh-cn shop/supermarket: 超市
zh-cn shop/convenience: 便利店
zh-cn amenity/fuel: 加油站
zh-tw amenity/cafe: 咖啡,咖啡廳,咖啡館,咖啡店
zh-tw amenity/restaurant: 餐廳,餐館,美食,小吃
zh-tw tourism/hotel: 飯店,旅館,酒店,旅店,民宿
zh-tw amenity/pharmacy: 藥局,藥房,藥店,藥妝店
zh-tw amenity/hospital: 醫院
zh-tw shop/supermarket: 超市,超級市場
zh-tw shop/convenience: 便利商店,超商
zh-tw amenity/fuel: 加油站
`;

type Everyday = { language: string; kinds: readonly string[]; words: readonly string[] };

/** What is searched by these words: the language, the kinds and the words of each line, and of each row for further ones. */
export const everydayElsewhere: readonly Everyday[] = [
  ...lines
    .trim()
    .split("\n")
    .map((line) => {
      const [head = "", words = ""] = line.split(": ");
      const [language = "", ...kinds] = head.split(" ");
      return { language, kinds, words: words.split(",") };
    }),
  ...everydayFurther.flatMap(([kinds, wording]) =>
    Object.entries(wording).map(([language, words]) => ({
      language,
      kinds: kinds.split(" "),
      words: words.split(","),
    })),
  ),
  ...everydayWorldwide,
];
