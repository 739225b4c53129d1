import type { Untranslatable } from "../translate/translation.ts";
import { type Change, changeAt, createChange } from "./changes.ts";

/** What shaping has found so far. Most vendors take a body as it is: what holds a find is made for it. */
export class ShapingFindings {
  #change: Change | undefined;
  #noted: Set<string> | undefined;
  #lost: Set<string> | undefined;
  #refused: Untranslatable[] | undefined;

  /** The change of the body; `at` finds the place below. */
  get change(): Change {
    return (this.#change ??= createChange());
  }

  at(path: readonly (string | number)[]): Change {
    return changeAt(this.change, path);
  }

  /** Something is put otherwise and nothing is lost; said once however often it occurs. */
  note(path: string): void {
    (this.#noted ??= new Set()).add(path);
  }

  /** Something is left out, or does nothing. */
  lose(path: string): void {
    (this.#lost ??= new Set()).add(path);
  }

  refuse(barrier: Untranslatable): void {
    (this.#refused ??= []).push(barrier);
  }

  /** There is nothing to change and nothing to tell. */
  areNone(): boolean {
    return !(this.#change || this.#noted || this.#lost || this.#refused);
  }

  noted(): readonly string[] {
    return [...(this.#noted ?? [])].filter((path) => !this.#lost?.has(path));
  }

  lost(): readonly string[] {
    return [...(this.#lost ?? [])];
  }

  refused(): readonly Untranslatable[] {
    return this.#refused ?? [];
  }
}
