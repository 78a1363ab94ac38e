export { createDownloads, type Downloads } from "./downloads/service.ts";
export { createLinks } from "./downloads/links.ts";
export { downloadRoutes } from "./downloads/routes.ts";
export { createExportQueue, type ExportQueue } from "./jobs.ts";
export { expireExports, removeUnnamedFiles, sweepExports } from "./retention.ts";
export { exportRoutes, exportSchemas } from "./routes.ts";
export { createExports, type Exports } from "./service.ts";
export { type FileStore, openFileStore } from "./storage/file-store.ts";
export { exportSecretNames, exportSettings, s3SettingsOf } from "./settings.ts";
