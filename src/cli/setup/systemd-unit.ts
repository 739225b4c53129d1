import { dirname } from "node:path";

import { REQUEST_LIMIT } from "../server/re-exec.ts";

/** Who runs the unit: the machine, or one person's session. */
export type UnitScope = "system" | "user";

/** The config of the machine's unit, which does not start without it. */
const SYSTEM_CONFIG = "/etc/veriroute/veriroute.toml";

/** The same for both scopes; the sandbox below differs by what a session may set up. */
const SERVICE = `ExecReload=/bin/kill -HUP $MAINPID
# Code that the environment could slip into the process.
UnsetEnvironment=BUN_OPTIONS BUN_BE_BUN
# The program sets this itself, but has to start anew for it.
Environment=${REQUEST_LIMIT}
# Streams are ended properly within server.drain (8s by default), rented GPUs within 3 min after it.
KillSignal=SIGTERM
KillMode=mixed
TimeoutStopSec=200s
Restart=on-failure
RestartSec=2s
# Bad usage or configuration does not get better by itself.
RestartPreventExitStatus=2 78
LimitNOFILE=65536
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
`;

const AFTER_NETWORK = `After=network-online.target
Wants=network-online.target
`;

const SYSTEM = `# A user of its own for as long as it runs; state in /var/lib/veriroute.
DynamicUser=yes
StateDirectory=veriroute
StateDirectoryMode=0700
# The config is read by that user: 0644, with secrets as \${VAR} and their values in the env file,
# which only root reads (0600).
ConfigurationDirectory=veriroute
Environment=VERIROUTE_CONFIG=${SYSTEM_CONFIG}
EnvironmentFile=-/etc/veriroute/env
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
CapabilityBoundingSet=
AmbientCapabilities=
RemoveIPC=yes

[Install]
WantedBy=multi-user.target`;

const USER = `# State in ~/.local/state/veriroute, config in ~/.config/veriroute/veriroute.toml.
EnvironmentFile=-%h/.config/veriroute/env

[Install]
WantedBy=default.target`;

/** A unit that starts `binary`, an absolute path that `isUnitPath`. */
export function systemdUnit(scope: UnitScope, binary: string): string {
  return [
    "# veriroute, printed by `veriroute init --systemd`.\n",
    "[Unit]\n",
    "Description=veriroute, a router for LLM traffic\n",
    scope === "system" ? AFTER_NETWORK : "",
    "\n[Service]\n",
    "Type=exec\n",
    `ExecStart=${asWord(binary.replaceAll("%", "%%"))} serve\n`,
    SERVICE,
    scope === "system" ? SYSTEM : USER,
  ].join("");
}

/** What is left to do for the machine's unit: a config that its user can read, and the start. */
export function systemSteps(binary: string): string {
  return `next, where not done:
  sudo install -d -m 755 ${dirname(SYSTEM_CONFIG)}
  sudo ${asWord(binary)} init --config ${SYSTEM_CONFIG}
  sudo chmod 644 ${SYSTEM_CONFIG}
  sudo systemctl daemon-reload
  sudo systemctl enable --now veriroute`;
}

/** A path that `isUnitPath`, so that systemd and a shell read it as one word. */
function asWord(path: string): string {
  return /\s/.test(path) ? `"${path}"` : path;
}

/** systemd takes no quote, backslash or control character in the path of a program. */
export function isUnitPath(path: string): boolean {
  return path.startsWith("/") && !/["'\\\p{Cc}]/u.test(path);
}
