export { openCurrent } from "./current.ts";
export { indexPathOf } from "./folder.ts";
export { type MachineIndex, openMachineIndex } from "./machine.ts";
export { waitForIndex } from "./wait.ts";
export { type IndexStatus, readIndexStatus } from "./status.ts";
