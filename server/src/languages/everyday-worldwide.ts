// Languages of which neither the tagging schema nor our other everyday words have anything: the kinds of place that people
// ask for most. One line to a kind; behind each language its words.
// prettier-ignore
const lines = `
amenity/cafe | be кавярня,кавярні,кафэ,кава | ky кафе,кафелер,кофекана,чайкана | tg қаҳвахона,чойхона,кафе | tk kafe,kofe,çaýhana | mr कॅफे,कॉफी शॉप,चहा | gu કેફે,કોફી શોપ,ચા | te కేఫ్,కాఫీ షాప్,కాఫీ | kn ಕೆಫೆ,ಕಾಫಿ ಅಂಗಡಿ,ಕಾಫಿ | ml കഫേ,കോഫി ഷോപ്പ്,ചായക്കട | pa ਕੈਫੇ,ਕੌਫੀ ਸ਼ਾਪ | my ကဖီး,ကော်ဖီဆိုင်,လက်ဖက်ရည်ဆိုင် | km ហាងកាហ្វេ,កាហ្វេ | lo ຮ້ານກາເຟ,ກາເຟ | fil kapehan,kape,coffee shop | ht kafe | so maqaaxi,makhaayad,kafee | rw kafe,ikawa | mg kafe | ps کافي,قهوه خانه
amenity/restaurant | be рэстаран,рэстараны,дзе паесці | ky ресторан,ресторандар,ашкана,тамак | tg тарабхона,ресторан,ошхона | tk restoran,restoranlar,naharhana | mr उपहारगृह,रेस्टॉरंट,भोजनालय,हॉटेल जेवण | gu રેસ્ટોરન્ટ,રેસ્ટોરાં,ભોજનાલય | te రెస్టారెంట్,రెస్టారెంట్లు,భోజనశాల | kn ರೆಸ್ಟೋರೆಂಟ್,ಉಪಹಾರ ಗೃಹ,ಭೋಜನಾಲಯ | ml റെസ്റ്റോറന്റ്,റെസ്റ്റോറൻ്റ്,ഭക്ഷണശാല | pa ਰੈਸਟੋਰੈਂਟ,ਢਾਬਾ,ਭੋਜਨਾਲਾ | my စားသောက်ဆိုင်,ထမင်းဆိုင် | km ភោជនីយដ្ឋាន,ហាងបាយ | lo ຮ້ານອາຫານ | fil restawran,restaurant,kainan,karinderya,carinderia,turo-turo | ht restoran,kote pou manje | so makhaayad,maqaayad,hudheel cunto | rw resitora,resitorante | mg trano fisakafoanana,fisakafoanana,hotely gasy | ps رستورانت,رسټورانټ
tourism/hotel | be гатэль,гатэлі,гасцініца | ky мейманкана,мейманканалар,отель | tg меҳмонхона,меҳмонхонаҳо | tk myhmanhana,myhmanhanalar,otel | mr हॉटेल,हॉटेल्स,लॉज | gu હોટેલ,હોટલ,હોટેલો | te హోటల్,హోటళ్లు,లాడ్జి | kn ಹೋಟೆಲ್,ಹೋಟೆಲ್‌ಗಳು,ಲಾಡ್ಜ್ | ml ഹോട്ടൽ,ഹോട്ടലുകൾ,ലോഡ്ജ് | pa ਹੋਟਲ | my ဟိုတယ်,တည်းခိုခန်း | km សណ្ឋាគារ,ផ្ទះសំណាក់ | lo ໂຮງແຮມ,ບ້ານພັກ | fil hotel,otel,tuluyan | ht otèl,lotèl | so hoteel,hudheel | rw hoteli | mg hotely,trano fandraisam-bahiny | ps هوټل,هوتل
amenity/pharmacy | be аптэка,аптэкі | ky дарыкана,дарыканалар | tg дорухона,дорухонаҳо | tk dermanhana,dermanhanalar | mr औषधांचे दुकान,औषधालय,मेडिकल | gu મેડિકલ સ્ટોર,ફાર્મસી,દવાની દુકાન | te మందుల షాపు,ఫార్మసీ,మెడికల్ షాప్ | kn ಔಷಧಿ ಅಂಗಡಿ,ಔಷಧಾಲಯ,ಮೆಡಿಕಲ್ ಶಾಪ್ | ml ഫാർമസി,മെഡിക്കൽ സ്റ്റോർ,മരുന്നുകട | pa ਫਾਰਮੇਸੀ,ਦਵਾਈਆਂ ਦੀ ਦੁਕਾਨ,ਮੈਡੀਕਲ ਸਟੋਰ | my ဆေးဆိုင် | km ឱសថស្ថាន,ហាងលក់ថ្នាំ | lo ຮ້ານຂາຍຢາ | fil botika,parmasya | ht famasi | so farmashi,farmasi,farmashiye | rw farumasi | mg fivarotam-panafody | ps درملتون
amenity/hospital | be бальніца,бальніцы | ky оорукана,ооруканалар | tg беморхона,касалхона | tk hassahana,keselhana | mr रुग्णालय,हॉस्पिटल,दवाखाना | gu હોસ્પિટલ,દવાખાનું | te ఆసుపత్రి,ఆస్పత్రి,హాస్పిటల్ | kn ಆಸ್ಪತ್ರೆ | ml ആശുപത്രി,ഹോസ്പിറ്റൽ | pa ਹਸਪਤਾਲ | my ဆေးရုံ | km មន្ទីរពេទ្យ | lo ໂຮງໝໍ | fil ospital,pagamutan | ht lopital | so isbitaal,cisbitaal | rw ibitaro | mg hopitaly | ps روغتون
amenity/doctors amenity/clinic | be лекар,паліклініка | ky дарыгер,клиника | tg духтур,клиника | tk lukman,klinika | mr डॉक्टर,क्लिनिक | gu ડૉક્ટર,ડોક્ટર,ક્લિનિક | te డాక్టర్,క్లినిక్ | kn ವೈದ್ಯರು,ಕ್ಲಿನಿಕ್ | ml ഡോക്ടർ,ക്ലിനിക്ക് | pa ਡਾਕਟਰ,ਕਲੀਨਿਕ | my ဆေးခန်း,ဆရာဝန် | km គ្លីនិក,វេជ្ជបណ្ឌិត | lo ຄລີນິກ,ທ່ານໝໍ | fil doktor,klinika | ht doktè,klinik | so dhakhtar,rug caafimaad | rw muganga,ivuriro | mg dokotera,tobim-pahasalamana | ps ډاکټر,کلینیک
amenity/dentist | be стаматолаг,стаматалогія | ky тиш доктор,стоматология | tg духтури дандон | mr दंतवैद्य,डेंटिस्ट | gu દાંતના ડૉક્ટર,ડેન્ટિસ્ટ | te డెంటిస్ట్,దంత వైద్యుడు | kn ದಂತ ವೈದ್ಯರು | ml ദന്തഡോക്ടർ,ഡെന്റിസ്റ്റ് | pa ਦੰਦਾਂ ਦਾ ਡਾਕਟਰ | my သွားဆေးခန်း | km ពេទ្យធ្មេញ | lo ຄລີນິກແຂ້ວ | fil dentista | ht dantis | ps د غاښونو ډاکټر
shop/supermarket | be супермаркет,прадукты | ky супермаркет | tg супермаркет | tk supermarket | mr सुपरमार्केट,किराणा दुकान,किराणा | gu સુપરમાર્કેટ,કરિયાણાની દુકાન | te సూపర్ మార్కెట్,కిరాణా దుకాణం | kn ಸೂಪರ್ ಮಾರ್ಕೆಟ್,ಕಿರಾಣಿ ಅಂಗಡಿ | ml സൂപ്പർമാർക്കറ്റ്,പലചരക്ക് കട | pa ਸੁਪਰਮਾਰਕੀਟ,ਕਰਿਆਨੇ ਦੀ ਦੁਕਾਨ | my စူပါမားကတ်,ကုန်တိုက် | km ផ្សារទំនើប | lo ຊຸບເປີມາເກັດ | fil supermarket,grocery | ht makèt,sipèmakèt | so suuq weyne,dukaan | rw isoko rigezweho,iduka | mg tsena lehibe | ps سوپر مارکیټ
shop/convenience | ky дүкөн | tg мағоза,дӯкон | tk dükan | fil sari-sari store,sari sari,tindahan | ht boutik | ps دوکان
amenity/marketplace | be рынак | ky базар | tg бозор | tk bazar | mr बाजार | gu બજાર | te మార్కెట్,సంత | kn ಮಾರುಕಟ್ಟೆ | ml ചന്ത,മാർക്കറ്റ് | pa ਬਾਜ਼ਾਰ,ਮੰਡੀ | my ဈေး | km ផ្សារ | lo ຕະຫຼາດ | fil palengke,pamilihan | ht mache | so suuq | rw isoko | mg tsena | ps بازار
shop/bakery | be пякарня,хлеб | ky нан,наабайкана | tg нонвойхона | tk çörekhana,çörek | mr बेकरी | gu બેકરી | te బేకరీ | kn ಬೇಕರಿ | ml ബേക്കറി | pa ਬੇਕਰੀ | my မုန့်ဆိုင်,မုန့်တိုက် | km ហាងនំប៉័ង,ហាងនំ | lo ຮ້ານເຂົ້າຈີ່ | fil panaderya,panaderia | ht boulanjri | so foorno | mg mpanao mofo | ps نانوايي
amenity/bank | be банк,банкі | ky банк | tg бонк | tk bank | mr बँक | gu બેંક,બૅન્ક | te బ్యాంకు,బ్యాంక్ | kn ಬ್ಯಾಂಕ್ | ml ബാങ്ക് | pa ਬੈਂਕ | my ဘဏ် | km ធនាគារ | lo ທະນາຄານ | fil bangko | ht bank | so bangi,baan | rw banki | mg banky | ps بانک
amenity/atm | be банкамат | ky банкомат | tg банкомат | tk bankomat | mr एटीएम | gu એટીએમ | te ఏటీఎం | kn ಎಟಿಎಂ | ml എടിഎം | pa ਏਟੀਐਮ | my အေတီအမ် | km អេធីអឹម | lo ຕູ້ເອທີເອັມ | ps اې ټي اېم
amenity/fuel | be запраўка,азс | ky май куюучу жай,заправка,бензин | tg нуқтаи фурӯши сӯзишворӣ,бензин | tk ýangyç guýulýan beket,benzin | mr पेट्रोल पंप | gu પેટ્રોલ પંપ | te పెట్రోల్ బంక్,పెట్రోల్ పంప్ | kn ಪೆಟ್ರೋಲ್ ಬಂಕ್ | ml പെട്രോൾ പമ്പ് | pa ਪੈਟਰੋਲ ਪੰਪ | my ဓာတ်ဆီဆိုင်,ဆီဆိုင် | km ស្ថានីយ៍ប្រេងឥន្ធនៈ,ស្ថានីយប្រេង | lo ປໍ້ານ້ຳມັນ | fil gasolinahan | ht ponp gazolin,estasyon gazolin | so kaalinta shidaalka,shidaal | rw sitasiyo | mg toby fivarotan-tsolika | ps پټرول پمپ,تیل ټانک
shop/hairdresser | be цырульня,цырульні | ky чач тарач,чачтарач | tg сартарошхона | tk dellekhana | mr केश कर्तनालय,सलून | gu સલૂન,વાળંદ | te సెలూన్ | kn ಸಲೂನ್ | ml ബാർബർ ഷോപ്പ്,സലൂൺ | pa ਨਾਈ,ਸੈਲੂਨ | my ဆံသဆိုင်,အလှပြင်ဆိုင် | km ហាងកាត់សក់ | lo ຮ້ານຕັດຜົມ | fil pagupitan,barberya | ht kwafè,salon kwafi | so timo jare,rayiisle | mg mpanety | ps سلماني
amenity/school | be школа,школы | ky мектеп,мектептер | tg мактаб | tk mekdep | mr शाळा | gu શાળા,સ્કૂલ | te పాఠశాల,స్కూల్ | kn ಶಾಲೆ | ml സ്കൂൾ,വിദ്യാലയം | pa ਸਕੂਲ | my ကျောင်း,စာသင်ကျောင်း | km សាលារៀន | lo ໂຮງຮຽນ | fil paaralan,eskwelahan | ht lekòl | so dugsi,iskuul | rw ishuri | mg sekoly | ps ښوونځی
amenity/post_office | be пошта | ky почта | tg почта | tk poçta | mr टपाल कार्यालय,पोस्ट ऑफिस | gu પોસ્ટ ઓફિસ | te పోస్టాఫీసు | kn ಅಂಚೆ ಕಚೇರಿ | ml പോസ്റ്റ് ഓഫീസ് | pa ਡਾਕਖਾਨਾ | my စာတိုက် | km ប្រៃសណីយ៍ | lo ໄປສະນີ | fil tanggapan ng koreo | ht lapòs | rw iposita | mg paositra | ps پوسته خانه
amenity/police | be міліцыя | ky милиция | tg милитсия | tk polisiýa | mr पोलीस ठाणे | gu પોલીસ સ્ટેશન | te పోలీస్ స్టేషన్ | kn ಪೊಲೀಸ್ ಠಾಣೆ | ml പോലീസ് സ്റ്റേഷൻ | pa ਥਾਣਾ | my ရဲစခန်း | km ប៉ុស្តិ៍ប៉ូលីស | lo ສະຖານີຕຳຫຼວດ | fil istasyon ng pulis,presinto | ht lapolis,komisarya | so saldhig booliis | rw polisi | ps د پولیسو مرکز
amenity/place_of_worship/muslim | ky мечит | tg масҷид | tk metjit | mr मशीद | gu મસ્જિદ | te మసీదు | kn ಮಸೀದಿ | ml പള്ളി | my ဗလီ | km វិហារអ៊ីស្លាម | fil moske | so masjid,masaajid | rw umusigiti | ps جومات
amenity/place_of_worship/christian | be царква,касцёл | ky чиркөө | mr चर्च | gu ચર્ચ | te చర్చి | kn ಚರ್ಚ್ | ml ചർച്ച് | my ဘုရားရှိခိုးကျောင်း | fil simbahan | ht legliz | rw kiliziya | mg fiangonana
amenity/place_of_worship/hindu | mr मंदिर | gu મંદિર | te దేవాలయం,గుడి | kn ದೇವಸ್ಥಾನ | ml ക്ഷേത്രം
amenity/place_of_worship/sikh | pa ਗੁਰਦੁਆਰਾ
amenity/place_of_worship/buddhist | my ဘုရား,ဘုန်းကြီးကျောင်း | km វត្ត | lo ວັດ
leisure/fitness_centre | be трэнажорная зала,фітнес | ky спортзал,фитнес | mr जिम,व्यायामशाळा | gu જિમ | te జిమ్ | kn ಜಿಮ್ | ml ജിം | pa ਜਿਮ | my အားကစားရုံ | km ក្លឹបហាត់ប្រាណ | lo ຟິດເນດ
shop/car_repair | be аўтасэрвіс | ky автосервис | tg автосервис | mr गॅरेज | gu ગેરેજ | te కార్ రిపేర్,గ్యారేజ్ | kn ಗ್ಯಾರೇಜ್ | ml വർക്ക്ഷോപ്പ് | my ကားပြင်ဆိုင်,ဝပ်ရှော့ | km យានដ្ឋាន | lo ຮ້ານສ້ອມລົດ | fil talyer | ht garaj,mekanisyen | ps ورکشاپ
amenity/bureau_de_change | be абмен валют | ky валюта алмаштыруу | tg мубодилаи асъор | my ငွေလဲကောင်တာ | km ហាងប្តូរប្រាក់ | lo ບ່ອນແລກປ່ຽນເງິນ | fil palitan ng pera | so sarrifka | ps صرافي
shop/clothes | be адзенне | ky кийим | tg либос | mr कपड्यांचे दुकान | gu કપડાંની દુકાન | te బట్టల దుకాణం | kn ಬಟ್ಟೆ ಅಂಗಡಿ | ml തുണിക്കട | pa ਕੱਪੜਿਆਂ ਦੀ ਦੁਕਾਨ | my အဝတ်အထည်ဆိုင် | km ហាងសម្លៀកបំពាក់ | lo ຮ້ານເສື້ອຜ້າ | fil damitan
`;

type Everyday = { language: string; kinds: readonly string[]; words: readonly string[] };

/** What is searched by these words: the language, the kinds and the words of each. */
export const everydayWorldwide: readonly Everyday[] = lines
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [kinds = "", ...wordings] = line.split(" | ");
    return wordings.map((wording) => {
      const at = wording.indexOf(" ");
      return { language: wording.slice(0, at), kinds: kinds.split(" "), words: wording.slice(at + 1).split(",") };
    });
  });
