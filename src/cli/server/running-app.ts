import type { createDoctor, RunningApp } from "../../app.ts";

/** What a running server found. */
export type Found = ReturnType<RunningApp["found"]>;
export type FoundInstance = Found["instances"][number];

type Doctor = ReturnType<typeof createDoctor>;

/** What `doctor` learns about one instance; no field holds a credential. */
export type InstanceReport = Awaited<ReturnType<Doctor["examine"]>>[number];
