/**
 * What the SDK must find before it is loaded. By its own variable it asks no attestation service and sends no statistics, both of
 * which it would ask of hosts that no setting names: nothing of the phone leaves this machine. `global` is what its parts that were
 * made for node call the window.
 */
Object.assign(globalThis, { global: globalThis, process: { env: { IS_VITEST: "true" } } });
