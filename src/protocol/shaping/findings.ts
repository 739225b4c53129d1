import type { Untranslatable } from "../translate/translation.ts";
import { type Change, changeAt, createChange } from "./changes.ts";

/** What shaping has found so far. Most vendors take a body as it is: what holds a find is made for it. */
export class ShapingFindings {
  private made: Change | undefined;
  private noted_paths: Set<string> | undefined;
  private lost_paths: Set<string> | undefined;
  private barriers: Untranslatable[] | undefined;

  /** The change of the body; `at` finds the place below. */
  get change(): Change {
    return (this.made ??= createChange());
  }

  at(path: readonly (string | number)[]): Change {
    return changeAt(this.change, path);
  }

  /** Something is put otherwise and nothing is lost; said once however often it occurs. */
  note(path: string): void {
    (this.noted_paths ??= new Set()).add(path);
  }

  /** Something is left out, or does nothing. */
  lose(path: string): void {
    (this.lost_paths ??= new Set()).add(path);
  }

  refuse(barrier: Untranslatable): void {
    (this.barriers ??= []).push(barrier);
  }

  /** There is nothing to change and nothing to tell. */
  areNone(): boolean {
    return !(this.made || this.noted_paths || this.lost_paths || this.barriers);
  }

  noted(): readonly string[] {
    return [...(this.noted_paths ?? [])].filter((path) => !this.lost_paths?.has(path));
  }

  lost(): readonly string[] {
    return [...(this.lost_paths ?? [])];
  }

  refused(): readonly Untranslatable[] {
    return this.barriers ?? [];
  }
}
