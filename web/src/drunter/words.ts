/** Drunter & Drüber in words: for the log, for headlines, and for those who hear it. */

import type {
  DrunterFacts,
  DrunterPreview,
  DrunterTileResult,
  DrunterVoteResult,
  EntryFacts,
} from '$protocol/messages';
import { capital, count, listed, named, t } from '$lib/i18n.svelte';
import type { Action, DrunterArtwork, DrunterGeometry, Edition } from '$lib/types';
import type { Told, Words } from '../games';
import { cardsOf, coveredBy, isVoteResult, tileOf, type NamedTile } from './ballot';
import { houses } from './town';

/** What a piece is called. */
export const piece = (edition: Edition, name: string): string =>
  named((edition.artwork as DrunterArtwork).names[name], name);

/** What a vote card is called. */
export function cardName(edition: Edition, card: string): string {
  const geometry = edition.geometry as DrunterGeometry;
  return piece(edition, geometry.cards.find((each) => each.name === card)?.piece ?? card);
}

/** `Wall from A1, 3 long, B1 to D1`. */
export function tileWords(edition: Edition, { kind, gang, squares }: NamedTile): string {
  const [first, last] = [squares[0]!, squares.at(-1)!];
  const values = { kind: capital(piece(edition, kind)), gang, first, last };
  return squares.length === 1
    ? t('drunter.tile_one', values)
    : t('drunter.tile', { ...values, length: squares.length });
}

/** `school (2) at C2`. */
export function houseWords(edition: Edition, square: string): string {
  const house = houses(edition.geometry as DrunterGeometry).get(square);
  if (!house) return square;
  const name = piece(edition, house.kind);
  return house.value === null
    ? t('drunter.outhouse_at', { name, square })
    : t('drunter.building_at', { name, value: house.value, square });
}

/** `Buries: …`: what lies under a tile, or nothing. */
export const buriesWords = (edition: Edition, covers: readonly string[]): string =>
  covers.length
    ? t('drunter.buries', { houses: listed(covers.map((square) => houseWords(edition, square))) })
    : t('drunter.buries_nothing');

/** What scores for whoever has this objective. */
export const meaning = (edition: Edition, objective: string): string => {
  switch (objective) {
    case 'threes':
      return t('drunter.goal_threes');
    case 'fours':
      return t('drunter.goal_fours');
    case 'lowest':
      return t('drunter.goal_lowest');
    case 'ones':
      return t('drunter.goal_ones');
    default:
      return t('drunter.goal_kind', { kind: piece(edition, objective) });
  }
};

const gangWords = (edition: Edition, corner: string): string => {
  const kind = (edition.geometry as DrunterGeometry).gangs.find(({ name }) => name === corner)?.kind ?? '';
  return t('drunter.path_from', { kind: piece(edition, kind), gang: corner });
};

/** A square: what stands or lies there. */
function place(edition: Edition, known: Edition['geometry'] | null | unknown, id: string): string {
  const facts = known as DrunterFacts | null;
  const geometry = edition.geometry as DrunterGeometry;
  const told: string[] = [];
  const corner = geometry.gangs.find(({ name }) => name === id);
  if (corner) told.push(piece(edition, `${corner.kind}-start`));
  const tile = facts?.laid.find(({ squares }) => squares.includes(id));
  if (tile) told.push(tileWords(edition, tile));
  if (facts?.proposal?.squares.includes(id))
    told.push(t('drunter.lies_under_vote', { tile: tileWords(edition, facts.proposal) }));
  const house = houses(geometry).get(id);
  if (house) {
    const name =
      house.value === null
        ? piece(edition, house.kind)
        : t('drunter.worth', { name: piece(edition, house.kind), value: house.value });
    told.push(facts?.covered.includes(id) ? t('drunter.buried', { name }) : name);
  }
  const gang = Object.entries(facts?.gangs ?? {}).find(([, square]) => square === id)?.[0];
  if (gang) told.push(t('drunter.gang_here', { path: gangWords(edition, gang) }));
  return `${id}: ${told.length ? told.join(', ') : t('drunter.meadow')}`;
}

function action(edition: Edition, _facts: unknown, chosen: Action): string {
  switch (chosen.kind) {
    case 'lay': {
      const tile = tileWords(edition, { kind: chosen.tile, gang: chosen.gang, squares: chosen.squares });
      if (!chosen.under.length) return tile;
      return count('drunter.under', chosen.under.length, { tile, squares: listed(chosen.under) });
    }
    case 'vote':
      return t('drunter.vote_with', { cards: listed(chosen.cards.map((card) => cardName(edition, card))) });
    case 'jeeiin':
      return t(`drunter.says_${chosen.says}`, { card: cardName(edition, 'jeeiin') });
    case 'choose':
      return t('drunter.objective_is', { name: piece(edition, chosen.objective) });
    default:
      return t('drunter.pass');
  }
}

function preview(edition: Edition, _facts: unknown, foretold: unknown): string[] {
  const { tile, covers, needs_vote: needsVote, blocked } = foretold as DrunterPreview;
  if (!tile) return [];
  return [
    buriesWords(edition, covers),
    ...(needsVote ? [t('drunter.needs_vote')] : []),
    ...blocked.map((corner) => t('drunter.blocks', { path: gangWords(edition, corner) })),
  ];
}

/** A line of the log. */
function entry(edition: Edition, { text, seat }: EntryFacts, result: unknown, names: string[]): Told | null {
  const name = seat === null ? '' : (names[seat] ?? '');
  const tile = tileOf(text);
  if (tile) {
    const told = t('drunter.log_lay', { name, tile: tileWords(edition, tile) });
    const covers = coveredBy(edition.geometry as DrunterGeometry, tile);
    return {
      text: told,
      places: tile.squares,
      items: tileItems(edition, covers, result as DrunterTileResult | null),
    };
  }
  const said = plain(edition, text, name);
  if (said === null) return null;
  return isVoteResult(result)
    ? { text: said, places: [], items: voteItems(edition, result) }
    : { text: said, places: [] };
}

type Items = NonNullable<Told['items']>;

function tileItems(edition: Edition, covers: string[], result: DrunterTileResult | null): Items {
  const buried = covers.length ? [{ text: buriesWords(edition, covers), rule: 'D5.1', places: covers }] : [];
  const asked = result?.needs_vote ? [{ text: t('drunter.needs_vote'), rule: 'D5.2', places: [] }] : [];
  return [...buried, ...asked, ...blockedItems(edition, result?.blocked ?? [])];
}

function voteItems(edition: Edition, { yes, no, passed, blocked }: DrunterVoteResult): Items {
  const text = t(passed ? 'drunter.log_passed' : 'drunter.log_refused', { yes, no });
  return [{ text, rule: passed ? 'D6.3' : 'D6.4', places: [] }, ...blockedItems(edition, blocked)];
}

const blockedItems = (edition: Edition, blocked: readonly string[]): Items =>
  blocked.map((corner) => ({
    text: t('drunter.blocks', { path: gangWords(edition, corner) }),
    rule: 'D4.6',
    places: [corner],
  }));

function plain(edition: Edition, text: string, name: string): string | null {
  const [verb = '', ...rest] = text.split(' ');
  const what = rest.join(' ');
  const isHidden = what === '(hidden)';
  switch (verb) {
    case 'vote': {
      const cards = (cardsOf(text) ?? []).map((card) => cardName(edition, card));
      return isHidden
        ? t('drunter.log_voted', { name })
        : t('drunter.log_vote', { name, cards: listed(cards) });
    }
    case 'jeeiin':
      return t(`drunter.log_says_${what as 'yes' | 'no'}`, { name, card: cardName(edition, 'jeeiin') });
    case 'choose':
      return isHidden
        ? t('drunter.log_chosen', { name })
        : t('drunter.log_choose', { name, objective: piece(edition, what) });
    case 'pass':
      return t('drunter.log_pass', { name });
    default:
      return null;
  }
}

const dueVote = (proposer: number | undefined, seat: number | undefined, names: string[]): string =>
  proposer !== undefined && proposer === seat
    ? t('drunter.due_vote_own')
    : t('drunter.due_vote', { name: names[proposer ?? 0] ?? '' });

function due(edition: Edition, known: unknown, isYours: boolean, names: string[], seat?: number): string {
  const { phase, waiting, proposal } = known as DrunterFacts;
  const who = listed(waiting.map((seat) => names[seat] ?? ''));
  const card = cardName(edition, 'jeeiin');
  switch (phase) {
    case 'laying':
      return isYours ? t('drunter.due_lay') : t('drunter.wait_lay', { name: who });
    case 'voting':
      return isYours ? dueVote(proposal?.seat, seat, names) : t('drunter.wait_vote', { names: who });
    case 'jeeiin':
      return isYours ? t('drunter.due_jeeiin', { card }) : t('drunter.wait_jeeiin', { name: who, card });
    case 'choosing':
      return isYours ? t('drunter.due_choose') : t('drunter.wait_choose', { names: who });
    default:
      return t('drunter.over');
  }
}

export const words: Words = { place, action, preview, entry, again: () => t('drunter.another_tile'), due };
