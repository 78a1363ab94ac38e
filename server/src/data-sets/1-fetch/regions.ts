import { phraseOf } from "../../text/words.ts";

/** Where the extracts are taken from unless configured otherwise: Geofabrik's daily ones. */
export const defaultExtractBase = "https://download.geofabrik.de/";

// The server's own folders with the regions in them, by the names it gives them.
const folders: Readonly<Record<string, string>> = {
  africa:
    "algeria angola benin botswana burkina-faso burundi cameroon cape-verde central-african-republic chad comores congo-brazzaville congo-democratic-republic djibouti egypt equatorial-guinea eritrea ethiopia gabon ghana guinea guinea-bissau ivory-coast kenya lesotho liberia libya madagascar malawi mali mauritania mauritius morocco mozambique namibia niger nigeria rwanda senegal-and-gambia seychelles sierra-leone somalia south-africa south-sudan sudan swaziland tanzania togo tunisia uganda zambia zimbabwe",
  asia: "afghanistan armenia azerbaijan bangladesh bhutan cambodia china east-timor gcc-states india indonesia iran iraq israel-and-palestine japan jordan kazakhstan kyrgyzstan laos lebanon malaysia-singapore-brunei maldives mongolia myanmar nepal north-korea pakistan philippines south-korea sri-lanka syria taiwan tajikistan thailand turkmenistan uzbekistan vietnam yemen",
  "australia-oceania": "australia fiji new-caledonia new-zealand papua-new-guinea samoa tonga vanuatu",
  "central-america":
    "bahamas belize costa-rica cuba el-salvador guatemala haiti-and-domrep honduras jamaica nicaragua panama",
  europe:
    "albania andorra austria azores belarus belgium bosnia-herzegovina bulgaria croatia cyprus czech-republic denmark estonia faroe-islands finland france georgia germany greece guernsey-jersey hungary iceland ireland-and-northern-ireland isle-of-man italy kosovo latvia liechtenstein lithuania luxembourg macedonia malta moldova monaco montenegro netherlands norway poland portugal romania serbia slovakia slovenia spain sweden switzerland turkey ukraine united-kingdom",
  "europe/germany":
    "baden-wuerttemberg bayern berlin brandenburg bremen hamburg hessen mecklenburg-vorpommern niedersachsen nordrhein-westfalen rheinland-pfalz saarland sachsen sachsen-anhalt schleswig-holstein thueringen",
  "north-america": "canada greenland mexico us",
  "south-america": "argentina bolivia brazil chile colombia ecuador guyana paraguay peru suriname uruguay venezuela",
};

/** What people call some of them. */
const otherNames: Readonly<Record<string, string>> = {
  "great britain": "europe/united-kingdom",
  uk: "europe/united-kingdom",
  ireland: "europe/ireland-and-northern-ireland",
  czechia: "europe/czech-republic",
  "bosnia and herzegovina": "europe/bosnia-herzegovina",
  "north macedonia": "europe/macedonia",
  "united states": "north-america/us",
  usa: "north-america/us",
  bavaria: "europe/germany/bayern",
  singapore: "asia/malaysia-singapore-brunei",
  malaysia: "asia/malaysia-singapore-brunei",
  israel: "asia/israel-and-palestine",
  "united arab emirates": "asia/gcc-states",
  "saudi arabia": "asia/gcc-states",
  "dominican republic": "central-america/haiti-and-domrep",
};

let pathsByName: Map<string, string> | undefined;

/** The path of a region's extract: by a name people use, or as it stands when it is one already. */
export function extractPath(region: string): string | undefined {
  if (/^[a-z]+(-[a-z]+)*(\/[a-z]+(-[a-z]+)*)+$/.test(region)) return `${region}-latest.osm.pbf`;
  pathsByName ??= new Map([
    ...Object.keys(folders).map((folder): [string, string] => [phraseOf(folder), folder]),
    ...Object.entries(folders).flatMap(([folder, names]) =>
      names.split(" ").map((name): [string, string] => [phraseOf(name), `${folder}/${name}`]),
    ),
    ...Object.entries(otherNames),
  ]);
  const path = pathsByName.get(phraseOf(region));
  return path && `${path}-latest.osm.pbf`;
}
