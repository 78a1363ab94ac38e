// Loaded into every test file before its tests. With --test-force-exit Node ends a file without waiting until the pipe
// has taken its last results (nodejs/node#64833), so that the run names neither them nor the error of one that failed.
// A write that blocks is done before the process can end.
type Blocking = { _handle?: { setBlocking?(isBlocking: boolean): void } };

(process.stdout as Blocking)._handle?.setBlocking?.(true);
