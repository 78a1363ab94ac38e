export type Tags = Readonly<Record<string, string>>;

/** A node, way or relation with the point that stands for it. */
export type OsmElement = {
  type: "node" | "way" | "relation";
  id: number;
  tags: Tags;
  latitude: number;
  longitude: number;
};

/** `osm:n240095767` */
export function sourceIdOf({ type, id }: Pick<OsmElement, "type" | "id">): string {
  return `osm:${type.charAt(0)}${id}`;
}

/** Values of tags like `name:de`, by language tag in lower case. */
export function byLanguage(tags: Tags, key: string): Record<string, string> {
  const prefix = `${key}:`;
  const values: Record<string, string> = {};
  for (const [tag, value] of Object.entries(tags)) {
    if (!tag.startsWith(prefix)) continue;
    const language = tag.slice(prefix.length).toLowerCase();
    // `name:pronunciation` and `name:left` are no languages; those have two or three letters.
    if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(language) && value.trim() !== "") values[language] = value.trim();
  }
  return values;
}
