import { runCommandLine } from "./command-line.ts";

// A service that cannot start sets the code itself.
process.exitCode = (await runCommandLine(process.argv.slice(2))) || process.exitCode;
