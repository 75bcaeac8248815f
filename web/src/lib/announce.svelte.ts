/** What a screen reader is told at once. `App.svelte` holds the live region. */

class Announcer {
  polite = $state('');
  #turn = false;

  /** Say something; the same sentence twice is said twice (an invisible blank tells them apart). */
  say(sentence: string): void {
    this.#turn = !this.#turn;
    this.polite = sentence + (this.#turn ? '\u00a0' : '');
  }

  /** What was said last can't be heard, or found, any more. */
  hush(): void {
    this.polite = '';
  }
}

export const announcer = new Announcer();
