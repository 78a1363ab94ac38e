/**
 * Reads the wire format of Protocol Buffers in place. Numbers are doubles: ids of OpenStreetMap
 * stay far below 2^53.
 */
export class Wire {
  readonly bytes: Uint8Array;
  position: number;
  end: number;

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  get hasMore(): boolean {
    return this.position < this.end;
  }

  /** The number and the wire type of the next field, as one: `number * 8 + type`. */
  tag(): number {
    return this.varint();
  }

  varint(): number {
    const { bytes } = this;
    let at = this.position;
    let byte = bytes[at++] ?? cutOff();
    if (byte < 0x80) {
      this.position = at;
      return byte;
    }
    let value = byte & 0x7f;
    byte = bytes[at++] ?? cutOff();
    value |= (byte & 0x7f) << 7;
    if (byte >= 0x80) {
      byte = bytes[at++] ?? cutOff();
      value |= (byte & 0x7f) << 14;
      if (byte >= 0x80) {
        byte = bytes[at++] ?? cutOff();
        value |= (byte & 0x7f) << 21;
        let scale = 2 ** 28;
        while (byte >= 0x80) {
          byte = bytes[at++] ?? cutOff();
          value += (byte & 0x7f) * scale;
          scale *= 128;
          if (scale > 2 ** 70) throw new RangeError("a number is longer than ten bytes");
        }
      }
    }
    this.position = at;
    return value;
  }

  /** A number written so that small negative ones stay short. */
  zigzag(): number {
    const value = this.varint();
    if (value <= 0x7fff_ffff) return (value >>> 1) ^ -(value & 1);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A signed number in two's complement: its negative values take all of ten bytes. */
  signed(): number {
    const start = this.position;
    const value = this.varint();
    if (value < 2 ** 63) return value;
    let exact = 0n; // a double near 2^64 has lost the digits of a small number
    for (let at = this.position - 1; at >= start; at -= 1) exact = (exact << 7n) | BigInt((this.bytes[at] ?? 0) & 0x7f);
    return Number(BigInt.asIntN(64, exact));
  }

  /** The next length-delimited field, to be read on its own. */
  message(): Wire {
    const start = this.start();
    return new Wire(this.bytes, start, this.position);
  }

  /** Points another reader of the same bytes at the next length-delimited field, and moves past it. */
  into(field: Wire): void {
    field.position = this.start();
    field.end = this.position;
  }

  /** Leaves nothing to read. */
  empty(): void {
    this.position = this.end;
  }

  /** The same list from another position on. */
  from(position: number): Wire {
    return new Wire(this.bytes, position, this.end);
  }

  /** Moves past the next length-delimited field and returns where it began. */
  start(): number {
    const length = this.varint();
    const start = this.position;
    this.position += length;
    if (this.position > this.end) cutOff();
    return start;
  }

  text(): string {
    const start = this.start();
    return decoder.decode(this.bytes.subarray(start, this.position));
  }

  skip(tag: number): void {
    const type = tag & 7;
    if (type === 0) this.varint();
    else if (type === 1) this.position += 8;
    else if (type === 2) this.start();
    else if (type === 5) this.position += 4;
    else throw new RangeError(`there is no wire type ${type}`);
  }
}

const decoder = new TextDecoder();

function cutOff(): never {
  throw new RangeError("a message ends in the middle");
}
