import { deflateSync } from "node:zlib";

/** Writes small extracts, for tests and as the country that comes along: what the reader reads, the other way around. */
export type SampleNode = { id: number; latitude: number; longitude: number; tags?: Record<string, string> };
export type SampleWay = {
  id: number;
  refs: number[];
  tags?: Record<string, string>;
  /** Where its nodes lie, in a file with `LocationsOnWays`. */
  points?: [latitude: number, longitude: number][];
};
export type SampleRelation = {
  id: number;
  members: { type: 0 | 1 | 2; id: number; role: string }[];
  tags?: Record<string, string>;
};
export type Sample = { nodes?: SampleNode[]; ways?: SampleWay[]; relations?: SampleRelation[] };
type SampleOptions = { features?: string[]; pack?: "zlib" | "raw" | "lz4"; isDense?: boolean; replicatedAt?: number };

export function writeSample({ nodes, ways, relations }: Sample, options: SampleOptions = {}): Buffer {
  const { features = ["OsmSchema-V0.6", "DenseNodes"], isDense = true, replicatedAt } = options;
  const header = features.map((feature) => field(4, Buffer.from(feature)));
  // Field 32, a number.
  if (replicatedAt !== undefined) header.push(Buffer.concat([varint(256), varint(replicatedAt)]));
  const blocks = [blob("OSMHeader", Buffer.concat(header), options.pack)];
  const add = (write: (texts: Texts) => Buffer) => {
    const texts = new Texts();
    const group = write(texts);
    blocks.push(blob("OSMData", Buffer.concat([field(1, texts.write()), field(2, group)]), options.pack));
  };
  if (nodes) add((texts) => (isDense ? field(2, denseNodes(nodes, texts)) : plainNodes(nodes, texts)));
  if (ways) add((texts) => Buffer.concat(ways.map((way) => field(3, writeWay(way, texts)))));
  if (relations) add((texts) => Buffer.concat(relations.map((relation) => field(4, writeRelation(relation, texts)))));
  return Buffer.concat(blocks);
}

/** One list of a block, as long as a test likes; its bytes are the list's own encoding. */
type HostileBlock =
  | { refs: Buffer; tags: Record<string, string>; pack?: SampleOptions["pack"] }
  | { members: Buffer; tags: Record<string, string> }
  | { pairs: Buffer }
  | { ids: Buffer; tags: Record<string, string> }
  | { groups: number }
  | { texts: number }
  | { isEmpty: true };

/** An extract with a block that real ones never have; without a header when it is empty. */
export function writeHostile(hostile: HostileBlock): Buffer {
  if ("isEmpty" in hostile) return frame("OSMData", Buffer.alloc(0));
  const texts = new Texts();
  const tags = "tags" in hostile ? writeTags(hostile.tags, texts) : Buffer.alloc(0);
  const object = (list: number, content: Buffer) => Buffer.concat([number(1, 1), tags, field(list, content)]);
  const group = () => {
    if ("refs" in hostile) return field(3, object(8, hostile.refs));
    if ("members" in hostile) return field(4, object(9, hostile.members));
    if (!("pairs" in hostile || "ids" in hostile)) return Buffer.alloc(0);
    const one = Buffer.from([2]);
    const lists = [field(1, "ids" in hostile ? hostile.ids : one), field(8, one), field(9, one)];
    return field(
      2,
      Buffer.concat([...lists, field(10, "ids" in hostile ? pairsOf(hostile.tags, texts) : hostile.pairs)]),
    );
  };
  const groups = "groups" in hostile ? Buffer.alloc(hostile.groups * 2, Buffer.from([0x12, 0])) : field(2, group());
  const table = "texts" in hostile ? Buffer.alloc(hostile.texts * 2, Buffer.from([0x0a, 0])) : texts.write();
  const pack = "pack" in hostile ? hostile.pack : "raw";
  return Buffer.concat([writeSample({}), blob("OSMData", Buffer.concat([field(1, table), groups]), pack)]);
}

/** As a packed node has them. */
function pairsOf(tags: Record<string, string>, texts: Texts): Buffer {
  const indexes = Object.entries(tags)
    .flat()
    .map((text) => texts.index(text));
  return packed([...indexes, 0]);
}

class Texts {
  /** The first ends the tags of a packed node. */
  readonly #indexes = new Map<string, number>();

  index(text: string): number {
    const known = this.#indexes.get(text) ?? this.#indexes.size + 1;
    this.#indexes.set(text, known);
    return known;
  }

  write(): Buffer {
    return Buffer.concat(["", ...this.#indexes.keys()].map((text) => field(1, Buffer.from(text))));
  }
}

function blob(type: string, content: Buffer, pack: SampleOptions["pack"] = "zlib"): Buffer {
  const packings = {
    zlib: () => Buffer.concat([number(2, content.length), field(3, deflateSync(content))]),
    raw: () => field(1, content),
    lz4: () => field(6, content),
  };
  return frame(type, packings[pack]());
}

function frame(type: string, body: Buffer): Buffer {
  const header = Buffer.concat([field(1, Buffer.from(type)), number(3, body.length)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, body]);
}

function denseNodes(nodes: SampleNode[], texts: Texts): Buffer {
  return Buffer.concat([
    field(1, packedDeltas(nodes.map(({ id }) => id))),
    field(8, packedDeltas(nodes.map(({ latitude }) => Math.round(latitude * 1e7)))),
    field(9, packedDeltas(nodes.map(({ longitude }) => Math.round(longitude * 1e7)))),
    field(10, Buffer.concat(nodes.map(({ tags = {} }) => pairsOf(tags, texts)))),
  ]);
}

function plainNodes(nodes: SampleNode[], texts: Texts): Buffer {
  return Buffer.concat(
    nodes.map(({ id, latitude, longitude, tags }) =>
      field(
        1,
        Buffer.concat([
          number(1, zigzag(id)),
          writeTags(tags, texts),
          number(8, zigzag(Math.round(latitude * 1e7))),
          number(9, zigzag(Math.round(longitude * 1e7))),
        ]),
      ),
    ),
  );
}

function writeWay({ id, refs, tags, points = [] }: SampleWay, texts: Texts): Buffer {
  const coordinates = (axis: 0 | 1) => packedDeltas(points.map((point) => Math.round(point[axis] * 1e7)));
  const located = points.length === 0 ? [] : [field(9, coordinates(0)), field(10, coordinates(1))];
  return Buffer.concat([number(1, id), writeTags(tags, texts), field(8, packedDeltas(refs)), ...located]);
}

function writeRelation({ id, members, tags }: SampleRelation, texts: Texts): Buffer {
  return Buffer.concat([
    number(1, id),
    writeTags(tags, texts),
    field(8, packed(members.map(({ role }) => texts.index(role)))),
    field(9, packedDeltas(members.map((member) => member.id))),
    field(10, packed(members.map(({ type }) => type))),
  ]);
}

function writeTags(tags: Record<string, string> = {}, texts: Texts): Buffer {
  const keys = packed(Object.keys(tags).map((key) => texts.index(key)));
  return Buffer.concat([field(2, keys), field(3, packed(Object.values(tags).map((value) => texts.index(value))))]);
}

function field(fieldNumber: number, content: Buffer): Buffer {
  return Buffer.concat([varint(fieldNumber * 8 + 2), varint(content.length), content]);
}

function number(fieldNumber: number, value: number): Buffer {
  return Buffer.concat([varint(fieldNumber * 8), value < 0 ? complement(value) : varint(value)]);
}

/** A negative number takes ten bytes. */
function complement(value: number): Buffer {
  const bits = BigInt.asUintN(64, BigInt(value));
  return Buffer.from(
    Array.from({ length: 10 }, (_, at) => Number((bits >> BigInt(at * 7)) & 0x7fn) | (at < 9 ? 0x80 : 0)),
  );
}

function packed(values: number[]): Buffer {
  const bytes: number[] = [];
  for (const value of values) addVarint(bytes, value);
  return Buffer.from(bytes);
}

function packedDeltas(values: number[]): Buffer {
  return packed(values.map((value, at) => zigzag(value - (values[at - 1] ?? 0))));
}

function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}

function varint(value: number): Buffer {
  return packed([value]);
}

function addVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
