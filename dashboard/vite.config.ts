import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { baseMap } from "./build/base-map.ts";

const service = process.env["WAYPOST_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "/console/",
  plugins: [react(), baseMap()],
  build: {
    // The content policy allows no inline data but images; a small asset is still a file of its own.
    assetsInlineLimit: 0,
    sourcemap: false,
    target: "es2023",
  },
  server: { proxy: { "/console/api": service, "/api": service } },
});
