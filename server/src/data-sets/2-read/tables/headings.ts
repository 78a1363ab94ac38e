/** What exports call their columns, the most telling first. Blanks, case, accents and signs do not count. */
export const headings = {
  id: "id,osm id,place id,identifier,uid,uuid,fid,objectid,gid",
  name: names(
    "name,title,business name,company,company name,store name,shop name,place name,names primary,nom,nombre,nome,naam,bezeichnung,firma,firmenname,raison sociale,enseigne,razon social,denominazione,insegna,bedrijfsnaam",
    "nazwa,název,názov,név,nume,denumire,naziv,ime,namn,navn,nimi,nosaukums,pavadinimas,isim,adı,unvan,ad,tên",
    "όνομα,επωνυμία,название,наименование,назва,найменування,име,наименование на обекта,שם,اسم,الاسم,نام,नाम,নাম",
    "名称,名前,店名,店舗名,施設名,名稱,이름,명칭,상호,상호명,업소명,사업장명,ชื่อ,nama",
  ),
  latitude: names(
    "latitude,lat,y,geo lat,coord y,breitengrad,geographische breite,breite,latitud,latitudine,breedtegraad",
    "szerokość geograficzna,szerokość,zeměpisná šířka,šířka,szélesség,földrajzi szélesség,geografska širina,zemljepisna širina,breddegrad,breddgrad,leveysaste,leveyspiiri,laiuskraad,platums,platuma,enlem,vĩ độ,lintang",
    "γεωγραφικό πλάτος,πλάτος,широта,географска ширина,ширина,קו רוחב,خط العرض,دائرة العرض,عرض جغرافیایی,अक्षांश,緯度,纬度,위도,ละติจูด",
  ),
  longitude: names(
    "longitude,lon,lng,long,x,geo lon,geo lng,coord x,längengrad,geographische länge,länge,longitud,longitudine,lengtegraad",
    "długość geograficzna,długość,zeměpisná délka,zemepisná dĺžka,délka,hosszúság,földrajzi hosszúság,geografska dužina,geografska dolžina,zemljepisna dolžina,længdegrad,lengdegrad,längdgrad,pituusaste,pituuspiiri,pikkuskraad,garums,ilguma,boylam,kinh độ,bujur",
    "γεωγραφικό μήκος,μήκος,долгота,довгота,географска дължина,дължина,географска дужина,קו אורך,خط الطول,طول جغرافیایی,देशांतर,経度,经度,經度,경도,ลองจิจูด",
  ),
  point:
    "wkt,point,geo point 2d,geo point,geopoint,lat lon,lat lng,lat long,latitude longitude,coordinates,coordinate,geometry,geom,the geom,location,geolocation,gps,gps coordinates,position,koordinaten,coordonnées,coordenadas,coordinate geografiche,coördinaten,współrzędne,souřadnice,koordinater,koordinatlar,координаты,координати,座標,坐标,좌표",
  category: names(
    "category,categories,categories primary,category name,main category,primary category,amenity,shop,tourism,office,craft,healthcare,leisure,type,kind,industry,business type,kategorie,catégorie,categoría,categoria,branche",
    "kategoria,kategori,luokka,kategorija,rodzaj,typ,κατηγορία,категория,категорія,тип,קטגוריה,الفئة,カテゴリ,カテゴリー,業種,分类,类别,類別,카테고리,업종,분류,หมวดหมู่,danh mục",
  ),
  street: names(
    "street,address,addr street,street address,address line 1,address1,straße,rue,calle,via,rua,straat,adresse,anschrift,dirección,indirizzo,endereço,adres",
    "ulica,ulice,utca,stradă,adresa,adresă,cím,gatuadress,adress,gade,gateadresse,katuosoite,osoite,aadress,adrese,adresas,cadde,sokak,địa chỉ,alamat",
    "διεύθυνση,улица,вулиця,адрес,адреса,כתובת,العنوان,عنوان,آدرس,पता,住所,所在地,地址,도로명주소,주소,소재지,ที่อยู่",
  ),
  houseNumber: names(
    "house number,housenumber,addr housenumber,street number,house no,hausnummer,numero,nr,numero civico,huisnummer",
    "numer domu,nr domu,číslo popisné,házszám,husnummer,номер дома,номер будинку",
  ),
  city: names(
    "city,town,addr city,locality,municipality,ort,stadt,ville,ciudad,città,cidade,plaats,stad,gemeinde,commune,municipio,comune,gemeente",
    "miasto,miejscowość,město,mesto,obec,város,település,oraș,localitate,grad,postort,kommun,kommune,poststed,kaupunki,kunta,linn,pilsēta,miestas,şehir,ilçe,thành phố,kota,by",
    "πόλη,город,населенный пункт,місто,град,עיר,المدينة,مدينة,شهر,शहर,市区町村,市町村,城市,도시,เมือง",
  ),
  region: names(
    "region,state,province,addr state,county,bundesland,provincia,estado,kanton,canton,regione,provincie",
    "województwo,megye,județ,županija,län,fylke,maakunta,maakond,περιφέρεια,νομός,область,регион,регіон,都道府県,省份,시도,จังหวัด,tỉnh,provinsi",
  ),
  postalCode: names(
    "postal code,postcode,zip,zipcode,zip code,addr postcode,plz,code postal,código postal,cap,cep,postleitzahl",
    "kod pocztowy,psč,irányítószám,irsz,cod poștal,poštanski broj,poštna številka,postnummer,postinumero,sihtnumber,pasta indekss,pašto kodas,posta kodu,mã bưu điện,kode pos",
    "ταχυδρομικός κώδικας,τκ,почтовый индекс,индекс,поштовий індекс,індекс,пощенски код,поштански број,מיקוד,الرمز البريدي,کد پستی,पिन कोड,郵便番号,邮编,邮政编码,郵遞區號,우편번호,รหัสไปรษณีย์",
  ),
  country: names(
    "country code,country,addr country,land,pays,país,paese",
    "země,krajina,ország,țară,država,maa,riik,valsts,šalis,ülke,quốc gia,negara,χώρα,страна,країна,държава,מדינה,الدولة,کشور,देश,国,国家,國家,국가,ประเทศ",
  ),
  phone: names(
    "phone,telephone,tel,phone number,telephone number,phones,contact phone,telefon,telefono,telefone,telefoon,telefonnummer,telefoonnummer,mobile,mobile phone,mobile number,phone 1,phone1,phone 2,phone2",
    "numer telefonu,telefonní číslo,telefonszám,tlf,puhelin,puhelinnumero,telefons,telefonas,điện thoại,số điện thoại,telepon",
    "τηλέφωνο,телефон,номер телефона,номер телефону,טלפון,هاتف,الهاتف,رقم الهاتف,تلفن,फ़ोन,電話,電話番号,电话,电话号码,联系电话,電話號碼,전화,전화번호,연락처,โทรศัพท์",
  ),
  website: names(
    "website,url,web,homepage,site,websites,web site,contact website,webseite,sitio web,sito,site web,página web,sito web,site internet",
    "strona www,strona internetowa,www,webové stránky,weboldal,honlap,webbplats,hemsida,hjemmeside,nettside,verkkosivu,kotisivu,koduleht,web sitesi,trang web",
    "ιστοσελίδα,ιστότοπος,сайт,веб сайт,אתר,الموقع الإلكتروني,وب سایت,वेबसाइट,ホームページ,ウェブサイト,网站,网址,網站,網址,홈페이지,웹사이트,เว็บไซต์",
  ),
  email: names(
    "email,e mail,mail,emails,email address,contact email,correo,courriel,correo electrónico",
    "epost,e post,sähköposti,e posta,электронная почта,почта,електронна пошта,имейл,אימייל,البريد الإلكتروني,ایمیل,ईमेल,メール,メールアドレス,邮箱,电子邮件,電子郵件,이메일,อีเมล",
  ),
  openingHours: names(
    "opening hours,hours,openinghours,business hours,öffnungszeiten,horaires,horaires d ouverture,horario,horarios,horário,orari,orario,openingstijden",
    "godziny otwarcia,otevírací doba,otváracie hodiny,nyitvatartás,orar,radno vrijeme,delovni čas,öppettider,åbningstider,åpningstider,aukioloajat,lahtiolekuajad,çalışma saatleri,giờ mở cửa,jam buka",
    "ώρες λειτουργίας,ωράριο,часы работы,режим работы,время работы,графік роботи,години роботи,работно време,радно време,שעות פתיחה,ساعات العمل,営業時間,营业时间,營業時間,영업시간,운영시간,เวลาทำการ",
  ),
  description: names(
    "description,beschreibung,descripción,descrizione,descrição,omschrijving",
    "opis,popis,leírás,descriere,beskrivning,beskrivelse,kuvaus,açıklama,περιγραφή,описание,опис,תיאור,الوصف,説明,描述,说明,설명",
  ),
  businessStatus: "business status,operating status,operational status,status",
  permanentlyClosed: "permanently closed,closed permanently,is permanently closed",
  brand: "brand,chain,marke,marque,marca,merk,marka,značka,бренд,марка",
} as const;

function names(...lists: readonly string[]): string {
  return lists.join(",");
}
