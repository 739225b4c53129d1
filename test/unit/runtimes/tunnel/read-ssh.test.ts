import { expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  readSshEnd,
  reconnectDelay,
  type TunnelFault,
} from "../../../../src/runtimes/tunnel/read-ssh.ts";

const LOST = "kex_exchange_identification: Connection closed by remote host\n";

test.each<{ stderr: string; fault: TunnelFault }>([
  {
    stderr: `[colab] Already-active SSH session (HTTP 429): another \`colab ssh\` is connected to this runtime. Disconnect it and retry.\n${LOST}`,
    fault: "busy",
  },
  {
    stderr: `[colab] Authentication failed (HTTP 401): the runtime-proxy token is invalid.\n${LOST}`,
    fault: "expired",
  },
  {
    stderr: `[colab] Forbidden (HTTP 403): the server refused this request\n${LOST}`,
    fault: "refused",
  },
  {
    stderr: `[colab] Endpoint not found (HTTP 404): this runtime does not expose\n${LOST}`,
    fault: "refused",
  },
  {
    stderr: `[colab] Bad gateway (HTTP 502): the runtime's local sshd is unreachable.\n${LOST}`,
    fault: "machine_down",
  },
  {
    stderr: `[colab] WebSocket connection failed: [Errno -2] Name or service not known. Check your network\n${LOST}`,
    fault: "network",
  },
  {
    stderr: `Traceback (most recent call last):\ngoogle.auth.exceptions.DefaultCredentialsError: File /nonexistent was not found.\n${LOST}`,
    fault: "no_session",
  },
  {
    stderr: `[colab] session 'a' not found. Run \`colab sessions\` to list active sessions.\n${LOST}`,
    fault: "no_session",
  },
  {
    stderr:
      "bind [127.0.0.1]:4000: Address already in use\nchannel_setup_fwd_listener_tcpip: cannot listen to port: 4000\nCould not request local forwarding.\n",
    fault: "port_taken",
  },
  { stderr: "client_loop: send disconnect: Broken pipe\n", fault: "dropped" },
  { stderr: LOST, fault: "dropped" },
  { stderr: "Host key verification failed.\n", fault: "host_changed" },
  { stderr: "", fault: "failed" },
])("the end of ssh is $fault", ({ stderr, fault }) => {
  expect(readSshEnd(stderr).fault).toBe(fault);
});

function waits(fault: TunnelFault): number[] {
  return [1, 2, 3, 4, 5, 6, 50].map((failures) => reconnectDelay(fault, failures, () => 0.5));
}

test("the wait grows from a second to a minute, and a lingering connection gets more at once", () => {
  expect(waits("dropped")).toEqual([1000, 2000, 5000, 10_000, 30_000, 60_000, 60_000]);
  expect(waits("busy")).toEqual([20_000, 20_000, 20_000, 20_000, 30_000, 60_000, 60_000]);
});

test("no wait is shorter than 0.9 s or longer than 66 s", () => {
  const faults = fc.constantFrom<TunnelFault>("dropped", "busy", "refused", "network");
  fc.assert(
    fc.property(
      faults,
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (fault, n, random) => {
        const wait = reconnectDelay(fault, n + 1, () => random);

        expect(wait).toBeWithin(900, 66_001);
      },
    ),
  );
});
