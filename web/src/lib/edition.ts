/** Geometry and artwork, fetched once for each edition; artwork brings its own style sheet and symbols. */

import { get } from '$lib/api';
import type { Artwork, Edition } from '$lib/types';

const fetched = new Map<string, Promise<Edition>>();

/** The edition that is played at a table, or a shipped one, by its address. */
export function edition(address: string): Promise<Edition> {
  const known = fetched.get(address);
  if (known) return known;
  const coming = get<Edition>(address).then((found) => {
    dress(found.artwork);
    return found;
  });
  fetched.set(address, coming);
  coming.catch(() => fetched.delete(address));
  return coming;
}

const dressed = new Set<string>();

/** Colours as variables for both palettes, and symbols that drawings refer to. */
export function dress(artwork: Artwork): void {
  if (dressed.has(artwork.classes)) return;
  dressed.add(artwork.classes);
  const sheet = new CSSStyleSheet(); // the policy forbids styles inside the page
  sheet.replaceSync(artwork.style + palette(artwork, 'day') + palette(artwork, 'night'));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const holder = document.createElement('div');
  holder.className = 'symbols';
  holder.innerHTML = `<svg width="0" height="0" aria-hidden="true"><defs>${artwork.defs}${Object.values(artwork.symbols).join('')}</defs></svg>`;
  document.body.append(holder);
}

function palette(artwork: Artwork, which: 'day' | 'night'): string {
  const colours = Object.entries(artwork[which]).map(
    ([name, colour]) => `--${artwork.prefix}-${name}:${colour}`,
  );
  const classes = artwork.classes.split(' ').join('.');
  return `:root[data-palette=${which}] .${classes}{${colours.join(';')}}`;
}
