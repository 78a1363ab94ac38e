import { normalize } from "../../text/normalize.ts";
import type { AttributeId } from "./attributes.ts";

// Of languages that questions are not read in. Latin ones only as phrases, or words, that are hardly a name elsewhere.
// prettier-ignore
const phrasesByAttribute: readonly (readonly [AttributeId, string])[] = [
  ["@open_24h", "24 saat,24 saat açık,7/24,7/24 açık,24 soat,całodobowa,całodobowy,całodobowe,czynne całą dobę,24 godziny,nonstop,non stop,24 hodin,24 hodín,24 óra,0-24,éjjel-nappal,24 tuntia,24 timmar,dygnet runt,døgnåpent,døgnåpen,døgnåben,døgnåbent,24 timer,24 ore,24 sata,24 ur,visą parą,24 valandas,visu diennakti,24 stundas,24 tundi,ööpäevaringselt,opið allan sólarhringinn,allan sólarhringinn,24 orë,24 jam,buka 24 jam,24 giờ,mở cửa 24h,mở cửa 24/7,saa 24,masaa 24,круглосуточно,круглосуточная,круглосуточный,круглосуточные,24 часа,24 часов,цілодобово,цілодобова,цілодобовий,24 години,денонощно,денонощна,денонощен,24 сата,24 сағат,тәулік бойы,24ωρο,24 ώρες,24 საათი,24 საათიანი,շուրջօրյա,24 ժամ,24 שעות,פתוח 24 שעות,פתוחה 24 שעות,24 ساعة,مفتوح 24 ساعة,مفتوحة 24 ساعة,على مدار الساعة,شبانه روزی,شبانهروزی,۲۴ ساعته,24 ساعته,24 گھنٹے,24 घंटे,२४ घण्टा,24 घण्टा,२४ सै घण्टा,২৪ ঘন্টা,২৪ ঘণ্টা,24 மணி நேரம்,පැය 24,24 ሰዓት,24시간,24시,24時間,24時間営業,24小时,24小時,24 ชั่วโมง"],
  ["@open_now", "şu an açık,şimdi açık,açık,hozir ochiq,indi açıq,otwarte teraz,teraz otwarte,otwarta teraz,otwarty teraz,otwarte,otevřeno,otevřeno teď,právě otevřeno,otvorené,teraz otvorené,nyitva,most nyitva,nyitva van,auki nyt,avoinna nyt,nyt auki,öppet nu,öppet,öppen nu,åpent nå,åpen nå,åbent nu,åben nu,deschis acum,deschisă acum,otvoreno,otvoreno sada,sada otvoreno,odprto,odprto zdaj,dabar atidaryta,dabar veikia,dirba dabar,atvērts,tagad atvērts,avatud praegu,praegu avatud,opið núna,opið,hapur tani,buka sekarang,sedang buka,đang mở cửa,đang mở,mở cửa bây giờ,открыто,открыто сейчас,сейчас открыто,работает сейчас,открыт сейчас,открыта сейчас,відчинено,відчинено зараз,зараз відкрито,відкрито,отворено,отворено сега,отворено сада,ашық,қазір ашық,ανοιχτό,ανοιχτό τώρα,ανοιχτά τώρα,ανοιχτά,ახლა ღია,ღიაა,հիմա բաց,այժմ բաց,פתוח עכשיו,פתוחה עכשיו,פתוחים עכשיו,פתוחות עכשיו,פתוח,مفتوح الان,مفتوحة الان,مفتوح,مفتوحة,الان باز,ابھی کھلا,کھلا,अभी खुला,खुला,अहिले खुला,এখন খোলা,খোলা,இப்போது திறந்திருக்கும்,දැන් විවෘත,አሁን ክፍት,지금 영업중,영업중,영업 중,営業中,今営業中,营业中,營業中,เปิดอยู่,เปิดตอนนี้"],
  ["@vegan", "vegaaninen,vegaani,vegansk,veganske,veganskt,wegańska,wegański,wegańskie,veganské,veganská,veganský,vegán,vegană,veganski,veganska,veganiškas,vegāns,веган,веганский,веганская,веганские,веганське,веганська,βίγκαν,ვეგანური,վեգան,טבעוני,טבעונית,טבעוניות,نباتي صرف,وگان,वीगन,ভেগান,비건,ヴィーガン,ビーガン,纯素,純素,全素,วีแกน,thuần chay"],
  ["@vegetarian", "vejetaryen,vejetariyan,vegetarisk,vegetariska,vegetariske,wegetariańska,wegetariański,wegetariańskie,vegetariánská,vegetariánské,vegetariánský,vegetáriánus,kasvis,kasvisravintola,vegetarijanski,vegetarijanska,vegetariškas,вегетарианский,вегетарианская,вегетарианское,вегетарианские,вегетаріанський,вегетаріанська,χορτοφαγικό,ვეგეტარიანული,բուսակերական,צמחוני,צמחונית,صمחוניות,نباتي,نباتية,گیاهخواری,शाकाहारी,নিরামিষ,சைவ,채식,ベジタリアン,素食,มังสวิรัติ,ăn chay"],
  ["@halal", "helal,халяль,халал,halol,حلال,हलाल,হালাল,할랄,ハラール,ハラル,清真,ฮาลาล,חלאל"],
  ["@kosher", "koşer,koszer,koszerna,košer,kóser,кошерный,кошерная,кошерное,כשר,כשרה,כשרים,כשרות,كوشر"],
  ["@gluten_free", "glutensiz,bezglutenowe,bezglutenowa,bez glutenu,bezlepkové,bezlepková,gluténmentes,gluteeniton,glutenfri,glutenfria,fără gluten,bez glutena,без глютена,без глютену,χωρίς γλουτένη,ללא גלוטן,خالي من الجلوتين,グルテンフリー,글루텐프리,无麸质"],
  ["@outdoor_seating", "açık hava,dış mekan,bahçeli,teraslı,z ogródkiem,ogródek,zahrádka,se zahrádkou,terasz,kerthelyiség,terassi,uteservering,uteplass,udeservering,terasă,terasa,с террасой,терраса,летняя веранда,з терасою,тераса,βεράντα,טרסה,עם מרפסת,تراس,جلسات خارجية,テラス席,テラス,테라스,户外座位,sân vườn"],
  ["@takeaway", "paket servis,al götür,na wynos,s sebou,elvitelre,elvitel,mukaan,avhämtning,la pachet,za ponijeti,za poneti,išsinešimui,līdzņemšanai,на вынос,с собой,на винос,για το σπίτι,לקחת,טייק אוויי,سفري,تيك اواي,بیرون بر,テイクアウト,持ち帰り,포장,外带,外帶,กลับบ้าน,mang đi,mang về,bungkus,bawa pulang"],
  ["@delivery", "eve servis,z dostawą,dostawa,s rozvozem,rozvoz,házhozszállítás,kotiinkuljetus,hemleverans,hjemlevering,livrare,dostava,pristatymas,piegāde,с доставкой,доставка,з доставкою,παράδοση,ντελίβερι,משלוחים,משלוח,توصيل,ارسال رایگان,デリバリー,宅配,배달,外卖,外送,giao hàng,layan antar"],
  ["@wheelchair", "engelli erişimi,tekerlekli sandalye,dla niepełnosprawnych,bezbariérový,bezbariérová,bezbariérové,akadálymentes,esteetön,tillgänglig,rullstol,rullestol,kørestol,accesibil,za invalide,pritaikyta neįgaliesiems,для инвалидов,доступная среда,для людей з інвалідністю,αμεα,προσβάσιμο,נגיש,נגישה,נגיש לנכים,لذوي الاحتياجات,كرسي متحرك,ویلچر,व्हीलचेयर,車椅子,バリアフリー,휠체어,无障碍,無障礙"],
  ["@wifi", "wi-fi,z wifi,s wifi,ingyen wifi,internetli,ücretsiz wifi,kablosuz internet,с wifi,с wi fi,вай фай,вайфай,беспроводной интернет,ווייפיי,וויי פיי,אינטרנט אלחוטי,واي فاي,وای فای,وائی فائی,वाईफाई,वाइफाइ,ওয়াইফাই,ვაიფაი,վայ ֆայ,와이파이,無料wifi,无线网络,ไวไฟ"],
  ["@dogs", "köpek dostu,evcil hayvan,pies mile widziany,z psem,se psem,kutyabarát,koiraystävällinen,hundvänlig,hundvenlig,hundevennlig,с собакой,можно с собаками,з собакою,ידידותי לכלבים,ペット可,犬同伴,반려견 동반,애견 동반,宠物友好,寵物友善"],
];

/** Behind a number from one to five. */
const stars =
  "yıldızlı,yıldız,sao,bintang,yulduzli,ulduzlu,звёзд,звезды,звёздный,звёздочный,зірок,зірки,зірковий,звезди,gwiazdki,gwiazdek,gwiazdkowy,hvězdičkový,hvězdičky,hvězd,hviezdičkový,csillagos,tähden,stjärnigt,stjärnor,stjerners,stjernet,stele,zvjezdica,zvezdica,zvezdice,žvaigždučių,žvaigždutės,zvaigžņu,tärni,stjörnu,yje,αστέρων,αστέρια,כוכבים,نجوم,ستاره,सितारा,তারকা,तारे,ვარსკვლავიანი,աստղանի,つ星,성급,星级,星級,ดาว";

const wordsMax = 5;

/** By phrase, spelled as words are compared. */
export function otherAttributePhrases(): [phrase: string, id: AttributeId][] {
  const numbers = [1, 2, 3, 4, 5] as const;
  const byStars = numbers.map((number): [AttributeId, string] => {
    const texts = stars.split(",").map((word) => `${number} ${word},${number}${word}`);
    return [`@stars_${number}`, texts.join(",")];
  });
  return [...phrasesByAttribute, ...byStars].flatMap(([id, texts]) =>
    texts
      .split(",")
      .map((text) => normalize(text))
      .filter((words) => words.length <= wordsMax)
      .map((words): [string, AttributeId] => [words.join(" "), id]),
  );
}
