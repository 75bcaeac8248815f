/** The pile that the player wants to lay from: chosen beside the board, it narrows down where one may point on it. */

export interface Pile {
  kind: string;
  length: number;
}

class Narrowing {
  pile = $state.raw<Pile | null>(null);

  isOn({ kind, length }: Pile): boolean {
    return this.pile?.kind === kind && this.pile.length === length;
  }
}

export const narrowing = new Narrowing();
