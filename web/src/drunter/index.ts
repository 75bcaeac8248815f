/** The room of Drunter & Drüber. */

import Board from './Board.svelte';
import Controls from './Controls.svelte';
import { counting, points } from './final';
import Final from './Final.svelte';
import Panel from './Panel.svelte';
import { turnedToSide as upright } from './paths';
import { isLaid, isOnSheet, lay } from './laying';
import Seat from './Seat.svelte';
import { extent, frame, meant, spots, walkable } from './spots';
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
  lay,
  isLaid,
  isOnSheet,
  counting,
  points,
  frame,
  walkable,
  upright,
  words,
  hasSecrets: true,
};
