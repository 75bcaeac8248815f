/** Addresses of the page, without a library: a path, what is asked for, and what follows the `#` (never sent to the server). */

class Route {
  path = $state(location.pathname);
  search = $state(location.search);
  hash = $state(location.hash.slice(1));

  /** Go to an address of the page. */
  go(address: string, { replace = false } = {}): void {
    history[replace ? 'replaceState' : 'pushState'](null, '', address);
    this.read();
    if (!this.hash) scrollTo(0, 0);
  }

  read(): void {
    this.path = location.pathname;
    this.search = location.search;
    this.hash = location.hash.slice(1);
  }

  /** The parts of the path: `/table/abc` has `table` and `abc`. */
  get parts(): string[] {
    return this.path.split('/').filter(Boolean);
  }
}

export const route = new Route();

/** Follow the browser's own back and forward, and links inside the page without loading it again. */
export function followLinks(): void {
  addEventListener('popstate', () => route.read());
  addEventListener('hashchange', () => route.read());
  addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.pathname.startsWith('/api/') || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    route.go(link.pathname + link.search + link.hash);
  });
}
