import { createBeats, sendBeat } from "../../src/runtimes/attach/send-beat.ts";
import type { SupervisedProcess, SupervisedRig } from "./supervised-rig.ts";

const newId = () => Bun.randomUUIDv7();

/** From now on the heartbeats of that process are those of the product. */
export function sendRealBeats({ rig }: SupervisedRig, process: SupervisedProcess): void {
  const driver = rig.newDriver();
  const nextBeat = createBeats(rig.clock);
  const { secondsLeft } = process.supervisor;
  process.attachments.beat = (lease) => sendBeat({ driver, newId, nextBeat, secondsLeft }, lease);
}
