import type { FakeServer } from "./backend.ts";
import type { ClientStore } from "./client-store.ts";
import { takeFault } from "./faults.ts";
import type { Living } from "./living.ts";
import type { FakeMachine } from "./state.ts";
import { ADC_HELP, complained, type Outcome, traceback } from "./texts.ts";

/** One call of the fake command, and what it can reach. */
export interface World {
  readonly server: FakeServer;
  readonly store: ClientStore;
  readonly env: Readonly<Record<string, string>>;
  readonly auth: "oauth2" | "adc";
  readonly pid: number;
  readonly isRunning: (pid: number) => boolean;
  readonly pause: (ms: number) => Promise<void>;
  /** Content of a file that an argument names; null if there is none. */
  readonly readFile: (path: string) => string | null;
  /** The same of a file that is no text. */
  readonly readBytes: (path: string) => Uint8Array | null;
  readonly writeBytes: (path: string, content: Uint8Array) => void;
  /** What the real command writes down of itself. */
  readonly remember: (name: string, text: string) => void;
  /** What machines do where they run for real; null where they are figures. */
  readonly living: Living | null;
  /** Holds an ssh connection open; settles when it ends. */
  readonly bridge: (machine: FakeMachine, identity: string) => Promise<void>;
}

/** The command does not come to its end: it is killed, or has to be. */
export class Interrupted extends Error {
  readonly how: "hang" | "crash";
  readonly stdout: string;

  constructor(how: "hang" | "crash", stdout = "") {
    super(how);
    this.how = how;
    this.stdout = stdout;
  }
}

/** The command ends in the middle of what it was doing. */
export class Ended extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super("ended");
    this.outcome = outcome;
  }
}

/** Throws `Ended` unless Google knows who asks. */
export function requireLogin(world: World, stdout = ""): void {
  const fault = world.server.transact(({ faults }) => takeFault(faults, "auth"));
  if (fault === "oauth-prompt") {
    const url = "https://accounts.google.com/o/oauth2/auth?client_id=fake";
    const stderr = `\nTo authorize colab-cli, visit this URL in any browser:\n\n  ${url}\n\nAfter approving, Google will display an authorization code.\n\nAborted.\n`;
    throw new Ended({ code: 1, stdout: `${stdout}Enter the authorization code: `, stderr });
  }
  if (fault === "adc-expired") throw new Ended({ ...complained(ADC_HELP), stdout });
  const file = world.env["GOOGLE_APPLICATION_CREDENTIALS"];
  if (world.auth === "adc" && file !== undefined && world.readFile(file) === null) {
    const error = `DefaultCredentialsError: File ${file} was not found.`;
    throw new Ended({ ...complained(traceback(error, world.env)), stdout });
  }
}
