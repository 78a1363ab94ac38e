import { domainToASCII } from "node:url";
import { parse } from "tldts";
import { IsEmail } from "typebox/format";

const emailCharactersMax = 254;
const localCharactersMax = 64;
/** As much of the text before an `@`: a local part, and what may stand in front of it. */
const stretchCharacters = localCharactersMax + 16;
const candidatesMax = 2000;

/** What stands before an `@`, letters with accents included, so that a word is seen whole. */
const localPart = /[\p{Script=Latin}\p{M}0-9._%+'-]+$/u;
const notAscii = /[^\x21-\x7e]/;
/** Characters that nobody sees: soft hyphens, spaces without a width, and NUL, which browsers leave out. */
const invisible = /[\0\u00ad\u200b\u2060\ufeff]/g;

/**
 * The addresses in a text, plain or written so that machines overlook them. Every `@` is looked at
 * with a bounded stretch of text around it, which keeps the effort linear in the text's length.
 */
export function emailsIn(text: string): string[] {
  const shown = text.replace(invisible, "");
  const plain = shown.replace(writtenAt, "@").replace(writtenDot, ".").replaceAll("＠", "@");
  const emails: string[] = [];
  for (let at = plain.indexOf("@"), seen = 0; at !== -1 && seen < candidatesMax; at = plain.indexOf("@", at + 1)) {
    seen += 1;
    const [before = ""] = localPart.exec(plain.slice(Math.max(0, at - stretchCharacters), at)) ?? [];
    const local = before.replace(/^[^A-Za-z0-9]+/, "");
    const after = /^[\p{L}\p{N}.-]+/u.exec(plain.slice(at + 1, at + 1 + 253))?.[0] ?? "";
    // The end of a longer word is somebody else's address, if it is any: müller@ is not ller@.
    if (local.length > localCharactersMax || notAscii.test(before)) continue;
    const email = toEmail(local, after);
    if (email !== undefined) emails.push(email);
  }
  return emails;
}

/** The addresses that a `mailto:` link writes to. */
export function emailsInMailto(href: string): string[] {
  const [recipients = ""] = href.slice("mailto:".length).split("?");
  return emailsIn(decoded(recipients).replaceAll(/[,;]/g, " "));
}

/** Texts that a script puts together: `"info" + "@" + "example.com"`. */
const joinedTexts = /(?:"[^"\n]{0,80}"|'[^'\n]{0,80}')(?:\s{0,3}\+\s{0,3}(?:"[^"\n]{0,80}"|'[^'\n]{0,80}')){1,20}/g;

/** The addresses that a script joins from their parts, as it writes them into the page. */
export function emailsInScript(code: string): string[] {
  const joined = [...code.matchAll(joinedTexts)].map(([parts]) => parts.replaceAll(/["']\s*\+\s*["']|["']/g, ""));
  return emailsIn(joined.map((each) => each.replace(/^.*mailto:/i, "")).join("\n"));
}

/** An address as Cloudflare hides it: the first byte, in hexadecimal, masks all others. */
export function emailInCloudflareCode(code: string): string[] {
  if (!/^([0-9a-f]{2}){4,300}$/i.test(code)) return [];
  const [mask = 0, ...masked] = Buffer.from(code, "hex");
  return emailsIn(Buffer.from(masked.map((byte) => byte ^ mask)).toString("utf8"));
}

/** Whether an address can be the business's own: not an example, not its website's toolmaker. */
export function isOwnEmail(email: string, websiteDomain: string): boolean {
  const [local = "", domain = ""] = email.split("@");
  const owner = parse(domain).domain ?? domain;
  if (/^[0-9a-f]{24,}$/.test(local)) return false; // a key of an error tracker
  if (owner === websiteDomain) return !placeholderNames.has(local);
  return !placeholderNames.has(local) && !placeholderDomain.test(owner) && !vendorDomains.has(owner);
}

// "name [at] example (dot) com", in the words that sites of several languages use.
const opening = String.raw`\s{0,3}[[({<]\s{0,2}`;
const closing = String.raw`\s{0,2}[\])}>]\s{0,3}`;
const writtenAt = new RegExp(
  `${opening}(?:@|at|ät|arroba|arobase|chiocciola|kukac|zavin[aá][cč]|malpa|małpa)${closing}`,
  "giu",
);
const writtenDot = new RegExp(`${opening}(?:\\.|dot|punkt|punto|point|ponto|pont|piste|tečka|kropka)${closing}`, "giu");

function toEmail(local: string, host: string): string | undefined {
  const labels = host.replace(/[.-]+$/, "");
  const { isIcann, domain } = parse(labels);
  if (local === "" || !isIcann || !domain || imageScale.test(labels) || fileEnding.test(labels)) return undefined;

  const email = `${local}@${domainToASCII(labels)}`.toLowerCase();
  return email.length <= emailCharactersMax && IsEmail(email) ? email : undefined;
}

/** logo@2x.ai is a picture. */
const imageScale = /^\d+(\.\d+)?x\./i;
const fileEnding = /\.(png|jpe?g|gif|svg|webp|avif|ico|bmp|css|m?js|json|mp4|webm|woff2?|ttf|pdf|html?|php)$/i;

const placeholderNames = new Set(
  `your you yourname your.name your-name your_name youremail your.email your-email yourmail name.surname
  firstname.lastname first.last name.lastname vorname.nachname ihr.name ihre.email deine.email max.mustermann
  erika.mustermann prenom.nom nom.prenom votre.nom votre.email nombre.apellido tu.correo tucorreo tuemail nome.cognome
  seu.email seuemail john.doe jane.doe johndoe janedoe jan.kowalski someone somebody user.name username filler
  noreply no-reply donotreply do-not-reply do_not_reply`.split(/\s+/),
);

const placeholderDomain =
  /^(example|exemple|ejemplo|beispiel|esempio|domain|domaine|dominio|your-?domain|your-?company|your-?site|your-?website|your-?email|my-?site|my-?domain|my-?company|some-?domain|company|website|site|address|mustermann|musterfirma|test|sample|placeholder|acme)\.[a-z.]+$|^email\.com$/;

const vendorDomains = new Set(
  `sentry.io sentry-next.io wixpress.com wix.com wixsite.com squarespace.com wordpress.com wordpress.org
  automattic.com shopify.com myshopify.com godaddy.com secureserver.net weebly.com webflow.com webflow.io jimdo.com
  duda.co strato.de ionos.com ionos.de cloudflare.com google.com gstatic.com googleapis.com facebook.com fb.com
  instagram.com twitter.com x.com linkedin.com youtube.com apple.com microsoft.com w3.org schema.org jquery.com
  fontawesome.com mailchimp.com hubspot.com zendesk.com intercom.io hotjar.com cookiebot.com usercentrics.com
  onetrust.com iubenda.com elementor.com elegantthemes.com themeforest.net envato.com typo3.org joomla.org drupal.org`.split(
    /\s+/,
  ),
);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
