/** Cronberg's room. */

import type { Action } from '$lib/types';
import type { Draft } from '../table/draft.svelte';
import Board from './Board.svelte';
import Controls from './Controls.svelte';
import { counting, points } from './counting';
import Final from './Final.svelte';
import Panel from './Panel.svelte';
import Seat from './Seat.svelte';
import { extent, meant, spots, walkable } from './spots';
import { frame } from './track';
import { words } from './words';

export default {
  Board,
  Panel,
  Controls,
  Final,
  Seat,
  spots,
  meant,
  extent,
  lay: (draft: Draft, action: Action) => draft.choose(action),
  isLaid: (draft: Draft, { text }: Action) => draft.action?.text === text,
  isOnSheet: () => false,
  counting,
  points,
  frame,
  walkable,
  words,
  hasSecrets: false,
};
