import '@fontsource-variable/eb-garamond';
import '@fontsource-variable/source-sans-3';
import './style.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { speak } from '$lib/i18n.svelte';
import { followLinks } from '$lib/router.svelte';
import { settings } from '$lib/settings.svelte';

followLinks();
await speak(settings.language);
mount(App, { target: document.getElementById('app')! });

// not while developing: it would show yesterday's page
if ('serviceWorker' in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
