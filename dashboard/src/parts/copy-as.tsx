import type { SearchRequest } from "@waypost/sdk";
import { Code as CodeIcon } from "lucide-react";
import { useState } from "react";
import { Code } from "./code.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Tabs } from "./tabs.tsx";

type Language = "curl" | "typescript" | "mcp";

/** The same call for a shell, a program and an agent. */
export function CopyAs({ request }: { request: SearchRequest }) {
  const [isOpen, setOpen] = useState(false);
  const [language, setLanguage] = useState<Language>("curl");
  const snippet = snippets[language](request);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <CodeIcon aria-hidden />
        Copy as
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Copy this call"
        lead="The key comes from the environment: it never belongs into a command or a page."
      >
        <Tabs
          label="Language"
          value={language}
          onChange={(next) => setLanguage(next)}
          choices={[
            { value: "curl", label: "curl" },
            { value: "typescript", label: "TypeScript" },
            { value: "mcp", label: "MCP" },
          ]}
        />
        <Code text={snippet} />
        <div className="row end">
          <CopyButton text={snippet} />
        </div>
      </Dialog>
    </>
  );
}

const snippets: Record<Language, (request: SearchRequest) => string> = {
  curl: (request) => curlOf("/api/v1/search", request),
  typescript: (request) =>
    [
      `import { Waypost } from "@waypost/sdk";`,
      "",
      `const waypost = new Waypost({ baseUrl: ${JSON.stringify(location.origin)}, apiKey: process.env.WAYPOST_API_KEY });`,
      `const { businesses } = await waypost.search(${JSON.stringify(request)});`,
    ].join("\n"),
  // The server keeps no sessions, so one message is a whole call.
  mcp: (request) =>
    curlOf(
      "/mcp",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search_businesses", arguments: request },
      },
      `  -H "Accept: application/json, text/event-stream" \\`,
    ),
};

function curlOf(path: string, body: object, ...headers: string[]): string {
  return [
    `curl ${location.origin}${path} \\`,
    `  -H "API-KEY: $WAYPOST_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    ...headers,
    `  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
  ].join("\n");
}
