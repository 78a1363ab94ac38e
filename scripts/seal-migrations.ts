// Records the migrations as released, after which a test holds them unchanged: `npm run migrations:seal`.
import { migrationsFolder, sealMigrations } from "../server/test/migration-seals.ts";

try {
  const sealed = await sealMigrations(migrationsFolder);
  console.log(sealed.length === 0 ? "Every migration was sealed already." : `Sealed ${sealed.join(", ")}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
