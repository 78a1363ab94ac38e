/**
 * What great cities are called besides the one name that the package has for them: at home, in the languages queries
 * are read in, and for short. Each begins with the package's name and the country.
 */
// prettier-ignore
const facts = `
Munich DE: München, Muenchen, Múnich, Monaco di Baviera, Munique
Köln DE: Koeln, Cologne, Keulen
Nürnberg DE: Nuernberg, Nuremberg, Norimberga
Hannover DE: Hanover
Frankfurt am Main DE: Frankfurt, Francfort, Francoforte
Hamburg DE: Hambourg, Hamburgo, Amburgo
Berlin DE: Berlín, Berlino, Berlijn, Берлин, ベルリン
Vienna AT: Wien, Vienne, Viena, Wenen, Вена
Zürich CH: Zuerich, Zurigo, Zúrich
Genève CH: Geneva, Genf, Ginebra, Ginevra, Genebra
Basel CH: Bâle, Basilea, Basle
Bern CH: Berne, Berna
Luzern CH: Lucerne, Lucerna
Paris FR: Parigi, Parijs, París, Париж, パリ, باريس, 巴黎
Marseille FR: Marsella, Marsiglia, Marseilles
Strasbourg FR: Straßburg, Estrasburgo, Strasburgo
Nice FR: Nizza, Niza
Brussels BE: Bruxelles, Brussel, Brüssel, Bruselas, Bruxelas
Antwerpen BE: Antwerp, Anvers, Amberes, Anversa
Brugge BE: Bruges, Brügge
Gent BE: Ghent, Gand, Gante
Liège BE: Lüttich, Luik, Lieja
The Hague NL: Den Haag, La Haye, La Haya, L'Aia, Haia
London GB: Londres, Londra, Londen, Лондон, ロンドン, لندن, 伦敦
Edinburgh GB: Édimbourg, Edimburgo
Dublin IE: Dublín, Dublino
Rome IT: Roma, Rom, Рим, ローマ
Milan IT: Milano, Mailand, Milán, Milaan, Милан
Naples IT: Napoli, Neapel, Nápoles, Napels
Turin IT: Torino, Turín, Turijn
Florence IT: Firenze, Florenz, Florencia, Florença
Venice IT: Venezia, Venedig, Venise, Venecia, Veneza, Venetië
Genoa IT: Genova, Genua, Gênes, Génova
Padova IT: Padua, Padoue
Sevilla ES: Seville, Séville, Siviglia
Zaragoza ES: Saragossa, Saragosse
Barcelona ES: Barcelone, Barcellona, Барселона, バルセロナ
Madrid ES: Мадрид, マドリード
Lisbon PT: Lisboa, Lissabon, Lisbonne, Lisbona
Porto PT: Oporto
Copenhagen DK: København, Kopenhagen, Copenhague, Copenaghen
Göteborg SE: Gothenburg, Gotemburgo
Stockholm SE: Estocolmo, Stoccolma
Helsinki FI: Helsingfors
Warsaw PL: Warszawa, Warschau, Varsovie, Varsovia, Varsavia, Варшава
Kraków PL: Cracow, Krakau, Cracovie, Cracovia
Wrocław PL: Breslau
Gdańsk PL: Danzig
Prague CZ: Praha, Prag, Praga, Praag, Прага
Budapest HU: Будапешт
Bucharest RO: București, Bukarest, Bucarest
Belgrade RS: Beograd, Belgrad, Belgrado, Београд, Белград
Sofia BG: София
Athens GR: Athína, Athen, Athènes, Atenas, Atene, Athene, Αθήνα
Thessaloníki GR: Saloniki, Salonica, Θεσσαλονίκη
Istanbul TR: Estambul, Istanboul, Стамбул
Moscow RU: Moskva, Moskau, Moscou, Moscú, Mosca, Moskou, Москва, モスクワ, 莫斯科
Saint Petersburg RU: Sankt Petersburg, Saint-Pétersbourg, San Petersburgo, San Pietroburgo, Санкт-Петербург, Петербург, СПб, Питер
Kyiv UA: Kiev, Kiew, Київ, Киев
Odessa UA: Odesa, Одеса, Одесса
Kharkiv UA: Kharkov, Харків, Харьков
Minsk BY: Мінск, Минск
Tbilisi GE: Tiflis, თბილისი, Тбилиси
Yerevan AM: Jerewan, Երևան, Ереван
Nur-Sultan KZ: Astana, Астана
Almaty KZ: Алматы
Tashkent UZ: Toshkent, Ташкент
Jerusalem IL: Yerushalayim, Jérusalem, Jerusalén, Gerusalemme, ירושלים, القدس
Tel Aviv IL: תל אביב
Beirut LB: Beyrouth, بيروت
Damascus SY: Damaskus, Damasco, دمشق
Baghdad IQ: Bagdad, بغداد
Tehran IR: Teheran, Téhéran, تهران
Riyadh SA: الرياض
Jeddah SA: Dschidda, جدة
Mecca SA: Mekka, La Mecque, La Meca, مكة
Dubai AE: Dubái, Dubaï, دبي
Abu Dhabi AE: أبوظبي
Doha QA: الدوحة
Amman JO: عمان
Cairo EG: Kairo, Le Caire, El Cairo, Il Cairo, القاهرة, Каир
Alexandria EG: Alexandrie, Alejandría, الإسكندرية
Casablanca MA: الدار البيضاء
Marrakesh MA: Marrakech, Marrakesch, مراكش
Algiers DZ: Alger, Algier, Argel, Algeri, الجزائر
Tunis TN: Túnez, Tunisi, تونس
Delhi IN: दिल्ली, دہلی
Mumbai IN: Bombay, मुंबई
Kolkata IN: Calcutta, কলকাতা, कोलकाता
Chennai IN: Madras, சென்னை, चेन्नई
Bengaluru IN: Bangalore, ಬೆಂಗಳೂರು, बेंगलुरु
Bangkok TH: Krung Thep, กรุงเทพ, กรุงเทพมหานคร, กรุงเทพฯ
Hanoi VN: Hà Nội
Ho Chi Minh City VN: Ho Chi Minh, Saigon, Sài Gòn, TP HCM, TPHCM, HCMC
Yangon MM: Rangoon
Beijing CN: Peking, Pékin, Pekín, Pechino, Pequim, 北京
Shanghai CN: 上海
Guangzhou CN: Kanton, 广州
Shenzhen CN: 深圳
Chengdu CN: 成都
Hong Kong HK: Hongkong, 香港
Taipei TW: 台北, 臺北, 台北市, 臺北市
Seoul KR: Séoul, Seúl, 서울, 서울시, 서울특별시, ソウル
Busan KR: Pusan, 부산, 부산시
Tokyo JP: Tokio, Tóquio, 東京, 東京都, 东京, Токио
Osaka JP: 大阪, 大阪市
Kyoto JP: Kioto, Quioto, 京都
Nagoya JP: 名古屋
Yokohama JP: 横浜
Sapporo JP: 札幌
Fukuoka JP: 福岡
Hiroshima JP: 広島
Kobe JP: 神戸
Kawasaki JP: 川崎
Saitama JP: さいたま
Chiba JP: 千葉
Sendai JP: 仙台
Kitakyushu JP: 北九州
Kanazawa JP: 金沢
Nara-shi JP: Nara, 奈良
Naha JP: 那覇
Incheon KR: 인천
Daegu KR: 대구
Daejeon KR: 대전
Gwangju KR: 광주
Suwon KR: 수원
Ulsan KR: 울산
Jeju City KR: Jeju, 제주
Kaohsiung TW: 高雄
Taichung TW: 台中, 臺中
Tainan TW: 台南, 臺南
Chongqing CN: 重庆, 重慶
Tianjin CN: 天津
Wuhan CN: 武汉, 武漢
Xi’an CN: Xian, 西安
Hangzhou CN: 杭州
Nanjing CN: 南京
Suzhou CN: 苏州, 蘇州
Qingdao CN: 青岛, 青島
Chiang Mai TH: เชียงใหม่
Phuket TH: ภูเก็ต
Pattaya TH: พัทยา
Phnom Penh KH: ភ្នំពេញ
Vientiane LA: ວຽງຈັນ
Ulan Bator MN: Ulaanbaatar, Улаанбаатар
Kathmandu NP: काठमाडौं, काठमांडू
Dhaka BD: ঢাকা
Chittagong BD: Chattogram, চট্টগ্রাম
Karachi PK: کراچی
Lahore PK: لاہور
Islamabad PK: اسلام آباد
Kabul AF: کابل
Hyderabad IN: हैदराबाद, హైదరాబాద్
Jaipur IN: जयपुर
Pune IN: पुणे
Ahmedabad IN: अहमदाबाद, અમદાવાદ
Lucknow IN: लखनऊ
Agra IN: आगरा
Varanasi IN: वाराणसी
Isfahan IR: اصفهان
Shiraz IR: شیراز
Mashhad IR: مشهد
Tabriz IR: تبریز
Haifa IL: חיפה, حيفا
Beersheba IL: Beer Sheva, באר שבע
Netanya IL: נתניה
Eilat IL: אילת
Giza EG: الجيزة
Luxor EG: الأقصر
Aswan EG: أسوان
Hurghada EG: الغردقة
Port Said EG: بورسعيد
Basrah IQ: Basra, البصرة
Mosul IQ: الموصل
Erbil IQ: أربيل, هەولێر
Aleppo SY: حلب
Medina SA: المدينة المنورة
Dammam SA: الدمام
Sharjah AE: الشارقة
Manama BH: المنامة
Muscat OM: مسقط
Sanaa YE: صنعاء
Khartoum SD: الخرطوم
Tripoli LY: طرابلس
Rabat MA: الرباط
Fès MA: Fez, Fes, فاس
Tangier MA: Tanger, طنجة
Oran DZ: وهران
Addis Ababa ET: Addis Abeba, አዲስ አበባ
New York City US: New York, NYC, Nueva York, Nova York, Нью-Йорк, ニューヨーク
Washington, D.C. US: Washington, Washington DC
Los Angeles US: Los Ángeles
Philadelphia US: Philadelphie, Filadelfia
Mexico City MX: Ciudad de México, CDMX, Mexiko-Stadt
Havana CU: La Habana, Havanna, La Havane
Guatemala City GT: Ciudad de Guatemala
Quezon City PH: Quezon
`;

export type OtherNames = { name: string; country: string; others: readonly string[] };

export const otherNames: readonly OtherNames[] = facts
  .trim()
  .split("\n")
  .map((line) => {
    const [, name = "", country = "", others = ""] = /^(.+) ([A-Z]{2}): (.+)$/.exec(line) ?? [];
    return { name, country, others: others.split(", ") };
  });
