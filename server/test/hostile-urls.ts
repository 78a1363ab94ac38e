// Hosts and URLs that an attacker may try, made up here. Whatever takes a URL from a customer is
// tested with all of them.

/** Spellings of this machine's own addresses. */
const loopbackHosts = words(`
  127.0.0.1 127.1 127.0.1 127.0.0.1. 127.1. 127.0.0.2 127.127.127.127 127.255.255.254 2130706433 2130706433.
  0x7f000001 0X7F000001 0x7f000001. 0x7f.1 0x7F.0x0.0x0.0x1 0x7f.0.1 017700000001 0177.1 0177.0.0.1 0177.0x0.0.01
  127.0.0.0x1 127.0.0.01 127.0x0.1 00000177.0.0.1 0 0. 0.0 0.0.0.0 0x0 00 0000000000000 0.0.0.1 0x00000000 0x0.0x0
  %31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.%31 %30x7f000001 ①②⑦.⓪.⓪.① １２７.０.０.１ 𝟏𝟐𝟕.𝟎.𝟎.𝟏 127。0。0。1 127．0．0．1
  127｡0｡0｡1 0ｘ7f000001 127.0.0.1\u00ad 127.0.0.\u200b1 12\u00ad7.0.0.1 [::1] [::] [0:0:0:0:0:0:0:1]
  [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1] [::0.0.0.1] [::127.0.0.1] [::7f00:1]
  [::ffff:127.0.0.1] [::FFFF:7F00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0:0] [::ffff:0:127.0.0.1]
  [0:0:0:0:ffff:0:7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]
  [2002:7f00:0001::1] [2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:80ff:fffe] [2600::5efe:127.0.0.1]
  [2600::200:5efe:7f00:1] [2600:1:2:3:0:5efe:7f00:1] [fe80::5efe:127.0.0.1] [::1%25lo] [::1%lo] [fe80::1%25eth0]
  [fe80::1%eth0] [::1%251] [::ffff:127.0.0.1%25lo] localhost LOCALHOST localhost. %6c%6f%63%61%6c%68%6f%73%74
  ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ LocalHost
`);

/** Addresses of private and reserved networks. */
const privateHosts = words(`
  10.0.0.1 10.255.255.255 167772161 0xa000001 012.0.0.1 10.1 100.64.0.1 100.127.255.254 169.254.169.254
  169.254.170.2 2852039166 0xa9fea9fe 0xA9.0xFE.0xA9.0xFE 0251.0376.0251.0376 169.254.43518 168.63.129.16
  0xa83f8110 172.16.0.1 172.31.255.255 172.1048577 192.168.0.1 192.168.257 3232235521 192.0.0.1 192.0.0.170
  192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255 4294967295 0xffffffff 037777777777 [fc00::1] [fd00:ec2::254] [fdff:ffff::1] [fe80::1] [febf::1]
  [fec0::1] [ff02::1] [ff0e::1] [100::1] [100:0:0:1::1] [5f00::1] [2001:db8::1] [2001:2::1] [2001:10::1]
  [2001:20::1] [3fff::1] [2620:4f:8000::1] [4000::1] [8000::1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]
  [::ffff:a9fe:a9fe] [::10.0.0.1] [64:ff9b::10.0.0.1] [64:ff9b::169.254.169.254] [64:ff9b:1::192.168.0.1]
  [2002:a00:1::] [2002:a9fe:a9fe::] [2002:c0a8:1::1] [2600::5efe:10.0.0.1] [2600::5efe:169.254.169.254]
  [::ffff:0:0:0]
`);

export const hostileHosts: readonly string[] = [...loopbackHosts, ...privateHosts];

/** Spellings of a whole URL. */
const spellings = [
  ...words(`
  http:127.0.0.1:PORT/ http:/127.0.0.1:PORT/ http:///127.0.0.1:PORT/ HTTP://127.0.0.1:PORT/
  http://user@127.0.0.1:PORT/ http://user:word@127.0.0.1:PORT/ http://:word@127.0.0.1:PORT/
  http://@127.0.0.1:PORT/ http://example.com@127.0.0.1:PORT/ http://example.com:80@127.0.0.1:PORT/
  http://example.com%40127.0.0.1:PORT/ http://127.0.0.1:PORT@example.com/ http://127.0.0.1:PORT#@example.com/
  http://127.0.0.1:PORT?@example.com/ http://127.0.0.1:0PORT/ http://127.0.0.1:PORT/../../ http://127.0.0.1:PORT//
  http://[::1]:PORT/ http://[::1]:PORT#x http://[::1].:PORT/ http://[::1]x:PORT/ http://::1:PORT/
  http://[127.0.0.1]:PORT/ http://127.0.0.1%00:PORT/ http://127.0.0.1%0d%0aHost:x:PORT/ http://127.0.0.1%20:PORT/
  http://:PORT/ http:// http: 127.0.0.1:PORT //127.0.0.1:PORT/ / PORT file:///etc/passwd file://127.0.0.1/x
  ftp://127.0.0.1:PORT/ gopher://127.0.0.1:PORT/_x ws://127.0.0.1:PORT/ wss://127.0.0.1:PORT/
  unix:/var/run/docker.sock http+unix://%2fvar%2frun%2fdocker.sock/ data:text/plain,x javascript:alert(1)
  blob:http://127.0.0.1:PORT/x about:blank view-source:http://127.0.0.1:PORT/ dict://127.0.0.1:PORT/
  http://127.0.0.1:0/ http://127.0.0.1:65536/ http://127.0.0.1:-1/ http://127.0.0.1:PORT:80/
  http://256.256.256.256/ http://1.2.3.4.5/ http://09.0.0.1:PORT/ http://0x7f.0x0.0x0.0xg:PORT/ http://4294967296/
  http://127.0.0.1..:PORT/
  `),
  // With white space and backslashes, which a browser drops or turns.
  "http:\\\\127.0.0.1:PORT\\",
  "  http://127.0.0.1:PORT/  ",
  "ht\ntp://127.0.0.1:PORT/",
  "http://127.0.\t0.1:PORT/",
  "http:/\t/127.0.0.1:PORT/",
  "http://127.0.0.1:PORT\\@example.com/",
  "http://127.0.0.1 :PORT/",
  "http://a b:PORT/",
  "",
  " ",
  "\u0000",
];

/** Every hostile URL, aimed at a listener on loopback. */
export function hostileUrls(port: number): string[] {
  return [
    ...hostileHosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]),
    ...spellings.map((spelling) => spelling.replaceAll("PORT", String(port))),
  ];
}

/** What names that an attacker owns may answer. */
export const hostileAnswers: Readonly<Record<string, string[]>> = {
  "loopback.attacker.test": ["127.0.0.1"],
  "loopback6.attacker.test": ["::1"],
  "mapped.attacker.test": ["::ffff:127.0.0.1"],
  "mapped-hex.attacker.test": ["::ffff:7f00:1"],
  "unspecified.attacker.test": ["0.0.0.0"],
  "metadata.attacker.test": ["169.254.169.254"],
  "private.attacker.test": ["10.0.0.1"],
  "unique-local.attacker.test": ["fd00::1"],
  "link-local.attacker.test": ["fe80::1%lo"],
  "zoned.attacker.test": ["2600::1%lo"],
  "nat64.attacker.test": ["64:ff9b::7f00:1"],
  "first-public.attacker.test": ["93.184.216.34", "127.0.0.1"],
  "first-private.attacker.test": ["127.0.0.1", "93.184.216.34"],
  "public-and-loopback6.attacker.test": ["93.184.216.34", "2606:4700::1", "::1"],
  "many.attacker.test": [...Array.from({ length: 40 }, (_, index) => `93.184.216.${index}`), "127.0.0.1"],
  "nothing.attacker.test": [],
  "a-name.attacker.test": ["localhost"],
  "decimal.attacker.test": ["2130706433"],
  "short.attacker.test": ["127.1"],
  "empty.attacker.test": [""],
};

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
