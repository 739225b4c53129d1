/** The tunnel with OpenSSH on both ends; only the WebSocket between them is left out. */
import { expect } from "bun:test";
import { readFileSync } from "node:fs";

import { freePort } from "../../../src/runtimes/tunnel/free-port.ts";
import type { TunnelState } from "../../../src/runtimes/tunnel/open-tunnel.ts";
import { probeThroughTunnel } from "../../../src/runtimes/tunnel/probe.ts";
import {
  type ColabProcesses,
  colabProcesses,
  modelServer,
  rentAndServe,
  SECRET,
  tunnelTo,
} from "../../support/colab-processes.ts";
import { newHostKey, sshdConfig, testWithSshd } from "../../support/real-sshd.ts";
import { until } from "../../support/until.ts";

const test = testWithSshd;
const LIMIT_MS = 40_000;

/** The machine's ssh server, which lets root in with the key that the bridge names. */
function serveSsh(rig: ColabProcesses): void {
  const config = sshdConfig(rig.dir);
  rig.fake.server.transact((state) => void (state.sshd_config = config));
}

function probeAt(port: number) {
  const request = { key: SECRET, served_model: "qwen", timeout_ms: 5000 };
  return probeThroughTunnel(fetch, { ...request, base_url: `http://127.0.0.1:${port}/v1` });
}

test(
  "a model is reached through OpenSSH, and the host's key is pinned",
  async () => {
    using rig = colabProcesses({ ssh: "real" });
    using server = modelServer();
    serveSsh(rig);
    const endpoint = await rentAndServe(rig);
    const ports = { local_port: freePort(), remote_port: server.port };
    const tunnel = tunnelTo(rig, endpoint, ports);

    await until(async () => (await probeAt(ports.local_port)).kind === "serving");

    const known = readFileSync(`${rig.driver.directory("a")}/known_hosts`, "utf8");
    const key = readFileSync(rig.dir.file("host-key.pub"), "utf8").split(" ")[1] ?? "none";
    expect(known).toContain(key);
    await tunnel.close();
    expect((await probeAt(ports.local_port)).kind).toBe("miss");
  },
  LIMIT_MS,
);

test(
  "a connection that breaks is made again",
  async () => {
    using rig = colabProcesses({ ssh: "real" });
    using server = modelServer();
    serveSsh(rig);
    const endpoint = await rentAndServe(rig);
    const ports = { local_port: freePort(), remote_port: server.port };
    const tunnel = tunnelTo(rig, endpoint, ports);
    await until(async () => (await probeAt(ports.local_port)).kind === "serving");
    const before = tunnel.state();

    rig.fake.setFaults({ ssh_drop_ms: 0 });
    await until(() => pidOf(tunnel.state()) !== pidOf(before));
    rig.fake.setFaults({});
    tunnel.retryNow();

    await until(async () => (await probeAt(ports.local_port)).kind === "serving");
    expect(pidOf(tunnel.state())).not.toBe(pidOf(before));
    await tunnel.close();
  },
  LIMIT_MS,
);

test(
  "a machine that shows another host key is not spoken to",
  async () => {
    using rig = colabProcesses({ ssh: "real" });
    using server = modelServer();
    serveSsh(rig);
    const endpoint = await rentAndServe(rig);
    const ports = { local_port: freePort(), remote_port: server.port };
    const first = tunnelTo(rig, endpoint, ports);
    await until(async () => (await probeAt(ports.local_port)).kind === "serving");
    await first.close();
    newHostKey(rig.dir);

    const second = tunnelTo(rig, endpoint, ports);
    await until(() => second.state().kind === "failed");

    expect(second.state()).toMatchObject({ end: { fault: "host_changed" } });
    await second.close();
  },
  LIMIT_MS,
);

test(
  "a local port that is taken is said so by OpenSSH too",
  async () => {
    using rig = colabProcesses({ ssh: "real" });
    using server = modelServer();
    serveSsh(rig);
    const endpoint = await rentAndServe(rig);

    const tunnel = tunnelTo(rig, endpoint, { local_port: server.port, remote_port: 8000 });
    await until(() => tunnel.state().kind === "failed");

    expect(tunnel.state()).toMatchObject({ end: { fault: "port_taken" } });
    await tunnel.close();
  },
  LIMIT_MS,
);

function pidOf(state: TunnelState): number | null {
  return state.kind === "running" ? state.pid : null;
}
