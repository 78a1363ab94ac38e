const job = "job_01k5v7h2f4e8ka9s6c3d0b1x7k";
const collection = "col_01k91vd4f4fhas3m2ybt5prxcg";
const exported = "exp_01k5v7hq3me8ka9s6c3d0b1x7n";
const endpoint = "whe_01k5v7hq3me8ka9s6c3d0b1x7p";
const key = "key_01k5v7hq3me8ka9s6c3d0b1x7q";

/** One command line or more for each command, without the name of the program. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  search: ["search coffee in Vaduz", "search coffee in Vaduz --csv > coffee.csv"],
  scrape: ["scrape coffee in Vaduz --wait"],
  "jobs list": ["jobs list --status running"],
  "jobs show": [`jobs show ${job}`],
  "jobs wait": [`jobs wait ${job} --timeout 60`],
  "jobs cancel": [`jobs cancel ${job}`],
  "jobs delete": [`jobs delete ${job}`],
  results: [`results ${job} --csv --columns name,phone`],
  collect: ["collect dentists --area Vaduz --max-units 500 --output dentists.xlsx"],
  "collections estimate": ["collections estimate dentists --area Vaduz"],
  "collections list": ["collections list --limit 10"],
  "collections show": [`collections show ${collection}`],
  "collections follow": [`collections follow ${collection} --format xlsx`],
  "collections pause": [`collections pause ${collection}`],
  "collections resume": [`collections resume ${collection}`],
  "collections cancel": [`collections cancel ${collection}`],
  "collections delete": [`collections delete ${collection}`],
  export: [`export ${job} --output coffee.xlsx`, `export ${job} --format csv --columns all`],
  "exports list": ["exports list --limit 10"],
  "exports show": [`exports show ${exported}`],
  "exports download": [`exports download ${exported} --output coffee.xlsx`],
  "exports delete": [`exports delete ${exported}`],
  "webhooks list": ["webhooks list"],
  "webhooks create": ["webhooks create https://example.com/hook --events scrape.completed"],
  "webhooks show": [`webhooks show ${endpoint}`],
  "webhooks update": [`webhooks update ${endpoint} --status paused`],
  "webhooks delete": [`webhooks delete ${endpoint}`],
  "webhooks rotate": [`webhooks rotate ${endpoint}`],
  "webhooks test": [`webhooks test ${endpoint}`],
  "webhooks deliveries": [`webhooks deliveries ${endpoint} --limit 10`],
  "webhooks resend": ["webhooks resend dlv_01k5v7hq3me8ka9s6c3d0b1x7r"],
  "webhooks listen": ["webhooks listen --forward-to http://localhost:3000/hook"],
  mcp: ["mcp"],
  login: ["login --url https://waypost.example.com"],
  logout: ["logout"],
  serve: ["serve"],
  status: ["status"],
  doctor: ["doctor"],
  "keys create": ['keys create --name "web shop" --environment test'],
  "keys list": ["keys list"],
  "keys rotate": [`keys rotate ${key} --overlap 1`],
  "keys revoke": ['keys revoke "web shop" --reason "no longer needed"'],
  "keys generate": ["keys generate --environment test"],
  "org list": ["org list"],
  "org show": ["org show Acme"],
  "org create": ["org create --name Acme --allowance 50000"],
  "org set": ["org set Acme --allowance none"],
  "users list": ["users list --org Acme"],
  "users invite": ["users invite --email you@example.com --role owner"],
  "users reset": ["users reset you@example.com"],
  "users release": ["users release you@example.com"],
  "users remove": ["users remove you@example.com"],
  usage: ["usage --org Acme --months 3"],
  "secrets rekey": ["secrets rekey"],
  backup: ["backup waypost.backup"],
  restore: ["restore waypost.backup"],
  resume: ["resume"],
  "catalog import": ["catalog import shops.csv --mapping name=Company,latitude=Lat,longitude=Lon"],
  "catalog add": ["catalog add overture --area Vaduz", "catalog add liechtenstein"],
  "catalog update": ["catalog update --all"],
  "catalog list": ["catalog list"],
  "catalog stats": ["catalog stats"],
  "catalog explain": ['catalog explain "pizza near the station" --ll @47.14,9.52,14z'],
  "catalog remove": ["catalog remove shops"],
  "catalog suppress": [
    "catalog suppress osm:n240095767",
    "catalog suppress +4232321111",
    "catalog suppress example.com",
  ],
  "catalog correct": ['catalog correct osm:n240095767 "name=Café Amann" phone=+4232321111'],
  "catalog requests": ["catalog requests"],
  completion: ["completion bash > waypost.bash"],
};

/** Of a group of commands, whose first word it is; with an empty one, of the program. */
export function examplesOfGroup(group: string): string[] {
  if (group === "") return ["serve", "search", "collect"].flatMap((name) => examples[name]?.slice(0, 1) ?? []);
  return Object.entries(examples).flatMap(([name, lines]) => (name.startsWith(`${group} `) ? lines.slice(0, 1) : []));
}

export function examplesText(lines: readonly string[]): string {
  return ["", lines.length === 1 ? "Example:" : "Examples:", ...lines.map((line) => `  npx waypost ${line}`)].join(
    "\n",
  );
}
