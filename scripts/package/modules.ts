import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, join, posix } from "node:path";

/** The files of a package, by their path in it. */
export type Files = Map<string, string | Buffer>;

const quotedModule = /(["'])((?:\.{1,2}\/)?[\w./-]+\.[jt]s|@waypost\/[\w/-]+)\1/g;
const urlBesideModule = /new URL\(\s*["'`]([^"'`$]+)[^,]*, import\.meta\.url\)/g;

/**
 * The modules that an entry reaches, by imports and as threads, as JavaScript in the same relative tree, with the data
 * that they name by their own URL. Types become blanks, so that lines and columns stay what they are.
 */
export function reachModules(root: string, entry: string): Files {
  const exported = readWorkspaceExports(root);
  const files: Files = new Map();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(asScript(path))) continue;
    const folder = posix.dirname(path);
    const source = readFileSync(join(root, path), "utf8");
    const code = path.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
    const script = code.replaceAll(quotedModule, (quoted: string, quote: string, name: string) => {
      const target = exported.get(name) ?? posix.join(folder, name);
      if (!existsSync(join(root, target))) return quoted;
      waiting.push(target);
      const near = posix.relative(folder, asScript(target));
      return `${quote}${near.startsWith(".") ? near : `./${near}`}${quote}`;
    });
    if (path.endsWith(".ts")) addWithMap(files, path, source, script);
    else files.set(path, script);
    for (const [, named = ""] of code.matchAll(urlBesideModule)) addData(files, root, posix.join(folder, named));
  }
  return files;
}

const asScript = (path: string) => path.replace(/\.ts$/, ".js");

/** The file behind each name by which other workspaces import it. */
function readWorkspaceExports(root: string): Map<string, string> {
  const paths = ["server", "sdk"].flatMap((folder) => {
    const manifest = readFileSync(join(root, folder, "package.json"), "utf8");
    const { name, exports } = JSON.parse(manifest) as { name: string; exports: Record<string, string> };
    return Object.entries(exports).map(([key, file]) => [posix.join(name, key), posix.join(folder, file)] as const);
  });
  return new Map(paths);
}

function addWithMap(files: Files, path: string, source: string, script: string) {
  const name = basename(asScript(path));
  const map = {
    version: 3,
    file: name,
    sources: [basename(path)],
    sourcesContent: [source],
    names: [],
    // Each line stands where it stood.
    mappings: `AAAA${";AACA".repeat(source.split("\n").length - 1)}`,
  };
  files.set(asScript(path), `${script}\n//# sourceMappingURL=${name}.map\n`);
  files.set(`${asScript(path)}.map`, JSON.stringify(map));
}

/** A file, or all of a folder that is no workspace. */
export function addData(files: Files, root: string, path: string) {
  const whole = join(root, path);
  const kind = statSync(whole, { throwIfNoEntry: false });
  if (!kind || path.endsWith(".ts") || existsSync(join(whole, "package.json"))) return;
  if (kind.isFile()) files.set(path, readFileSync(whole));
  else for (const name of readdirSync(whole)) addData(files, root, posix.join(path, name));
}
