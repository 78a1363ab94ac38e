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
Saint Petersburg RU: Sankt Petersburg, Saint-Pétersbourg, San Petersburgo, San Pietroburgo, Санкт-Петербург, Петербург
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
Delhi IN: दिल्ली
Mumbai IN: Bombay, मुंबई
Kolkata IN: Calcutta
Chennai IN: Madras
Bengaluru IN: Bangalore
Bangkok TH: Krung Thep, กรุงเทพ
Hanoi VN: Hà Nội
Ho Chi Minh City VN: Ho Chi Minh, Saigon, Sài Gòn
Yangon MM: Rangoon
Beijing CN: Peking, Pékin, Pekín, Pechino, Pequim, 北京
Shanghai CN: 上海
Guangzhou CN: Kanton, 广州
Shenzhen CN: 深圳
Chengdu CN: 成都
Hong Kong HK: Hongkong, 香港
Taipei TW: 台北, 臺北
Seoul KR: Séoul, Seúl, 서울, ソウル
Busan KR: Pusan, 부산
Tokyo JP: Tokio, Tóquio, 東京, 东京, Токио
Osaka JP: 大阪
Kyoto JP: Kioto, Quioto, 京都
Nagoya JP: 名古屋
Yokohama JP: 横浜
Sapporo JP: 札幌
Fukuoka JP: 福岡
Hiroshima JP: 広島
Kobe JP: 神戸
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
