import { Counter, Gauge, type Registry } from "prom-client";

interface Naming {
  readonly name: string;
  readonly help: string;
}

/** A figure that somebody else keeps, read when someone looks. */
export function pollGauge(registry: Registry, naming: Naming, read: () => number): Gauge {
  return new Gauge({
    ...naming,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** As `pollGauge`, for a figure that only grows while the process lives. */
export function pollCounter(registry: Registry, naming: Naming, read: () => number): Counter {
  return new Counter({
    ...naming,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
