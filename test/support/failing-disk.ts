import { type LeaseFiles, STRAIGHT } from "../../src/runtimes/leases/write-leases.ts";

/** A disk that takes nothing while it is full; what is on it can be read all the same. */
export interface FailingDisk {
  isFull: boolean;
  /** Throws what the file system throws when it is full. */
  readonly check: () => void;
  readonly leaseFiles: LeaseFiles;
}

export function failingDisk(): FailingDisk {
  const check = () => {
    if (disk.isFull) throw noSpace();
  };
  const checked =
    <Given extends readonly unknown[], T>(act: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      check();
      return act(...given);
    };
  const { publish, replace, move } = STRAIGHT;
  const leaseFiles = { publish: checked(publish), replace: checked(replace), move: checked(move) };
  const disk: FailingDisk = { isFull: false, check, leaseFiles };
  return disk;
}

export function noSpace(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}
