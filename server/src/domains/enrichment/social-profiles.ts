const profileCharactersMax = 2048;

/** A network: which hosts are its own, and what a path names, if it names a profile. */
type Network = { hosts: RegExp; profile(segments: string[], url: URL): string | undefined };

/**
 * The profile that a link names, in the one spelling that all links to it share, or undefined when
 * it is no profile: links to share something, to one post, or to the network itself.
 */
export function socialProfile(link: string): string | undefined {
  const url = URL.parse(link);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;

  const host = url.hostname.replace(/^(www|m|mobile|web|business|[a-z]{2}(-[a-z]{2})?)\.(?=[^.]+\.)/, "");
  const network = networks.find(({ hosts }) => hosts.test(host));
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const profile = network?.profile(segments, url);
  if (profile === undefined || profile.length > profileCharactersMax) return undefined;
  return vendors.has(
    profile
      .slice(profile.lastIndexOf("/") + 1)
      .replace(/^@/, "")
      .toLowerCase(),
  )
    ? undefined
    : profile;
}

/** A profile directly under the network's root, such as `/name` or `/@name`. */
function named(
  base: string,
  name: RegExp,
  isReserved: ReadonlySet<string> = new Set(),
  alsoUnder: readonly string[] = [],
) {
  return ([first = "", second, ...more]: string[]) => {
    const isHome = second === undefined || (more.length === 0 && alsoUnder.includes(second.toLowerCase()));
    return isHome && name.test(first) && !isReserved.has(first.toLowerCase()) ? base + first : undefined;
  };
}

/** A profile in a room of the network, such as `/company/name`. */
function inRoom(base: string, rooms: readonly string[], alsoUnder: readonly string[] = []) {
  return ([room = "", name, next, ...more]: string[]) => {
    const isHome = next === undefined || (more.length === 0 && alsoUnder.includes(next.toLowerCase()));
    return isHome && name !== undefined && rooms.includes(room.toLowerCase())
      ? `${base}${room.toLowerCase()}/${name}`
      : undefined;
  };
}

function words(text: string): Set<string> {
  return new Set(text.split(/\s+/));
}

const handle = /^[A-Za-z0-9_.]{1,50}$/;
const atHandle = /^@[A-Za-z0-9_.-]{1,100}$/;

const facebookName = named(
  "https://www.facebook.com/",
  /^(?!.*\.php$)[^/@]{2,200}$/,
  words(`sharer sharer.php share share.php dialog plugins tr login login.php events groups photo photo.php photos watch
  hashtag policies policy.php privacy help business settings l.php story.php permalink.php posts reel stories marketplace
  gaming ads about legal terms terms.php home.php recover profile.php pages people p media video.php videos v2.0`),
  ["about", "reviews", "info", "contact_info"],
);

const facebookProfile: Network["profile"] = (segments, url) => {
  const [room = "", name = "", id = ""] = segments;
  const number = url.searchParams.get("id") ?? "";
  if (room === "profile.php" && /^\d{5,20}$/.test(number)) return `https://www.facebook.com/profile.php?id=${number}`;
  if ((room === "pages" || room === "people") && /^\d{5,20}$/.test(id))
    return `https://www.facebook.com/${room}/${name}/${id}`;
  if (room === "p" && name !== "" && id === "") return `https://www.facebook.com/p/${name}`;
  return facebookName(segments);
};

const whatsappProfile: Network["profile"] = ([first = "", second], url) => {
  const written = first === "send" ? (url.searchParams.get("phone") ?? "") : first.replaceAll(/%[0-9a-f]{2}/gi, " ");
  const phone = written.replaceAll(/[^\d]/g, "");
  if (second === undefined && /^\d{6,15}$/.test(phone)) return `https://wa.me/${phone}`;
  if (first === "message" && second !== undefined) return `https://wa.me/message/${second}`;
  return first === "channel" && second !== undefined ? `https://whatsapp.com/channel/${second}` : undefined;
};

const networks: readonly Network[] = [
  { hosts: /^(facebook|fb)\.com$/, profile: facebookProfile },
  {
    hosts: /^instagram\.com$/,
    profile: named(
      "https://www.instagram.com/",
      handle,
      words("p reel reels explore stories accounts tv share about legal developer web direct s challenge"),
      ["reels", "tagged"],
    ),
  },
  {
    hosts: /^(x|twitter)\.com$/,
    profile: named(
      "https://x.com/",
      /^[A-Za-z0-9_]{1,15}$/,
      words(
        "intent share home search hashtag i login signup privacy tos explore settings widgets messages compose about",
      ),
    ),
  },
  {
    hosts: /^linkedin\.com$/,
    profile: inRoom("https://www.linkedin.com/", ["company", "in", "school", "showcase"], ["about"]),
  },
  {
    hosts: /^youtube\.com$/,
    profile: (segments) =>
      named("https://www.youtube.com/", atHandle, new Set(), ["videos", "featured", "about"])(segments) ??
      inRoom("https://www.youtube.com/", ["channel", "c", "user"], ["videos", "featured", "about"])(segments),
  },
  { hosts: /^tiktok\.com$/, profile: named("https://www.tiktok.com/", atHandle) },
  {
    hosts: /^pinterest\.(com|[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})$/,
    profile: named(
      "https://www.pinterest.com/",
      /^[A-Za-z0-9_-]{2,60}$/,
      words("pin search ideas categories explore settings business login about today"),
    ),
  },
  {
    hosts: /^(t|telegram)\.me$/,
    profile: ([first = "", ...rest]) =>
      named(
        "https://t.me/",
        /^[A-Za-z]\w{3,31}$/,
        words("share joinchat addstickers proxy iv login"),
      )(first === "s" ? rest : [first, ...rest]),
  },
  { hosts: /^(wa\.me|whatsapp\.com|api\.whatsapp\.com)$/, profile: whatsappProfile },
  { hosts: /^threads\.(net|com)$/, profile: named("https://www.threads.net/", atHandle) },
  { hosts: /^bsky\.app$/, profile: inRoom("https://bsky.app/", ["profile"]) },
  { hosts: /^snapchat\.com$/, profile: inRoom("https://www.snapchat.com/", ["add"]) },
  { hosts: /^xing\.com$/, profile: inRoom("https://www.xing.com/", ["companies", "pages", "profile"]) },
  {
    hosts: /^vk\.com$/,
    profile: named("https://vk.com/", /^[A-Za-z0-9_.]{3,50}$/, words("share share.php login feed away.php video wall")),
  },
  {
    hosts: /^vimeo\.com$/,
    profile: named(
      "https://vimeo.com/",
      /^(?!\d+$)\w{3,50}$/,
      words("channels groups categories watch upload about help"),
    ),
  },
  {
    hosts: /^twitch\.tv$/,
    profile: named("https://www.twitch.tv/", /^\w{3,25}$/, words("videos directory downloads login jobs")),
  },
];

/** The accounts of the networks and of those who make websites, which stand in many a footer. */
const vendors = words(`wix wixcom wixpress wordpress wordpressdotcom squarespace shopify godaddy jimdo weebly webflow
  duda elementor facebook facebookapp instagram meta twitter x youtube google tiktok pinterest linkedin telegram whatsapp`);
