import type { SchemaElement } from "hyparquet";

// Parts of a schema, as most writers spell them, for files that tests and benchmarks write.

export function textColumn(name: string): SchemaElement {
  return { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" };
}

export function groupOf(name: string, children: number): SchemaElement {
  return { name, num_children: children, repetition_type: "OPTIONAL" };
}

/** A list of texts, or of what the elements say. */
export function listOf(name: string, ...element: SchemaElement[]): SchemaElement[] {
  return [
    { ...groupOf(name, 1), converted_type: "LIST" },
    { name: "list", num_children: 1, repetition_type: "REPEATED" },
    ...(element.length > 0 ? element : [textColumn("element")]),
  ];
}

export function mapOf(name: string): SchemaElement[] {
  return [
    { ...groupOf(name, 1), converted_type: "MAP" },
    { name: "key_value", num_children: 2, repetition_type: "REPEATED" },
    { ...textColumn("key"), repetition_type: "REQUIRED" },
    textColumn("value"),
  ];
}

/** A point in well-known binary. */
export function wkbPoint(longitude: number, latitude: number): Uint8Array {
  const bytes = Buffer.alloc(21);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(1, 1);
  bytes.writeDoubleLE(longitude, 5);
  bytes.writeDoubleLE(latitude, 13);
  return bytes;
}
