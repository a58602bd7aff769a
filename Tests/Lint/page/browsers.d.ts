// What the browsers of the page have and the TypeScript of Debian, 4.8, does not know yet; and that the page searches
// its document for elements of HTML only.
export {};

declare global {
  interface Array<T> {
    findLast(test: (value: T, index: number) => unknown): T | undefined;
    findLastIndex(test: (value: T, index: number) => unknown): number;
    toReversed(): T[];
  }

  interface MapConstructor {
    groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]>;
  }

  interface URLSearchParams {
    readonly size: number;
  }

  interface ParentNode {
    querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
    querySelector<K extends keyof SVGElementTagNameMap>(selectors: K): SVGElementTagNameMap[K] | null;
    querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
    querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
    querySelectorAll<K extends keyof SVGElementTagNameMap>(selectors: K): NodeListOf<SVGElementTagNameMap[K]>;
    querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
  }

  interface Document {
    readonly activeElement: HTMLElement | null;
  }

  interface Element {
    checkVisibility(options?: { visibilityProperty?: boolean }): boolean;
    closest<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
    closest<E extends Element = HTMLElement>(selectors: string): E | null;
  }

  interface ScrollAtOnce {
    top: number;
    behavior: 'instant';
  }

  function scrollTo(options: ScrollAtOnce): void;
  function scrollBy(options: ScrollAtOnce): void;

  interface Navigator {
    /** Only Chromium has it. */
    readonly connection?: { readonly saveData: boolean };
    /** There over https, and on the machine itself. */
    readonly wakeLock?: { request(kind: 'screen'): Promise<WakeLock> };
    /** Only Safari on iPhone and iPad has it. */
    readonly standalone?: boolean;
  }

  interface WakeLock {
    readonly released: boolean;
    release(): Promise<void>;
  }

  interface Window {
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(address: string): string }): {
        createScriptURL(address: string): string;
      };
    };
  }
}
