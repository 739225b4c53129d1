import { type WriteText, writeWhole } from "../../src/runtimes/colab/store.ts";
import { type LeaseFiles, STRAIGHT } from "../../src/runtimes/leases/write-leases.ts";

/** A disk that takes nothing while it is full; what is on it can be read all the same. */
export interface FailingDisk {
  isFull: boolean;
  /** Throws what the file system throws when it is full. */
  readonly check: () => void;
  readonly leaseFiles: LeaseFiles;
  /** Whether it takes a file there; other disks take all. */
  readonly takes: (path: string) => boolean;
  /** Puts a text on this disk, or on another. */
  readonly write: WriteText;
}

/** `root`: what of the file system is on it. */
export function failingDisk(root: string): FailingDisk {
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
  const takes = (path: string) => !(disk.isFull && path.startsWith(root));
  const write: WriteText = (path, text) => {
    if (!takes(path)) throw noSpace();
    writeWhole(path, text);
  };
  const disk: FailingDisk = { isFull: false, check, leaseFiles, takes, write };
  return disk;
}

function noSpace(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}
