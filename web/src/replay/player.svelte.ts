/** Where a replay stands, and how it walks on by itself. */

import { indexOf, type Step } from './steps';

/** Milliseconds for a step at the usual pace. */
const EACH = 1400;
export const PACES = [0.5, 1, 2, 4] as const;

export class Player {
  readonly steps: readonly Step[];
  index = $state(0);
  isPlaying = $state(false);
  pace = $state<number>(1);

  constructor(steps: readonly Step[], number: number | null) {
    this.steps = steps;
    this.index = number === null ? 0 : indexOf(steps, number);
  }

  get step(): Step {
    return this.steps[this.index]!;
  }

  get last(): number {
    return this.steps.length - 1;
  }

  go(index: number): void {
    this.index = Math.min(Math.max(index, 0), this.last);
    if (this.index === this.last) this.isPlaying = false;
  }

  /** Go there by hand: then it does not walk on by itself. */
  jump(index: number): void {
    this.isPlaying = false;
    this.go(index);
  }

  toggle(): void {
    if (!this.isPlaying && this.index === this.last) this.index = 0;
    this.isPlaying = !this.isPlaying && this.last > 0;
  }

  /** Walk on while it plays. Called inside a component. */
  watch(): void {
    $effect(() => {
      if (!this.isPlaying) return;
      const timer = setTimeout(() => this.go(this.index + 1), EACH / this.pace);
      return () => clearTimeout(timer);
    });
  }

  /** What a key does; whether it does anything. */
  key(key: string): boolean {
    const to = {
      ArrowLeft: this.index - 1,
      ArrowRight: this.index + 1,
      ',': this.index - 1,
      '.': this.index + 1,
      Home: 0,
      End: this.last,
    }[key];
    if (to !== undefined) this.jump(to);
    else if (key === ' ') this.toggle();
    else return false;
    return true;
  }
}
