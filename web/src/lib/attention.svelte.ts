/** Telling the person that it is their turn: the title, and a sound where they want one. */

import { settings } from '$lib/settings.svelte';

/** A short bell, made here: no file to load. */
export function ring(): void {
  if (!settings.sound) return;
  const context = new AudioContext();
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.15, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.9);
  gain.connect(context.destination);
  for (const tone of [880, 1320]) {
    const bell = context.createOscillator();
    bell.frequency.value = tone;
    bell.connect(gain);
    bell.start();
    bell.stop(context.currentTime + 0.9);
  }
  setTimeout(() => void context.close(), 1200);
}

/** Keep the title: a mark while it is the person's turn. Called inside a component. */
export function watchTurn(isYours: () => boolean, title: () => string): void {
  let before = false;
  $effect(() => {
    const now = isYours();
    document.title = `${now ? '● ' : ''}${title()} – Embertown`;
    if (now && !before) ring();
    before = now;
  });
  $effect(() => () => {
    document.title = 'Embertown';
  });
}
