/** Day or night, moving or still: as the system says, unless the person chose. */

import { settings } from '$lib/settings.svelte';

/** Keep the document's palette and its movement up to date. Called once, inside a component. */
export function watchPalette(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let isDark = $state(dark.matches);
  dark.addEventListener('change', (event) => (isDark = event.matches));
  $effect.pre(() => {
    const isNight = settings.palette === 'night' || (settings.palette === 'auto' && isDark);
    document.documentElement.dataset.palette = isNight ? 'night' : 'day';
    document.documentElement.dataset.motion = settings.motion;
  });
}
