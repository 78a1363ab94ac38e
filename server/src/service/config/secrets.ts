import { parseKeyText } from "../../domains/api-keys/index.ts";
import { list, type Parse, secret, setting, text } from "../../platform/settings.ts";

export const secretSettings = {
  keyPepper: secret(
    setting(
      "WAYPOST_KEY_PEPPER",
      undefined,
      text(32),
      "The secret under which API keys are hashed, 32 characters or more. Unset: generated in the data folder. All processes on one database need the same.",
    ),
  ),
  masterKeys: secret(
    setting(
      "WAYPOST_MASTER_KEY",
      undefined,
      masterKeys,
      "The key under which stored secrets are sealed, 32 characters or more. To change it: the new one, a comma and the old one, then `npx waypost secrets rekey`. Unset: generated in the data folder. All processes on one database need the same.",
    ),
  ),
  backupPassphrase: secret(
    setting(
      "WAYPOST_BACKUP_PASSPHRASE",
      undefined,
      text(12),
      "The passphrase under which `npx waypost backup` encrypts and `npx waypost restore` decrypts, 12 characters or more. Unset: backups are not encrypted.",
    ),
  ),
  seedLiveKey: secret(
    setting(
      "WAYPOST_SEED_LIVE_KEY",
      undefined,
      seedKey("live"),
      "A well-formed live key to install at the first start instead of a random one.",
    ),
  ),
  seedTestKey: secret(
    setting(
      "WAYPOST_SEED_TEST_KEY",
      undefined,
      seedKey("test"),
      "A well-formed test key to install at the first start instead of a random one.",
    ),
  ),
};

function masterKeys(value: string): string[] {
  const keys = list(value);
  if (keys.length > 0 && keys.every((key) => key.length >= 32)) return keys;
  throw new Error(
    "must have at least 32 characters in each key; make one with `openssl rand -base64 32`, or unset it for the default",
  );
}

function seedKey(environment: "live" | "test"): Parse<string> {
  return (value) => {
    if (parseKeyText(value)?.environment === environment) return value;
    throw new Error(
      `must be a well-formed ${environment} key with a right checksum; make one with \`npx waypost keys generate --environment ${environment}\`, or unset it for a random one`,
    );
  };
}
