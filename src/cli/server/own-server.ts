/** The server that holds `serve.lock` of a state directory. */
export interface OwnServer {
  readonly pid: number;
  readonly url: string;
}

export function ownServer(_stateDirectory: string): OwnServer | null {
  return null;
}
